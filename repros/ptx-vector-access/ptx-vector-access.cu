// Vectors of every element type through global, shared and generic addresses; narrow elements widen or
// narrow.
extern "C" __global__ void ptxVectorAccess(const unsigned char* in, unsigned char* out) {
  __shared__ __align__(16) unsigned char shared[64 * 16];
  unsigned t = threadIdx.x, r[4], low, high, address = static_cast<unsigned>(__cvta_generic_to_shared(shared + t * 16));
  unsigned short h[4];
  unsigned long long w[2];
  float f[4];
  double d[2];
  const unsigned char* from = in + t * 64;
  unsigned char* to = out + t * 96;
  asm volatile("ld.global.v4.s8 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(from + 4));
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(r[0]), "r"(r[1]), "r"(r[2]),
               "r"(r[3])
               : "memory");
  asm volatile("ld.global.nc.v2.u16 {%0, %1}, [%2+8];" : "=h"(h[0]), "=h"(h[1]) : "l"(from));
  asm volatile("ldu.global.v2.u8 {%0, %1}, [%2];" : "=h"(h[2]), "=h"(h[3]) : "l"(in + 2));
  asm volatile("st.shared.v4.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "h"(h[0]), "h"(h[1]), "h"(h[2]),
               "h"(h[3])
               : "memory");
  asm volatile("ld.shared.v2.s16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(address));
  asm volatile("ld.volatile.shared.v2.u8 {%0, %1}, [%2+4];" : "=r"(r[2]), "=r"(r[3]) : "r"(address));
  asm volatile("st.v4.b32 [%0+16], {%1, %2, %3, %4};" ::"l"(to), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
  asm volatile("ld.global.nc.v2.u64 {%0, %1}, [%2];" : "=l"(w[0]), "=l"(w[1]) : "l"(from + 16));
  asm volatile("st.shared.v2.b64 [%0], {%1, %2};" ::"r"(address), "l"(w[1]), "l"(w[0]) : "memory");
  asm volatile("ld.v2.f64 {%0, %1}, [%2];" : "=d"(d[0]), "=d"(d[1]) : "l"(shared + t * 16));
  asm volatile("st.global.cs.v2.f64 [%0], {%1, %2};" ::"l"(to + 32), "d"(d[0]), "d"(d[1]) : "memory");
  asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
               : "l"(from + 32));
  asm volatile("st.global.wt.v2.f32 [%0], {%1, %2};" ::"l"(to + 48), "f"(f[3]), "f"(f[1]) : "memory");
  asm volatile("ld.global.lu.v2.b32 {%0, %1}, [%2];" : "=r"(low), "=r"(high) : "l"(from + 32));
  asm volatile("st.global.v2.u8 [%0], {%1, %2};" ::"l"(to + 80), "r"(low), "r"(high) : "memory");
  asm volatile("st.global.v4.u8 [%0], {%1, %1, %2, %2};" ::"l"(to + 60), "r"(r[2]), "r"(r[0]) : "memory");
  asm volatile("ld.global.v4.u16 {%0, %1, %2, %3}, [%4];"
               : "=h"(h[0]), "=h"(h[1]), "=h"(h[2]), "=h"(h[3])
               : "l"(from + 48));
  asm volatile("st.global.v2.u16 [%0+58], {%1, %2};" ::"l"(to - 2), "h"(h[3]), "h"(h[0]) : "memory");
  asm volatile("ld.global.s8 %0, [%2];\n  ld.global.u8 %1, [%2+1];"
               : "=l"(w[0]), "=l"(w[1])
               : "l"(from + 60));
  asm volatile("st.global.v2.u64 [%0], {%1, %2};" ::"l"(to + 64), "l"(w[0]), "l"(w[1]) : "memory");
}
