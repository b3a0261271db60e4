// The product and the sum leave their rounding open: ptxas may round once or twice.
extern "C" __global__ void multiply_add(const float* x, const float* y, const float* z, float* out) {
  unsigned i = threadIdx.x;
  float product, sum;
  asm("mul.f32 %0, %1, %2;" : "=f"(product) : "f"(x[i]), "f"(y[i]));
  asm("add.f32 %0, %1, %2;" : "=f"(sum) : "f"(product), "f"(z[i]));
  out[i] = sum;
}
