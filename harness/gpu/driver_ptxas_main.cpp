// harness-driver-ptxas: the compiler in the driver, called as ptxas is (assemble.h).

#include "harness/gpu/assemble.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  using namespace harness::gpu;
  setenv("CUDA_CACHE_DISABLE", "1", 1); // what comes out is of this call, and nothing of it stays
  char error[512] = {};
  const Driver* driver = loadDriver(error, sizeof error);
  if (!driver) std::fprintf(stderr, "%s%s\n", kCannotCompile, error);
  int code = driver ? assemble(*driver, {argv + 1, argv + argc}) : 3;
  std::fflush(nullptr);
  _exit(code); // a driver may hang when it is unloaded
}
