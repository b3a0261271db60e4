// Every output is named in the asm; the array must hold what the four loads left in each place.
extern "C" __global__ void ldmatrixScatter(const unsigned short* in, unsigned* out) {
  __shared__ __align__(16) unsigned short tile[1024];
  int t = threadIdx.x;
  for (int i = t; i < 1024; i += 32)
    tile[i] = in[i];
  __syncwarp();
  unsigned reg[32], base = static_cast<unsigned>(__cvta_generic_to_shared(tile)), x, y, z;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    // Lane t gives row t % 8 of matrix t / 8; rows of 8 halves lie 64 bytes apart, rotated by i.
    unsigned row = base + static_cast<unsigned>(t) * 64 + static_cast<unsigned>((t + i) % 4) * 16;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(reg[i]), "=r"(reg[i + 8]), "=r"(reg[i + 16]), "=r"(reg[i + 24])
                 : "r"(row)
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(reg[i + 4]), "=r"(reg[i + 12]), "=r"(reg[i + 20]), "=r"(reg[i + 28])
                 : "r"(row)
                 : "memory");
  }
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(x), "=r"(y)
               : "r"(base + static_cast<unsigned>(t) * 32)
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(z)
               : "r"(base + (31u - t) * 16)
               : "memory");
#pragma unroll
  for (int i = 0; i < 32; ++i)
    out[t * 40 + i] = reg[i];
  for (int i = 32; i < 40; ++i)
    out[t * 40 + i] = i == 32 ? x : i == 33 ? y : i == 34 ? z : 0;
}
