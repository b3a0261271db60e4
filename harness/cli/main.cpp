#include "harness/cli/app.h"

int main(int argc, char** argv) {
  return static_cast<int>(harness::cli::runApp(argc, argv));
}
