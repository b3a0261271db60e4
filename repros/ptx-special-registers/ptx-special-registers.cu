// The lane masks, the sizes of the launch, and, from sm_90 on, the cluster of one block.
#define READ(name)                                                                                           \
  [] {                                                                                                       \
    unsigned v;                                                                                              \
    asm volatile("mov.u32 %0, %%" name ";" : "=r"(v));                                                       \
    return v;                                                                                                \
  }()

extern "C" __global__ void ptxSpecialRegisters(unsigned* out) {
  extern __shared__ unsigned dynamic[];
  unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  unsigned* o = out + (blockIdx.x * blockDim.x * blockDim.y + thread) * 10;
  dynamic[thread] = thread;
  __syncthreads();
  o[0] = READ("lanemask_eq");
  o[1] = READ("lanemask_le");
  o[2] = READ("lanemask_gt");
  o[3] = READ("dynamic_smem_size") + dynamic[thread ^ 1];
  o[4] = READ("ntid.x") * READ("ntid.y") * READ("ntid.z");
  o[5] = READ("nctaid.x") * 100 + READ("nctaid.y") * 10 + READ("nctaid.z");
  unsigned short x, y;
  asm volatile(
      "{ .reg .u32 a, b; mov.u32 a, %%tid.x; mov.u32 b, %%tid.y; cvt.u16.u32 %0, a; cvt.u16.u32 %1, b; }"
      : "=h"(x), "=h"(y));
  o[6] = x | y << 16;
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
  o[7] = READ("cluster_nctaid.x") + READ("cluster_ctaid.x") * 16 + READ("cluster_ctarank") * 256;
  o[8] = READ("nclusterid.x") * 16 + READ("clusterid.x");
  o[9] = READ("cluster_nctarank");
#else
  o[7] = o[9] = 1;
  o[8] = gridDim.x * 16 + blockIdx.x;
#endif
}
