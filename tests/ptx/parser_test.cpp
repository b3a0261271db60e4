#include "harness/ptx/syntax.h"

#include <gtest/gtest.h>
