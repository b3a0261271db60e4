#include "harness/base/conversation.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace harness {

Conversation::Conversation(const ProcessSpec& spec)
    : process_(spawn(spec, {.input = true, .endsWithThread = false})), errorBytes_(spec.limits.outputBytes) {
  for (int fd : {process_.in.get(), process_.out.get(), process_.err.get()})
    fcntl(fd, F_SETFL, O_NONBLOCK);
}

Conversation::~Conversation() {
  if (process_.pid < 0) return;
  kill(-process_.pid, SIGKILL);
  waitFor(process_.pid);
}

/// Until `event` is there on `fd`. What the program prints is read meanwhile, so that it never waits for us.
Conversation::Io Conversation::wait(int fd, short event, Clock::time_point deadline) {
  for (;;) {
    throwIfInterrupted();
    auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return Io::TimedOut;
    pollfd fds[2] = {{fd, event, 0}, {process_.err.get(), POLLIN, 0}};
    if (poll(fds, 2, static_cast<int>(std::min<long>(left, 100))) < 0 && errno != EINTR) return Io::Ended;
    if (fds[1].revents) drainErrors();
    if (fds[0].revents) return Io::Done;
  }
}

void Conversation::drainErrors() {
  char chunk[1 << 14];
  ssize_t n = read(process_.err.get(), chunk, sizeof chunk);
  if (n > 0)
    errors_.append(chunk, std::min(static_cast<std::size_t>(n), errorBytes_ - errors_.size()));
  else if (n == 0 || (errno != EAGAIN && errno != EINTR))
    process_.err.close();
}

Conversation::Io Conversation::send(std::string_view bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    if (Io io = wait(process_.in.get(), POLLOUT, deadline); io != Io::Done) return io;
    ssize_t n = write(process_.in.get(), bytes.data(), bytes.size());
    if (n > 0)
      bytes.remove_prefix(static_cast<std::size_t>(n));
    else if (errno != EAGAIN && errno != EINTR)
      return Io::Ended;
  }
  return Io::Done;
}

Conversation::Io Conversation::receive(void* into, std::size_t size, Clock::time_point deadline) {
  auto* at = static_cast<char*>(into);
  while (size > 0) {
    if (Io io = wait(process_.out.get(), POLLIN, deadline); io != Io::Done) return io;
    ssize_t n = read(process_.out.get(), at, size);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return Io::Ended;
    if (n < 0) continue;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return Io::Done;
}

ProcessResult Conversation::end(std::chrono::milliseconds grace) {
  process_.in.close();
  ProcessResult result;
  int status = 0;
  Clock::time_point deadline = Clock::now() + grace;
  pid_t done = 0;
  while ((done = waitpid(process_.pid, &status, WNOHANG)) == 0 && Clock::now() < deadline) {
    if (process_.err.get() >= 0) drainErrors();
    usleep(500);
  }
  kill(-process_.pid, SIGKILL);
  if (done == 0) {
    result.end = ProcessEnd::TimedOut;
    result.seconds = std::chrono::duration<double>(grace).count();
    waitFor(process_.pid);
  } else {
    setEnd(result, status);
  }
  for (std::size_t before = ~std::size_t{0}; process_.err.get() >= 0 && before != errors_.size();) {
    before = errors_.size();
    drainErrors();
  }
  process_.pid = -1;
  result.err = std::move(errors_);
  return result;
}

} // namespace harness
