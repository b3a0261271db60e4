#include "tests/cli/background.h"

#include "harness/base/files.h"
#include "harness/base/text.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

namespace harness::test {

using namespace std::chrono_literals;

Background::Background(const ProcessSpec& spec, const std::filesystem::path& log, int out) : log_(log) {
  std::vector<char*> argv;
  for (const std::string& word : spec.argv)
    argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ != 0) return;
  int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(out >= 0 ? out : file, 1);
  dup2(file, 2);
  for (const auto& [name, value] : spec.environment)
    setenv(name.c_str(), value.c_str(), 1);
  if (chdir(spec.directory.c_str()) == 0) execv(argv[0], argv.data());
  _exit(127);
}

Background::~Background() {
  if (pid_ < 0) return;
  signal(SIGKILL);
  wait();
}

void Background::signal(int number) const {
  kill(pid_, number);
}

int Background::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string Background::output() const {
  return readFile(log_);
}

std::string waitForFile(const std::filesystem::path& file) {
  for (int i = 0; i < 3000; ++i) {
    std::error_code ec;
    if (std::filesystem::file_size(file, ec) > 0 && !ec) break;
    std::this_thread::sleep_for(10ms);
  }
  return readFile(file);
}

bool isRunning(const std::string& text) {
  auto process = std::filesystem::path("/proc") / std::string(trim(text)) / "stat";
  for (int i = 0; i < 200; ++i) {
    std::ifstream in(process);
    std::string stat((std::istreambuf_iterator<char>(in)), {});
    // A zombie waits for whoever inherited it: it does not run.
    if (stat.empty() || stat.find(") Z ") != std::string::npos) return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

} // namespace harness::test
