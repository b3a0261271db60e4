// The absolute value of an integer, clamped from zero to a bound that may be below zero.
extern "C" __global__ void clamp_abs(const int* x, const int* bound, int* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int distance = abs(x[i]), b = bound[i];
  out[i * 4] = max(min(distance, b), 0);
  out[i * 4 + 1] = max(min(distance, 100), 0);
  out[i * 4 + 2] = max(max(x[i], b), 0);
  out[i * 4 + 3] = max(min(abs(x[i] >> 1), b), 0);
}
