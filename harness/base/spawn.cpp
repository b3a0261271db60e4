#include "harness/base/spawn.h"

#include "harness/base/error.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <mutex>

extern char** environ;

namespace harness {

namespace {

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

/// Everything the child needs, prepared before vfork so that it only makes async-signal-safe calls and
/// changes nothing in the memory it shares with us.
struct ChildPlan {
  char* const* argv;
  char* const* envp;
  const char* directory;
  int in, out, err, report;
  ProcessLimits limits;
  pid_t parent;
  bool endsWithThread;
};

[[noreturn]] void runChild(const ChildPlan& plan) {
  setpgid(0, 0);
  if (plan.endsWithThread) prctl(PR_SET_PDEATHSIG, SIGKILL);
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

} // namespace

SpawnedProcess spawn(const ProcessSpec& spec, const SpawnOptions& options) {
  if (spec.argv.empty()) throw Error(ErrorKind::Internal, "a process without a program");
  Pipe in, out, err, report;
  std::vector<std::string> argvWords = spec.argv;
  std::vector<std::string> envWords = childEnvironment(spec);
  std::vector<char*> argv = pointers(argvWords);
  std::vector<char*> envp = pointers(envWords);
  FileDescriptor null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  ChildPlan plan{argv.data(),
                 envp.data(),
                 spec.directory.empty() ? nullptr : spec.directory.c_str(),
                 options.input ? in.read.get() : null.get(),
                 out.write.get(),
                 err.write.get(),
                 report.write.get(),
                 spec.limits,
                 getpid(),
                 options.endsWithThread};
  countStart(spec.argv[0]);
  // Not fork: a copy of our page tables for each of a quarter million compilations cost a fifth of a run.
  pid_t pid = vfork();
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
  if (!options.input) in.write.close();
  return {pid, std::move(in.write), std::move(out.read), std::move(err.read)};
}

int waitFor(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

void setEnd(ProcessResult& result, int status) {
  result.end = WIFSIGNALED(status) ? ProcessEnd::Signalled : ProcessEnd::Exited;
  if (result.end == ProcessEnd::Signalled)
    result.signal = WTERMSIG(status);
  else
    result.exitCode = WEXITSTATUS(status);
}

std::uint64_t processesStarted(const std::string& name) {
  std::lock_guard lock(startMutex);
  auto found = startCounts.find(name);
  return found == startCounts.end() ? 0 : found->second;
}

} // namespace harness
