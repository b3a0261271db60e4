#include "harness/gpu/worker.h"

#include "harness/base/error.h"
#include "harness/base/text.h"

#include <algorithm>

namespace harness::gpu {

namespace {

constexpr std::chrono::seconds kGrace{5}; ///< for a process to end after its last reply

template <typename T> void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The request without `launch.memory`, which is large, in two parts around it.
std::pair<std::string, std::string> requestOf(const DeviceLaunch& launch) {
  LaunchRequest header;
  header.cubinBytes = launch.cubin.size();
  header.nameBytes = launch.kernel.size();
  header.memoryBytes = launch.memory.size();
  std::copy(launch.launch.grid.begin(), launch.launch.grid.end(), header.grid);
  std::copy(launch.launch.block.begin(), launch.launch.block.end(), header.block);
  header.dynamicShared = launch.launch.dynamicShared;
  header.arguments = static_cast<std::uint32_t>(launch.launch.args.size());
  header.pointers = launch.pointers.size();
  header.stackBytes = launch.stackBytes;
  std::string before, after;
  append(before, header);
  before += launch.cubin;
  before += launch.kernel;
  for (const std::vector<std::byte>& value : launch.launch.args) {
    append(after, std::uint64_t{value.size()});
    after.append(reinterpret_cast<const char*>(value.data()), value.size());
  }
  for (const DevicePointer& pointer : launch.pointers)
    append(after, pointer);
  return {std::move(before), std::move(after)};
}

std::string firstLine(const std::string& text) {
  return split(trim(text), '\n').front().substr(0, 500);
}

} // namespace

DeviceReply Worker::open() {
  ProcessSpec spec;
  spec.argv = {programOf(options_).string(), "run", std::to_string(device_.index)};
  spec.limits.memoryBytes = 0; // a driver reserves more address space than any limit
  spec.limits.cpu = std::chrono::seconds(0);
  spec.limits.outputBytes = 1 << 16;
  process_ = std::make_unique<Conversation>(spec);
  launches_ = 0;
  ++processes_;
  return listen(0, Conversation::Clock::now() + options_.open);
}

/// The process is of no use any more.
DeviceReply Worker::giveUp(DeviceReply::End end, Step step) {
  DeviceReply reply;
  reply.end = end;
  reply.step = step;
  bool died = end == DeviceReply::End::Died;
  ProcessResult result = process_->end(died ? kGrace : std::chrono::seconds(0));
  process_.reset();
  if (died) {
    std::string said(trim(result.err));
    reply.message = "harness-gpu " + result.describe() + (said.empty() ? "" : ": " + firstLine(said));
  }
  return reply;
}

/// Hears the steps of what was asked for, and the reply.
DeviceReply Worker::listen(std::uint64_t memoryBytes, Conversation::Clock::time_point deadline) {
  using Io = Conversation::Io;
  auto endOf = [](Io io) { return io == Io::TimedOut ? DeviceReply::End::TimedOut : DeviceReply::End::Died; };
  std::uint8_t byte = 0;
  Step step = Step::Open;
  for (;;) {
    if (Io io = process_->receive(&byte, 1, deadline); io != Io::Done) return giveUp(endOf(io), step);
    if (byte == kReplyFollows) break;
    if (byte > static_cast<std::uint8_t>(Step::Free)) return giveUp(DeviceReply::End::Died, step);
    step = static_cast<Step>(byte);
  }
  LaunchReply answer;
  if (Io io = process_->receive(&answer, sizeof answer, deadline); io != Io::Done)
    return giveUp(endOf(io), step);
  if (answer.magic != kGpuMagic || answer.step > static_cast<std::uint8_t>(Step::Free))
    return giveUp(DeviceReply::End::Died, step);
  DeviceReply reply;
  if (answer.result == 0) {
    reply.memory.resize(memoryBytes);
    if (Io io = process_->receive(reply.memory.data(), memoryBytes, deadline); io != Io::Done)
      return giveUp(endOf(io), step);
    return reply;
  }
  reply.end = DeviceReply::End::Failed;
  reply.step = static_cast<Step>(answer.step);
  reply.result = answer.result;
  answer.call[sizeof answer.call - 1] = answer.error[sizeof answer.error - 1] = '\0';
  reply.message = std::string(answer.call) + ": " + answer.error;
  if (answer.last) giveUp(DeviceReply::End::Died, reply.step);
  return reply;
}

DeviceReply Worker::launch(const DeviceLaunch& launch) {
  if (process_ && launches_ >= options_.batch) giveUp(DeviceReply::End::Died, Step::Free);
  if (!process_)
    if (DeviceReply opened = open(); opened.end != DeviceReply::End::Done) {
      process_.reset();
      return opened;
    }
  ++launches_;
  auto deadline = Conversation::Clock::now() + options_.launch;
  auto [before, after] = requestOf(launch);
  for (std::string_view part :
       {std::string_view(before), std::string_view(launch.memory), std::string_view(after)})
    if (auto io = process_->send(part, deadline); io == Conversation::Io::TimedOut)
      return giveUp(DeviceReply::End::TimedOut, Step::Load);
    else if (io == Conversation::Io::Ended)
      break; // its reply, if it made one, or how it ended tells more
  return listen(launch.memory.size(), deadline);
}

} // namespace harness::gpu
