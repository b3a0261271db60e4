// harness-driver-ptxas: the compiler in the driver, called as ptxas is (assemble.h).

#include "harness/gpu/assemble.h"

#include <unistd.h>

#include <cstdio>

int main(int argc, char** argv) {
  using namespace harness::gpu;
  char error[512] = {};
  const Driver* driver = loadDriver(error, sizeof error);
  if (!driver) std::fprintf(stderr, "%s\n", error);
  int code = driver ? assemble(*driver, {argv + 1, argv + argc}) : 3;
  std::fflush(nullptr);
  _exit(code); // a driver may hang when it is unloaded
}
