#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/log.h"
#include "harness/base/text.h"
#include "harness/cli/app.h"
#include "harness/cli/asked_kernel.h"
#include "harness/report/table.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FormatVariadic.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

namespace harness::cli {

namespace {

/// One instruction of PTX that machine code has one or a few of.
struct VectorOp {
  std::string_view name;
  std::string_view in, out; ///< types of PTX
  unsigned operands;
  bool approximate; ///< the CPU knows its results to within an ulp only
};

constexpr VectorOp kOps[] = {
    {"ex2.approx.ftz.f32", "f32", "f32", 1, true},   {"lg2.approx.ftz.f32", "f32", "f32", 1, true},
    {"rcp.approx.ftz.f32", "f32", "f32", 1, true},   {"rsqrt.approx.ftz.f32", "f32", "f32", 1, true},
    {"sqrt.approx.ftz.f32", "f32", "f32", 1, true},  {"sin.approx.ftz.f32", "f32", "f32", 1, true},
    {"cos.approx.ftz.f32", "f32", "f32", 1, true},   {"tanh.approx.f32", "f32", "f32", 1, true},
    {"cvt.rni.s32.f32", "f32", "s32", 1, false},     {"cvt.rzi.u32.f32", "f32", "u32", 1, false},
    {"cvt.rzi.s64.f32", "f32", "s64", 1, false},     {"cvt.rzi.u64.f32", "f32", "u64", 1, false},
    {"cvt.rzi.ftz.s32.f32", "f32", "s32", 1, false}, {"cvt.rni.f32.f32", "f32", "f32", 1, false},
    {"cvt.rn.f16.f32", "f32", "b16", 1, false},      {"cvt.rn.bf16.f32", "f32", "b16", 1, false},
    {"cvt.f64.f32", "f32", "f64", 1, false},         {"add.rn.f32", "f32", "f32", 2, false},
    {"add.ftz.f32", "f32", "f32", 2, false},         {"mul.rn.f32", "f32", "f32", 2, false},
    {"mul.ftz.f32", "f32", "f32", 2, false},         {"min.f32", "f32", "f32", 2, false},
    {"max.ftz.f32", "f32", "f32", 2, false},         {"min.NaN.f32", "f32", "f32", 2, false},
    {"fma.rn.f32", "f32", "f32", 3, false},          {"fma.rn.ftz.f32", "f32", "f32", 3, false},
};

/// Values at which something changes: zeros, subnormals, the limits of integers, infinities, NaNs of both
/// kinds with payloads.
constexpr std::uint32_t kEdges[] = {
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f000000, 0x3f800000, 0xbf800001,
    0x3fc00000, 0x40200000, 0xc0200000, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff,
    0x4f800000, 0x5effffff, 0x5f000000, 0xdf000001, 0x5f800000, 0x477fe000, 0x477ff000, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fc12345, 0xffc00001, 0x7f812345, 0xff800001};
constexpr std::uint32_t kMantissas[] = {0x000000, 0x000001, 0x2aaaab, 0x400000, 0x5a827a, 0x7fffff};

unsigned bytesOf(std::string_view type) {
  return type.ends_with("64") ? 8 : type.ends_with("32") ? 4 : 2;
}

/// The operands of each question, one after the other.
std::vector<std::uint32_t> questionsOf(const VectorOp& op) {
  std::vector<std::uint32_t> words(std::begin(kEdges), std::end(kEdges));
  if (op.operands == 1) {
    for (std::uint32_t sign : {0u, 1u})
      for (std::uint32_t exponent = 0; exponent < 256; ++exponent)
        for (std::uint32_t mantissa : kMantissas)
          words.push_back(sign << 31 | exponent << 23 | mantissa);
    return words;
  }
  std::vector<std::uint32_t> all;
  std::size_t step = op.operands == 3 ? 2 : 1; // every other edge, or there are too many
  for (std::size_t a = 0; a < words.size(); a += step)
    for (std::size_t b = 0; b < words.size(); b += step) {
      if (op.operands == 2)
        all.insert(all.end(), {words[a], words[b]});
      else
        for (std::size_t c = step - 1; c < words.size(); c += step)
          all.insert(all.end(), {words[a], words[b], words[c]});
    }
  return all;
}

constexpr std::uint32_t kThreads = 64;
constexpr std::string_view kResults = "# results"; ///< begins the last line: how many there are

std::string ptxOf(const VectorOp& op, const std::string& arch, const std::string& version) {
  std::string loads, operands;
  for (unsigned i = 0; i < op.operands; ++i) {
    loads += llvm::formatv("  ld.global.{0} %x{1}, [%in+{2}];\n", op.in, i, i * bytesOf(op.in)).str();
    operands += llvm::formatv(", %x{0}", i).str();
  }
  return llvm::formatv(R"(.version {0}
.target {1}
.address_size 64
.visible .entry ask(.param .u64 in, .param .u64 out) {{
  .reg .u32 %thread, %block;
  .reg .{2} %x<3>;
  .reg .{3} %d;
  .reg .u64 %in, %out, %offset;
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mov.u32 %thread, %tid.x;
  mov.u32 %block, %ctaid.x;
  mad.lo.u32 %thread, %block, {4}, %thread;
  mul.wide.u32 %offset, %thread, {5};
  add.u64 %in, %in, %offset;
  mul.wide.u32 %offset, %thread, {6};
  add.u64 %out, %out, %offset;
{7}  {8} %d{9};
  st.global.{3} [%out], %d;
  ret;
}
)",
                       version, arch, op.in, op.out, kThreads, op.operands * bytesOf(op.in), bytesOf(op.out),
                       loads, op.name, operands)
      .str();
}

/// The answers to `questions`, padded to whole blocks.
std::vector<std::uint64_t> ask(const VectorOp& op, const AskedKernel& kernel, KernelRunner& runner,
                               std::vector<std::uint32_t> questions) {
  std::size_t count = questions.size() / op.operands;
  auto blocks = static_cast<std::uint32_t>((count + kThreads - 1) / kThreads);
  questions.resize(std::size_t{blocks} * kThreads * op.operands);
  std::string in(reinterpret_cast<const char*>(questions.data()), 4 * questions.size());
  std::string out =
      runner.run(kernel, in, std::size_t{blocks} * kThreads * bytesOf(op.out), blocks, kThreads);
  std::vector<std::uint64_t> answers(count);
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(&answers[i], out.data() + i * bytesOf(op.out), bytesOf(op.out));
  return answers;
}

// ---- make

struct MakeArguments {
  std::string arch, output;
};

ExitCode make(const MakeArguments& arguments, const Workspace& workspace) {
  requireWritable(arguments.output);
  gpu::Options options;
  gpu::Pool pool(gpu::findMachine(options), options);
  std::string arch = arguments.arch.empty() ? pool.machine().devices.front().arch() : arguments.arch;
  DeviceRunner runner(pool, arch);
  std::string text, toolchain;
  std::size_t lines = 0;
  for (const VectorOp& op : kOps) {
    AskedKernel kernel;
    try {
      auto ptx = [&](const std::string& version) { return ptxOf(op, arch, version); };
      kernel = makeKernel(ptx, arch, &pool.machine().driver.cuda, workspace);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Usage) throw;
      Log::warning(llvm::formatv("{0} is left out: {1}", op.name, error.what()).str());
      continue;
    }
    toolchain = kernel.toolchain;
    std::vector<std::uint32_t> questions = questionsOf(op);
    std::vector<std::uint64_t> answers = ask(op, kernel, runner, questions);
    for (std::size_t i = 0; i < answers.size(); ++i, ++lines) {
      text += op.name;
      for (unsigned operand = 0; operand < op.operands; ++operand)
        text += llvm::formatv("\t{0:x-8}", questions[i * op.operands + operand]).str();
      text += llvm::formatv("\t{0:x-}\n", answers[i]).str();
    }
  }
  std::string head = llvm::formatv("# device\t{0}\n# arch\t{1}\n# toolchain\t{2}\n",
                                   gpu::toJson(runner.device(), pool.machine().driver), arch, toolchain)
                         .str();
  if (lines == 0) failUsage("no instruction could be asked on {0}; nothing is written", arch);
  std::string end = llvm::formatv("{0}\t{1}\n", kResults, lines).str();
  writeFileAtomically(arguments.output, head + text + end);
  std::printf("wrote %zu results of %s to %s\n", lines, runner.device().name.c_str(),
              arguments.output.c_str());
  return ExitCode::Ok;
}

// ---- check

struct VectorFile {
  std::string device, arch;
  struct Entry {
    std::vector<std::uint32_t> questions;
    std::vector<std::uint64_t> answers;
  };
  std::map<std::string_view, Entry> ops; ///< by name

