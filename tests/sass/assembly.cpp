#include "tests/sass/assembly.h"

#include "harness/sass/unwritten.h"

#include <llvm/Support/FormatVariadic.h>

#include <cstring>
#include <stdexcept>

namespace harness::sass::test {

namespace {

/// Offset of the parameters in constant bank 0, as ptxas places them.
std::uint16_t paramBase(unsigned sm) {
  return sm >= 100 ? 0x380 : sm >= 90 ? 0x210 : 0x160;
}

} // namespace

Assembly::Assembly(unsigned sm) {
  cubin.smVersion = sm;
  kernel.name = "k";
  kernel.entry = kBase;
  kernel.registers = 64;
  kernel.paramBase = paramBase(sm);
}

Assembly& Assembly::add(std::string text, std::uint32_t immediate) {
  lines_.push_back({std::move(text), immediate, false});
  return *this;
}

Assembly& Assembly::lines(std::string_view text) {
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::size_t from = line.find_first_not_of(' ');
    if (from == std::string_view::npos) continue;
    line.remove_prefix(from);
    if (line.ends_with(':'))
      label(std::string(line.substr(0, line.size() - 1)));
    else
      add(std::string(line));
  }
  return *this;
}

Assembly& Assembly::label(const std::string& name) {
  if (!labels_.emplace(name, lines_.size() * 16).second) throw std::logic_error("label twice: " + name);
  return *this;
}

Assembly& Assembly::illegal() {
  lines_.push_back({"", 0, true});
  return *this;
}

Assembly& Assembly::buffer(const std::string& name, std::vector<std::uint32_t> contents) {
  unsigned ordinal = static_cast<unsigned>(buffers_.size());
  kernel.params.push_back({ordinal, ordinal * 8, 8});
  kernel.paramSize = static_cast<std::uint16_t>(kernel.params.size() * 8);
  buffers_.push_back({name, std::move(contents)});
  return *this;
}

Assembly& Assembly::pointer(unsigned pair, const std::string& name) {
  std::string low = std::to_string(pair), high = std::to_string(pair + 1);
  if (cubin.smVersion >= 90) return add("LDC.64 R" + low + ", c[0x0][{param:" + name + "}]");
  add("MOV R" + low + ", c[0x0][{param:" + name + "}]");
  return add("MOV R" + high + ", c[0x0][{param:" + name + "+4}]");
}

std::string Assembly::at(unsigned pair, unsigned offset) const {
  std::string inside = llvm::formatv("[R{0}{1}{2}]", pair, cubin.smVersion >= 80 ? ".64" : "",
                                     offset ? llvm::formatv("+{0:x}", offset).str() : "");
  return (cubin.smVersion >= 90 ? "desc[UR4]" : "") + inside;
}

std::string Assembly::substitute(std::string text) const {
  for (std::size_t open; (open = text.find('{')) != std::string::npos;) {
    std::size_t close = text.find('}', open);
    std::string name = text.substr(open + 1, close - open - 1);
    std::uint64_t value = 0;
    if (name.starts_with("param:")) {
      name.erase(0, 6);
      if (std::size_t plus = name.find('+'); plus != std::string::npos) {
        value = std::stoul(name.substr(plus + 1));
        name.erase(plus);
      }
      std::size_t ordinal = 0;
      while (buffers_.at(ordinal).name != name)
        ++ordinal;
      value += kernel.paramBase + ordinal * 8;
    } else if (name.starts_with("abs:")) {
      value = kBase + labels_.at(name.substr(4));
    } else {
      value = labels_.at(name);
    }
    text.replace(open, close - open + 1, llvm::formatv("{0:x}", value).str());
  }
  return text;
}

Program Assembly::program() const {
  auto image = std::make_shared<Cubin>(cubin);
  if (image->sections.empty()) {
    image->code.assign(kBase + lines_.size() * 16, '\0');
    image->sections.push_back({".text.k", kBase, lines_.size() * 16});
  }
  Listing listing;
  for (const Line& line : lines_)
    listing.instructions.push_back(
        {std::uint64_t{line.immediate} << 32, 0, substitute(line.text), line.illegal});
  return Program(image, {listing});
}

std::unique_ptr<GlobalMemory> Assembly::fresh() const {
  auto memory = std::make_unique<GlobalMemory>();
  for (const Buffer& buffer : buffers_) {
    Allocation& allocation = memory->allocate(buffer.name, buffer.contents.size() * 4, std::byte{0});
    if (!buffer.contents.empty())
      std::memcpy(allocation.host, buffer.contents.data(), buffer.contents.size() * 4);
  }
  return memory;
}

namespace {

void addPointers(Launch& launch, const GlobalMemory& memory) {
  for (const Allocation& allocation : memory.allocations())
    std::memcpy(launch.args.emplace_back(8).data(), &allocation.address, 8);
}

} // namespace

struct Assembly::Traced {
  Program program;
  Launch launch;
  std::unique_ptr<TracedLaunch> traced;
};

TracedLaunch& Assembly::traced(unsigned threads, unsigned blocks) {
  traced_ = std::make_shared<Traced>(Traced{program(), {}, nullptr});
  traced_->launch.grid = {blocks, 1, 1};
  traced_->launch.block = {threads, 1, 1};
  addPointers(traced_->launch, *fresh());
  traced_->traced = std::make_unique<TracedLaunch>(
      traced_->program, kernel, traced_->launch, [this] { return fresh(); }, ExecutionOptions{},
      std::vector<std::uint32_t>{});
  return *traced_->traced;
}

std::uint64_t Assembly::address(const std::string& name) const {
  auto memory = fresh();
  for (const Allocation& allocation : memory->allocations())
    if (allocation.name == name) return allocation.address;
  return 0;
}

ExecutionResult Assembly::run(Launch launch, ExecutionOptions options) {
  memory_ = fresh();
  addPointers(launch, *memory_);
  return execute(program(), kernel, launch, *memory_, options, observer);
}

std::optional<std::string> Assembly::findUnwritten(unsigned threads) {
  Launch launch;
  launch.block = {threads, 1, 1};
  constexpr std::size_t kBytes = 128;
  auto fresh = [this](std::byte poison) {
    auto memory = std::make_unique<GlobalMemory>();
    for (const Buffer& buffer : buffers_) {
      std::size_t size = buffer.contents.empty() ? kBytes : buffer.contents.size() * 4;
      Allocation& allocation = memory->allocate(buffer.name, size, poison);
      if (!buffer.contents.empty()) std::memcpy(allocation.host, buffer.contents.data(), size);
    }
    return memory;
  };
  auto memory = fresh({});
  for (const Allocation& allocation : memory->allocations())
    std::memcpy(launch.args.emplace_back(8).data(), &allocation.address, 8);
  return sass::findUnwritten(program(), kernel, launch, fresh, {});
}

ExecutionResult Assembly::run(unsigned threads, ExecutionOptions options) {
  Launch launch;
  launch.block = {threads, 1, 1};
  return run(launch, options);
}

std::vector<std::uint32_t> Assembly::words(const std::string& name) const {
  auto bytes = memory_->bytes(name);
  std::vector<std::uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

} // namespace harness::sass::test
