#include "harness/sass/code.h"

#include "harness/sass/mma_form.h"
#include "harness/sass/text.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace harness::sass {

namespace {

/// One more than the highest register that `op` can touch; a group takes up to four, but for tensor cores.
unsigned registersOf(const Op& op) {
  unsigned group = op.mma ? MmaForm::kMostWords : 4, count = 0;
  auto include = [&count, group](unsigned index) {
    if (index != kZeroRegister) count = std::max(count, index + group);
  };
  if (!op.dst.uniform) include(op.dst.index);
  include(op.address.base);
  for (const Source& source : op.src)
    if (source.kind == Source::Kind::Register || source.kind == Source::Kind::ConstantIndexed)
      include(source.index);
  return count;
}

/// Whether an instruction synchronises with other blocks.
bool synchronises(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  std::string_view mnemonic = text.substr(0, text.find(' '));
  std::string_view opcode = mnemonic.substr(0, mnemonic.find('.'));
  static constexpr std::string_view kOpcodes[] = {"ATOM", "ATOMG", "RED", "REDG", "MEMBAR", "FENCE"};
  return std::find(std::begin(kOpcodes), std::end(kOpcodes), opcode) != std::end(kOpcodes) ||
         mnemonic.find(".STRONG") != std::string_view::npos ||
         mnemonic.find(".MMIO") != std::string_view::npos;
}

/// Finds the places of sources; numbers and constants of a program each get one.
class Places {
public:
  explicit Places(Code& code) : code_(code) {}

  /// Where `source` finds its lanes without being looked at again, if it can.
  void place(Source& source) {
    if (source.kind == Source::Kind::Constant) return constant(source);
    if (source.transform != Transform::None) return;
    switch (source.kind) {
    case Source::Kind::Register:
      if (source.index == kZeroRegister) return number(source, 0);
      return source.place.set(SourcePlace::Registers, source.index);
    case Source::Kind::Uniform:
      if (source.index == kZeroRegister) return number(source, 0);
      code_.uniforms = std::max(code_.uniforms, source.index + 1u);
      return source.place.set(SourcePlace::Uniforms, source.index);
    case Source::Kind::Immediate: return number(source, static_cast<std::uint32_t>(source.immediate));
    default: return;
    }
  }

private:
  static constexpr std::size_t kMost = 2048; ///< 256 KiB

  void number(Source& source, std::uint32_t value) {
    auto found = numbers_.find(value);
    if (found == numbers_.end()) {
      if (code_.numbers.size() == kMost) return;
      std::fill_n(code_.numbers.emplace_back().v, kLanes, value);
      found = numbers_.emplace(value, code_.numbers.size() - 1).first;
    }
    source.place.set(SourcePlace::Numbers, found->second);
  }

  void constant(Source& source) {
    auto key = std::tuple(source.bank, source.offset, source.transform);
    auto found = constants_.find(key);
    if (found == constants_.end()) {
      if (code_.constants.size() == kMost) return;
      code_.constants.push_back(source);
      found = constants_.emplace(key, code_.constants.size() - 1).first;
    }
    source.place.set(SourcePlace::Constants, found->second);
  }

  Code& code_;
  std::unordered_map<std::uint32_t, std::size_t> numbers_;
  std::map<std::tuple<std::uint8_t, std::uint32_t, Transform>, std::size_t> constants_;
};

} // namespace

void Code::complete() {
  ops.emplace_back();
  blocksAreIndependent = std::none_of(texts.begin(), texts.end(), synchronises);
  Places places(*this);
  std::uint32_t line = 0, uniforms = 0;
  for (Op& op : ops) {
    op.line = line++;
    op.uniformsBefore = uniforms;
    uniforms += op.uniform;
    registers = std::max(registers, registersOf(op));
    for (Source& source : op.src)
      places.place(source);
  }
}

} // namespace harness::sass
