#include "harness/sass/code.h"

#include "harness/sass/text.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace harness::sass {

namespace {

/// One more than the highest register that `op` can touch; a group takes up to four.
unsigned registersOf(const Op& op) {
  constexpr unsigned kGroup = 4;
  unsigned count = 0;
  auto include = [&count](unsigned index) {
    if (index != kZeroRegister) count = std::max(count, index + kGroup);
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

/// The numbers of a program, each once.
class NumberTable {
public:
  explicit NumberTable(std::vector<Lanes>& lanes) : lanes_(lanes) {}

  /// Where `source` finds its lanes without being looked at again, if it can.
  void place(Source& source) {
    if (source.transform != Transform::None) return;
    bool isRegister = source.kind == Source::Kind::Register;
    if (isRegister && source.index != kZeroRegister)
      source.place.set(SourcePlace::Registers, source.index);
    else if (isRegister || source.kind == Source::Kind::Immediate)
      number(source, isRegister ? 0 : static_cast<std::uint32_t>(source.immediate));
  }

private:
  static constexpr std::size_t kMost = 2048; ///< 256 KiB

  void number(Source& source, std::uint32_t value) {
    auto found = slots_.find(value);
    if (found == slots_.end()) {
      if (lanes_.size() == kMost) return;
      std::fill_n(lanes_.emplace_back().v, kLanes, value);
      found = slots_.emplace(value, lanes_.size() - 1).first;
    }
    source.place.set(SourcePlace::Numbers, found->second);
  }

  std::vector<Lanes>& lanes_;
  std::unordered_map<std::uint32_t, std::size_t> slots_;
};

} // namespace

void Code::complete() {
  ops.emplace_back();
  blocksAreIndependent = std::none_of(texts.begin(), texts.end(), synchronises);
  NumberTable table(numbers);
  std::uint32_t line = 0, uniforms = 0;
  for (Op& op : ops) {
    op.line = line++;
    op.uniformsBefore = uniforms;
    uniforms += op.uniform;
    registers = std::max(registers, registersOf(op));
    for (Source& source : op.src)
      table.place(source);
  }
}

} // namespace harness::sass
