#include "harness/cli/mma_device.h"

#include "harness/base/error.h"

#include <llvm/Support/FormatVariadic.h>

#include <cstring>

namespace harness::cli {

using namespace mma;

namespace {

int bitsOf(Format format) {
  switch (format) {
  case Format::F16:
  case Format::BF16: return 16;
  case Format::TF32: return 32;
  case Format::E4M3:
  case Format::E5M2: return 8;
  default: return 0;
  }
}

/// Lanes 0 to 3 hold row 0 of A, and column 0 of B, in one register for each of these.
int halvesOf(const Inputs& inputs, int k) {
  return k * bitsOf(inputs.a) / 128;
}

} // namespace

bool canAskDevice(const Model& model, const Inputs& inputs) {
  bool isSync = model.instruction == mma::Instruction::MmaSync ||
                model.instruction == mma::Instruction::MmaSyncExpanded;
  return isSync && inputs.scaling == Scaling::None && bitsOf(inputs.a) > 0 &&
         bitsOf(inputs.a) == bitsOf(inputs.b);
}

std::vector<std::uint32_t> wordsOf(const Inputs& inputs, const Question& question) {
  int bits = bitsOf(inputs.a), perWord = 32 / bits;
  std::vector<std::uint32_t> words;
  for (const std::vector<std::uint32_t>* elements : {&question.a, &question.b})
    for (std::size_t first = 0; first < elements->size(); first += static_cast<std::size_t>(perWord)) {
      std::uint32_t word = 0;
      for (int i = 0; i < perWord; ++i)
        word |= (*elements)[first + static_cast<std::size_t>(i)] << (i * bits);
      words.push_back(word);
    }
  words.push_back(question.c);
  return words;
}

ProbeKernel::ProbeKernel(const Inputs& inputs, Format accumulator, int k, const std::string& arch,
                         const std::string& ptxVersion) {
  int halves = halvesOf(inputs, k);
  bool wide = accumulator == Format::F32;
  questionBytes = static_cast<unsigned>(32 * halves + 4);
  const char* type = wide ? "f32" : "f16";
  std::string loads;
  for (int h = 0; h < halves; ++h)
    loads += llvm::formatv(
                 "  @%low ld.global.u32 %a{0}, [%lane+{1}];\n  @%low ld.global.u32 %b{0}, [%lane+{2}];\n", h,
                 16 * h, 16 * (halves + h))
                 .str();
  std::string a = halves == 1 ? "%a0, %zero" : "%a0, %zero, %a1, %zero", b = halves == 1 ? "%b0" : "%b0, %b1",
              c = wide ? "%c0, %c1, %c1, %c1" : "%c0, %c1", d = wide ? "%d0, %d1, %d2, %d3" : "%d0, %d1";
  ptx = llvm::formatv(R"(.version {0}
.target {1}
.address_size 64
.visible .entry ask(.param .u64 in, .param .u64 out) {{
  .reg .pred %low, %first;
  .reg .u32 %thread, %block;
  .reg .b32 %zero, %a<2>, %b<2>, %word;
  .reg .{2} %c<2>, %d<4>;
  .reg .u64 %in, %out, %offset, %lane;
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mov.u32 %thread, %tid.x;
  mov.u32 %block, %ctaid.x;
  mul.wide.u32 %offset, %block, {3};
  add.u64 %in, %in, %offset;
  mul.wide.u32 %offset, %block, 4;
  add.u64 %out, %out, %offset;
  mul.wide.u32 %offset, %thread, 4;
  add.u64 %lane, %in, %offset;
  setp.lt.u32 %low, %thread, 4;
  setp.eq.u32 %first, %thread, 0;
  mov.b32 %zero, 0;
  mov.b32 %a0, 0;
  mov.b32 %a1, 0;
  mov.b32 %b0, 0;
  mov.b32 %b1, 0;
  mov.b32 %word, 0;
{4}  @%first ld.global.u32 %word, [%in+{5}];
  mov.b32 %c0, %word;
  mov.b32 %c1, %zero;
  mma.sync.aligned.m16n8k{6}.row.col.{7}.{8}.{9}.{7} {{{10}}, {{{11}}, {{{12}}, {{{13}};
  mov.b32 %word, %d0;
  @%first st.global.u32 [%out], %word;
  ret;
}
)",
                      ptxVersion, arch, wide ? "f32" : "b32", questionBytes, loads, 32 * halves, k, type,
                      mma::toString(inputs.a), mma::toString(inputs.b), d, a, b, c)
            .str();
}

DeviceSubject::DeviceSubject(const Inputs& inputs, Format accumulator, int k, const std::string& arch,
                             gpu::Pool& pool, const Workspace& workspace)
    : Subject(inputs, accumulator, k), runner_(pool, arch) {
  auto ptxOf = [&](const std::string& version) {
    ProbeKernel kernel(inputs, accumulator, k, arch, version);
    questionBytes_ = kernel.questionBytes;
    return kernel.ptx;
  };
  kernel_ = makeKernel(ptxOf, arch, &pool.machine().driver.cuda, workspace);
}

std::vector<std::uint32_t> DeviceSubject::ask(const std::vector<Question>& questions) {
  if (questions.empty()) return {};
  std::string words;
  for (const Question& question : questions)
    for (std::uint32_t word : wordsOf(inputs(), question))
      words.append(reinterpret_cast<const char*>(&word), sizeof word);
  if (words.size() != questions.size() * questionBytes_)
    throw Error(ErrorKind::Internal, "a question of another size than its kernel takes");
  std::vector<std::uint32_t> answers(questions.size());
  std::string out =
      runner_.run(kernel_, words, 4 * answers.size(), static_cast<std::uint32_t>(questions.size()), 32);
  std::memcpy(answers.data(), out.data(), out.size());
  if (accumulator() == Format::F16)
    for (std::uint32_t& answer : answers)
      answer &= 0xffff;
  return answers;
}

} // namespace harness::cli
