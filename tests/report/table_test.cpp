#include "harness/report/table.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(Table, AlignsAndEndsNoLineWithSpaces) {
  Table table({"case", "verdict", "note"});
  table.add({"halfstore", "mismatch", ""});
  table.add({"x", "pass", "fine"});
  EXPECT_EQ(table.render({}), "case       verdict   note\n"
                              "halfstore  mismatch\n"
                              "x          pass      fine\n");
}

TEST(Table, CountsColumnsNotBytes) {
  Table table;
  table.add({"pass → mismatch", "a"});
  table.add({"pass", "b"});
  EXPECT_EQ(table.render({false, 0, 2}), "  pass → mismatch  a\n"
                                         "  pass             b\n");
}

TEST(Table, WrapsTheLastColumnAtSpaces) {
  Table table;
  table.add({"key", "eight of them wrong, and the first one is this"});
  EXPECT_EQ(table.render({false, 30, 0}), "key  eight of them wrong, and\n"
                                          "     the first one is this\n");
  EXPECT_EQ(table.render({false, 10, 0}), "key  eight of them wrong, and the first one is this\n")
      << "too narrow to wrap";
}

TEST(Table, ColourChangesNoWidth) {
  Table table({"a", "b"});
  table.add({{"x", Color::Red}, "y"});
  EXPECT_EQ(table.render({true, 0, 0}), "\x1b[1ma\x1b[0m  \x1b[1mb\x1b[0m\n\x1b[1;31mx\x1b[0m  y\n");
}

TEST(Table, WhatATerminalWouldObeyIsMadeHarmless) {
  EXPECT_EQ(printable("a\x1b[2Jb\nc\td\x7f"), "a?[2Jb c d?");
  EXPECT_EQ(printable("\xff\xc3(\xe2\x82"), "?"
                                            "?(?"
                                            "?");
  EXPECT_EQ(printable("\xc2\x9b"
                      "x"),
            "?x")
      << "a control character in two bytes";
  EXPECT_EQ(printable("µ → …"), "µ → …");
  EXPECT_EQ(displayWidth("µ → …"), 5u);
}

} // namespace
} // namespace harness