  static VectorFile load(const std::string& path);
};

/// Reads a file line by line, and says of what is wrong in which line it is.
class VectorReader {
public:
  explicit VectorReader(const std::string& path) : path_(path) {}

  VectorFile read() {
    std::string text = readFile(path_);
    if (text.ends_with('\n')) text.pop_back();
    if (text.empty()) failUsage("there is no result in '{0}'", path_);
    for (const std::string& line : split(text, '\n')) {
      ++number_;
      if (announced_) fail("nothing may follow the line '" + std::string(kResults) + "'");
      std::vector<std::string> fields = split(line, '\t');
      if (line.starts_with('#'))
        readHead(fields);
      else
        readResult(fields);
    }
    if (results_ == 0) failUsage("there is no result in '{0}'", path_);
    if (!announced_)
      failUsage("'{0}' is not complete: its last line would be '{1}' and the number of results; 'harness "
                "vectors make' writes it again",
                path_, kResults);
    if (file_.arch.empty())
      failUsage("'{0}' does not say which architecture it is of ('# arch' and a name)", path_);
    return std::move(file_);
  }

private:
  void readHead(const std::vector<std::string>& fields) {
    if (fields.size() != 2) return;
    if (fields[0] == "# device") file_.device = fields[1];
    if (fields[0] == "# arch") {
      if (!isArchName(fields[1]))
        fail("'" + printable(fields[1]) + "' is no architecture; one is written sm_75, sm_90a, sm_120");
      file_.arch = fields[1];
    }
    if (fields[0] == kResults) {
      std::size_t count = 0;
      if (llvm::StringRef(fields[1]).getAsInteger(10, count) || count != results_)
        fail("there are " + std::to_string(results_) + " results before this line, not '" +
             printable(fields[1]) + "'");
      announced_ = true;
    }
  }

