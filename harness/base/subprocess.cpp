#include "harness/base/subprocess.h"

#include "harness/base/error.h"
#include "harness/base/hash.h"
#include "harness/base/spawn.h"

#include <fcntl.h>
#include <llvm/Support/Program.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>

namespace harness {

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> interruptFlag = false;

/// How long the outputs of a child that has ended may stay open: a process that it left behind holds them.
constexpr std::chrono::milliseconds kGrace{300};

bool hasEnded(pid_t pid) {
  siginfo_t info = {};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/// Moves data between us and the child until both outputs are closed, the child has ended, or a limit is met.
class Pump {
public:
  Pump(const ProcessSpec& spec, ProcessResult& result, FileDescriptor in, FileDescriptor out,
       FileDescriptor err)
      : spec_(spec), result_(result), in_(std::move(in)), out_(std::move(out)), err_(std::move(err)) {
    for (int fd : {in_.get(), out_.get(), err_.get()})
      if (fd >= 0) fcntl(fd, F_SETFL, O_NONBLOCK);
  }

  /// Exited when both outputs are closed or `pid` has ended; otherwise the limit that was met.
  ProcessEnd run(pid_t pid, Clock::time_point deadline) {
    std::optional<Clock::time_point> ended;
    while (out_.get() >= 0 || err_.get() >= 0) {
      if (interruptFlag) return ProcessEnd::Interrupted;
      if (!ended && hasEnded(pid)) ended = Clock::now();
      if (ended && Clock::now() >= *ended + kGrace) break;
      auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return ProcessEnd::TimedOut;
      pollfd fds[3] = {{out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}, {in_.get(), POLLOUT, 0}};
      if (poll(fds, 3, static_cast<int>(std::min<long>(left, 100))) < 0 && errno != EINTR) break;
      if (fds[0].revents) drain(out_, result_.out);
      if (fds[1].revents) drain(err_, result_.err);
      if (fds[2].revents) feed();
      if (result_.out.size() + result_.err.size() > spec_.limits.outputBytes)
        return ProcessEnd::TooMuchOutput;
    }
    return ProcessEnd::Exited;
  }

private:
  void drain(FileDescriptor& fd, std::string& into) {
    char chunk[1 << 16];
    ssize_t n = read(fd.get(), chunk, sizeof chunk);
    if (n > 0)
      into.append(chunk, static_cast<std::size_t>(n));
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
      fd.close();
  }

  void feed() {
    ssize_t n = write(in_.get(), spec_.input.data() + fed_, spec_.input.size() - fed_);
    if (n > 0)
      fed_ += static_cast<std::size_t>(n);
    else if (n < 0 && errno != EAGAIN && errno != EINTR)
      in_.close();
    if (fed_ == spec_.input.size()) in_.close();
  }

  const ProcessSpec& spec_;
  ProcessResult& result_;
  FileDescriptor in_, out_, err_;
  std::size_t fed_ = 0;
};

/// Waits for `pid` until `deadline`; false if it still runs (it closed its outputs but did not end).
bool waitUntil(pid_t pid, int& status, Clock::time_point deadline) {
  for (;;) {
    pid_t done = waitpid(pid, &status, WNOHANG);
    if (done == pid || (done < 0 && errno != EINTR)) return true;
    if (Clock::now() >= deadline || interruptFlag) return false;
    usleep(500);
  }
}

} // namespace

std::string ProcessResult::describe() const {
  switch (end) {
  case ProcessEnd::Exited: return llvm::formatv("exited with {0}", exitCode).str();
  case ProcessEnd::Signalled:
    return llvm::formatv("killed by signal {0} ({1})", signal, strsignal(signal)).str();
  case ProcessEnd::TimedOut: return llvm::formatv("timed out after {0:f1} s", seconds).str();
  case ProcessEnd::TooMuchOutput: return "printed more than its limit and was killed";
  case ProcessEnd::Interrupted: return "interrupted";
  }
  return "ended";
}

ProcessResult runProcess(const ProcessSpec& spec) {
  throwIfInterrupted();
  ProcessResult result;
  Clock::time_point start = Clock::now();
  Clock::time_point deadline = start + spec.limits.wall;

  SpawnedProcess process = spawn(spec, {!spec.input.empty()});
  pid_t pid = process.pid;
  Pump pump(spec, result, std::move(process.in), std::move(process.out), std::move(process.err));
  result.end = pump.run(pid, deadline);
  int status = 0;
  bool ended = result.end == ProcessEnd::Exited && waitUntil(pid, status, deadline);
  if (result.end == ProcessEnd::Exited && !ended)
    result.end = interruptFlag ? ProcessEnd::Interrupted : ProcessEnd::TimedOut;
  kill(-pid, SIGKILL);
  if (ended) {
    setEnd(result, status);
    if (result.signal == SIGXCPU) result.end = ProcessEnd::TimedOut;
  } else {
    waitFor(pid);
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

std::string programSha256(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  std::lock_guard lock(mutex);
  std::string& hash = known[name];
  if (hash.empty()) {
    auto found = llvm::sys::findProgramByName(name);
    std::error_code ec;
    std::filesystem::path path = found ? std::filesystem::canonical(*found, ec) : std::filesystem::path();
    if (path.empty() || ec) failEnvironment("there is no program '{0}'", name);
    hash = sha256File(path);
  }
  return hash;
}

void installInterruptHandler() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) {
    if (interruptFlag.exchange(true)) {
      std::signal(signal, SIG_DFL);
      raise(signal);
    }
  };
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() {
  return interruptFlag;
}

void throwIfInterrupted() {
  if (interruptFlag) throw Error(ErrorKind::Interrupted, "interrupted");
}

} // namespace harness
