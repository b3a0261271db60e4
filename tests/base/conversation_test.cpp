#include "harness/base/conversation.h"
#include "harness/base/error.h"

#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <thread>

namespace harness {
namespace {

using Io = Conversation::Io;
using std::chrono::milliseconds;

ProcessSpec shell(const std::string& script) {
  ProcessSpec spec;
  spec.argv = {"sh", "-c", script};
  spec.limits.memoryBytes = 0;
  return spec;
}

Conversation::Clock::time_point in(int ms) {
  return Conversation::Clock::now() + milliseconds(ms);
}

TEST(ConversationTest, AsksAndHearsManyTimes) {
  Conversation cat(shell("cat"));
  for (const std::string word : {"one", "two"}) {
    EXPECT_EQ(cat.send(word, in(10'000)), Io::Done);
    std::string answer(3, ' ');
    EXPECT_EQ(cat.receive(answer.data(), answer.size(), in(10'000)), Io::Done);
    EXPECT_EQ(answer, word);
  }
  EXPECT_TRUE(cat.end(milliseconds(10'000)).ok());
}

TEST(ConversationTest, LargeMessagesPass) {
  // More than any pipe holds, one way after the other.
  std::string large(4 << 20, 'x');
  Conversation program(shell("head -c 4194304 >/dev/null; head -c 4194304 /dev/zero | tr '\\0' y"));
  EXPECT_EQ(program.send(large, in(30'000)), Io::Done);
  std::string answer(4 << 20, ' ');
  EXPECT_EQ(program.receive(answer.data(), answer.size(), in(30'000)), Io::Done);
  EXPECT_EQ(answer, std::string(4 << 20, 'y'));
}

TEST(ConversationTest, AProgramThatDoesNotAnswerTimesOut) {
  Conversation program(shell("sleep 60"));
  char byte = 0;
  auto start = Conversation::Clock::now();
  EXPECT_EQ(program.receive(&byte, 1, in(200)), Io::TimedOut);
  EXPECT_EQ(program.end(milliseconds(0)).end, ProcessEnd::TimedOut);
  EXPECT_LT(Conversation::Clock::now() - start, std::chrono::seconds(30));
}

TEST(ConversationTest, AProgramThatEndsIsNoticedAndSaysWhy) {
  Conversation program(shell("echo a sad story >&2; exit 7"));
  char byte = 0;
  EXPECT_EQ(program.receive(&byte, 1, in(10'000)), Io::Ended);
  ProcessResult result = program.end(milliseconds(10'000));
  EXPECT_EQ(result.end, ProcessEnd::Exited);
  EXPECT_EQ(result.exitCode, 7);
  EXPECT_EQ(result.err, "a sad story\n");
}

TEST(ConversationTest, WhatItPrintsBesidesDoesNotBlockIt) {
  ProcessSpec spec = shell("yes | head -c 1000000 >&2; echo done");
  spec.limits.outputBytes = 1000;
  Conversation program(spec);
  std::string answer(5, ' ');
  EXPECT_EQ(program.receive(answer.data(), answer.size(), in(30'000)), Io::Done);
  EXPECT_EQ(answer, "done\n");
  EXPECT_EQ(program.end(milliseconds(10'000)).err.size(), 1000u) << "the rest is dropped";
}

TEST(ConversationTest, ASignalIsTold) {
  Conversation program(shell("kill -SEGV $$"));
  char byte = 0;
  EXPECT_EQ(program.receive(&byte, 1, in(10'000)), Io::Ended);
  ProcessResult result = program.end(milliseconds(10'000));
  EXPECT_EQ(result.end, ProcessEnd::Signalled);
  EXPECT_EQ(result.signal, SIGSEGV);
}

TEST(ConversationTest, OutlivesTheThreadThatBeganIt) {
  std::unique_ptr<Conversation> cat;
  std::thread([&] { cat = std::make_unique<Conversation>(shell("cat")); }).join();
  std::string answer(2, ' ');
  EXPECT_EQ(cat->send("hi", in(10'000)), Io::Done);
  EXPECT_EQ(cat->receive(answer.data(), answer.size(), in(10'000)), Io::Done);
  EXPECT_EQ(answer, "hi");
}

TEST(ConversationTest, AProgramThatIsNotThere) {
  ProcessSpec spec;
  spec.argv = {"/nowhere/program"};
  EXPECT_THROW(Conversation conversation(spec), Error);
}

} // namespace
} // namespace harness
