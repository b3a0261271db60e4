// A libnvrtc for tests: it "compiles" by printing what it was given. The source decides how it behaves.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct Program {
  std::string source, name, log, ptx;
  std::vector<std::string> expressions, lowered;
};

namespace {
int give(const std::string& text, char* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return 0;
}
int giveSize(const std::string& text, std::size_t* size) {
  *size = text.size() + 1;
  return 0;
}
} // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
  *major = 12;
  *minor = 9;
  return 0;
}

const char* nvrtcGetErrorString(int result) {
  switch (result) {
  case 5: return "NVRTC_ERROR_INVALID_OPTION";
  case 6: return "NVRTC_ERROR_COMPILATION";
  case 11: return "NVRTC_ERROR_INTERNAL_ERROR";
  default: return "NVRTC_ERROR";
  }
}

int nvrtcCreateProgram(Program** program, const char* source, const char* name, int, const char* const*,
                       const char* const*) {
  *program = new Program{source, name, "", "", {}, {}};
  return 0;
}

int nvrtcDestroyProgram(Program** program) {
  delete *program;
  *program = nullptr;
  return 0;
}

int nvrtcAddNameExpression(Program* program, const char* expression) {
  program->expressions.emplace_back(expression);
  return 0;
}

int nvrtcCompileProgram(Program* program, int count, const char* const* options) {
  auto has = [&](const char* word) { return program->source.find(word) != std::string::npos; };
  if (has("CRASH")) std::abort();
  if (has("INTERNAL")) return 11;
  for (int i = 0; i < count; ++i) {
    if (std::strcmp(options[i], "-arch=compute_99") == 0) {
      program->log = "nvrtc: error: invalid value for --gpu-architecture (-arch)\n";
      return 5;
    }
    program->ptx += std::string(options[i]) + "\n";
  }
  if (has("BAD")) {
    program->log = program->name + "(1): error: identifier \"BAD\" is undefined\n";
    return 6;
  }
  for (const std::string& expression : program->expressions)
    program->lowered.push_back("_Z" + expression);
  program->ptx += program->name + "\n" + program->source;
  return 0;
}

int nvrtcGetProgramLogSize(Program* program, std::size_t* size) {
  return giveSize(program->log, size);
}
int nvrtcGetProgramLog(Program* program, char* log) {
  return give(program->log, log);
}
int nvrtcGetPTXSize(Program* program, std::size_t* size) {
  return giveSize(program->ptx, size);
}
int nvrtcGetPTX(Program* program, char* ptx) {
  return give(program->ptx, ptx);
}

int nvrtcGetLoweredName(Program* program, const char* expression, const char** lowered) {
  for (std::size_t i = 0; i < program->expressions.size(); ++i) {
    if (program->expressions[i] != expression) continue;
    *lowered = program->lowered[i].c_str();
    return 0;
  }
  return 1;
}
}