  void readResult(const std::vector<std::string>& fields) {
    const VectorOp* op = nullptr;
    for (const VectorOp& one : kOps)
      if (one.name == fields[0]) op = &one;
    if (!op)
      fail("expected the name of an instruction, such as " + std::string(kOps[0].name) + ", not '" +
           printable(fields[0]) + "'");
    if (fields.size() != op->operands + 2)
      fail(llvm::formatv("expected {0}, then {1} operand{2} and the result, in hex, with tabs between them",
                         op->name, op->operands, op->operands == 1 ? "" : "s")
               .str());
    VectorFile::Entry& entry = file_.ops[op->name];
    for (unsigned i = 1; i <= op->operands; ++i)
      entry.questions.push_back(static_cast<std::uint32_t>(readValue(fields[i], op->in)));
    entry.answers.push_back(readValue(fields.back(), op->out));
    ++results_;
  }

  /// A value of a type of PTX.
  std::uint64_t readValue(const std::string& field, std::string_view type) {
    unsigned bits = 8 * bytesOf(type);
    std::uint64_t value = 0;
    if (llvm::StringRef(field).getAsInteger(16, value) || (bits < 64 && value >> bits))
      fail(llvm::formatv("'{0}' is no number of {1} bits in hex", printable(field), bits).str());
    return value;
  }

