#include "harness/base/subprocess.h"

#include "harness/base/error.h"
#include "harness/base/hash.h"

#include <fcntl.h>
#include <llvm/Support/Program.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

extern char** environ;

namespace harness {

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> interruptFlag = false;

class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { close(); }
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

private:
  int fd_ = -1;
};

struct Pipe {
  FileDescriptor read, write;
  Pipe() {
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) failEnvironment("cannot make a pipe: {0}", std::strerror(errno));
    read = FileDescriptor(fds[0]);
    write = FileDescriptor(fds[1]);
  }
};

std::map<std::string, std::uint64_t> startCounts;
std::mutex startMutex;

void countStart(const std::string& program) {
  std::lock_guard lock(startMutex);
  ++startCounts[std::filesystem::path(program).filename().string()];
}

/// The environment of the child as "NAME=value" words.
std::vector<std::string> childEnvironment(const ProcessSpec& spec) {
  std::vector<std::string> words;
  for (char** entry = environ; *entry; ++entry) {
    std::string_view word = *entry;
    bool replaced = false;
    for (const auto& [name, value] : spec.environment)
      replaced |= word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=';
    if (!replaced) words.emplace_back(word);
  }
  for (const auto& [name, value] : spec.environment)
    words.push_back(name + "=" + value);
  return words;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words)
    list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

void setLimit(int resource, std::uint64_t value, std::uint64_t grace = 0) {
  rlimit limit{value, value + grace};
  setrlimit(resource, &limit);
}

/// Everything the child needs, prepared before fork so that it only makes async-signal-safe calls.
struct ChildPlan {
  char* const* argv;
  char* const* envp;
  const char* directory;
  int in, out, err, report;
  ProcessLimits limits;
  pid_t parent;
};

[[noreturn]] void runChild(const ChildPlan& plan) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);
  for (int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP})
    std::signal(signal, SIG_DFL);
  dup2(plan.in, 0);
  dup2(plan.out, 1);
  dup2(plan.err, 2);
  setLimit(RLIMIT_CORE, 0);
  if (plan.limits.cpu.count() > 0)
    setLimit(RLIMIT_CPU, static_cast<std::uint64_t>(plan.limits.cpu.count()), 5);
  if (plan.limits.memoryBytes) setLimit(RLIMIT_AS, plan.limits.memoryBytes);
  if (plan.limits.fileBytes) setLimit(RLIMIT_FSIZE, plan.limits.fileBytes);
  if (!plan.directory || chdir(plan.directory) == 0) execvpe(plan.argv[0], plan.argv, plan.envp);
  int error = errno;
  (void)!write(plan.report, &error, sizeof error);
  _exit(127);
}

/// The errno of a failed exec, or 0: the report pipe closes by itself when exec succeeds.
int readExecError(int fd) {
  int error = 0;
  ssize_t n = 0;
  do
    n = read(fd, &error, sizeof error);
  while (n < 0 && errno == EINTR);
  return n == sizeof error ? error : 0;
}

/// Moves data between us and the child until both outputs are closed or a limit is met.
class Pump {
public:
  Pump(const ProcessSpec& spec, ProcessResult& result, FileDescriptor in, FileDescriptor out,
       FileDescriptor err)
      : spec_(spec), result_(result), in_(std::move(in)), out_(std::move(out)), err_(std::move(err)) {
    if (spec.input.empty()) in_.close();
    for (int fd : {in_.get(), out_.get(), err_.get()})
      if (fd >= 0) fcntl(fd, F_SETFL, O_NONBLOCK);
  }

  /// Exited when both outputs are closed; otherwise the limit that was met.
  ProcessEnd run(Clock::time_point deadline) {
    while (out_.get() >= 0 || err_.get() >= 0) {
      if (interruptFlag) return ProcessEnd::Interrupted;
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
  if (spec.argv.empty()) throw Error(ErrorKind::Internal, "runProcess without a program");
  throwIfInterrupted();
  ProcessResult result;
  Clock::time_point start = Clock::now();
  Clock::time_point deadline = start + spec.limits.wall;

  Pipe in, out, err, report;
  std::vector<std::string> argvWords = spec.argv;
  std::vector<std::string> envWords = childEnvironment(spec);
  std::vector<char*> argv = pointers(argvWords);
  std::vector<char*> envp = pointers(envWords);
  FileDescriptor null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  ChildPlan plan{argv.data(),
                 envp.data(),
                 spec.directory.empty() ? nullptr : spec.directory.c_str(),
                 spec.input.empty() ? null.get() : in.read.get(),
                 out.write.get(),
                 err.write.get(),
                 report.write.get(),
                 spec.limits,
                 getpid()};
  countStart(spec.argv[0]);
  pid_t pid = fork();
  if (pid < 0) failEnvironment("cannot start '{0}': {1}", spec.argv[0], std::strerror(errno));
  if (pid == 0) runChild(plan);
  setpgid(pid, pid);
  in.read.close();
  out.write.close();
  err.write.close();
  report.write.close();
  if (int error = readExecError(report.read.get())) {
    waitpid(pid, nullptr, 0);
    failEnvironment("cannot start '{0}': {1}", spec.argv[0], std::strerror(error));
  }

  Pump pump(spec, result, std::move(in.write), std::move(out.read), std::move(err.read));
  result.end = pump.run(deadline);
  int status = 0;
  bool ended = result.end == ProcessEnd::Exited && waitUntil(pid, status, deadline);
  if (result.end == ProcessEnd::Exited && !ended)
    result.end = interruptFlag ? ProcessEnd::Interrupted : ProcessEnd::TimedOut;
  kill(-pid, SIGKILL);
  if (!ended) {
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
  } else if (WIFSIGNALED(status)) {
    result.signal = WTERMSIG(status);
    result.end = result.signal == SIGXCPU ? ProcessEnd::TimedOut : ProcessEnd::Signalled;
  } else {
    result.exitCode = WEXITSTATUS(status);
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

std::uint64_t processesStarted(const std::string& name) {
  std::lock_guard lock(startMutex);
  auto found = startCounts.find(name);
  return found == startCounts.end() ? 0 : found->second;
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
