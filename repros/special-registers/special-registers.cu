// Every index register, and the lane masks, which depend on how threads are numbered along x, y, z.
__device__ unsigned laneId() {
  unsigned v;
  asm("mov.u32 %0, %%laneid;" : "=r"(v));
  return v;
}

__device__ unsigned below() {
  unsigned v;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(v));
  return v;
}

__device__ unsigned notBelow() {
  unsigned v;
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(v));
  return v;
}

extern "C" __global__ void specialRegisters(unsigned* out) {
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned* row = out + (block * (blockDim.x * blockDim.y * blockDim.z) + thread) * 6;
  row[0] = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16;
  row[1] = blockIdx.x | blockIdx.y << 8 | blockIdx.z << 16;
  row[2] =
      gridDim.x | gridDim.y << 4 | gridDim.z << 8 | blockDim.x << 12 | blockDim.y << 16 | blockDim.z << 20;
  row[3] = laneId();
  row[4] = below();
  row[5] = notBelow() ^ warpSize;
}
