// What a loader must relocate when ptxas compiles for debugging: a call of another section with its return
// address, addresses of variables, of functions in a table, of an undefined function, a pointer in a
// structure without padding, a pointer to a constant.
#include <cstdio>

__device__ int base[4] = {10, 20, 30, 40};
__device__ int counter;
__constant__ int weight[2] = {3, 5};
__device__ const int* middle = &base[2];
__device__ const int* fixed = &weight[1];

struct __attribute__((packed)) Entry {
  char tag;
  int (*call)(int);
};

__device__ __noinline__ int twice(int x) {
  return 2 * x + base[x & 3];
}
__device__ Entry entry = {7, twice};

extern "C" __global__ void calls(int* out, int n) {
  if (n < 0) printf("negative\n"); // calls vprintf, which the driver has
  out[0] = twice(n) + entry.call(n) + *middle + *fixed + weight[n & 1];
  counter = n;
}