  [[noreturn]] void fail(const std::string& what) { failUsage("{0}:{1}: {2}", path_, number_, what); }

  const std::string& path_;
  VectorFile file_;
  std::size_t number_ = 0, results_ = 0;
  bool announced_ = false; ///< the last line was there
};

VectorFile VectorFile::load(const std::string& path) {
  return VectorReader(path).read();
}

/// Of two floats of 32 bits with one sign.
bool isWithinAnUlp(std::uint64_t one, std::uint64_t other) {
  bool isNumber = (one & 0x7fffffff) <= 0x7f800000 && (other & 0x7fffffff) <= 0x7f800000;
  return isNumber && (one > other ? one - other : other - one) <= 1;
}

ExitCode check(const std::vector<std::string>& paths, const Workspace& workspace) {
  std::size_t different = 0;
  for (const std::string& path : paths) {
    VectorFile file = VectorFile::load(path);
    SassRunner runner(workspace, file.arch);
    std::vector<const VectorOp*> ops;
    std::vector<AskedKernel> kernels;
    for (const VectorOp& op : kOps) {
      if (!file.ops.contains(op.name)) continue;
      auto ptx = [&](const std::string& version) { return ptxOf(op, file.arch, version); };
      ops.push_back(&op);
      kernels.push_back(makeKernel(ptx, file.arch, nullptr, workspace));
    }
    runner.prepare(kernels);
    Table table({"instruction", "results", "equal", "within an ulp", "different", "the first"});
    for (std::size_t at = 0; at < ops.size(); ++at) {
      const VectorOp& op = *ops[at];
      const VectorFile::Entry& entry = file.ops.at(op.name);
      std::vector<std::uint64_t> ours = ask(op, kernels[at], runner, entry.questions);
      std::size_t equal = 0, near = 0, bad = 0;
      std::string first;
      for (std::size_t i = 0; i < ours.size(); ++i) {
        if (ours[i] == entry.answers[i]) {
          ++equal;
        } else if (op.approximate && isWithinAnUlp(ours[i], entry.answers[i])) {
          ++near;
        } else if (bad++ == 0) {
          for (unsigned k = 0; k < op.operands; ++k)
            first += llvm::formatv("{0:x} ", entry.questions[i * op.operands + k]).str();
          first += llvm::formatv("is {0:x} on the device, {1:x} here", entry.answers[i], ours[i]).str();
        }
      }
      different += bad;
      table.add({std::string(op.name), std::to_string(ours.size()), std::to_string(equal),
                 std::to_string(near), std::to_string(bad), first});
    }
    std::printf("%s: %s\n%s", path.c_str(), printable(file.device).c_str(), table.render({}).c_str());
  }
  return different ? ExitCode::Regressed : ExitCode::Ok;
}

} // namespace

void addVectors(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  CLI::App* command = app.add_subcommand(
      "vectors", "Results of single instructions on a real device, and how they compare here");
  command->require_subcommand(1);
  CLI::App* makeThem =
      command->add_subcommand("make", "Ask the device of this machine, and keep its answers");
  auto made = std::make_shared<MakeArguments>();
  makeThem->add_option("--arch", made->arch, "What to compile for (default: what the device is)");
  makeThem->add_option("-o,--output", made->output, "The file to write")->required();
  makeThem->callback(
      [=, &options, &action] { action = [=, &options] { return make(*made, Workspace(options)); }; });
  CLI::App* checkThem = command->add_subcommand(
      "check", "Compare such files with the execution on the CPU; exits with 1 if something differs");
  auto paths = std::make_shared<std::vector<std::string>>();
  checkThem->add_option("file", *paths, "Files that 'make' has written")->required();
  checkThem->callback(
      [=, &options, &action] { action = [=, &options] { return check(*paths, Workspace(options)); }; });
}

} // namespace harness::cli
