#include "harness/sass/coverage.h"

#include "harness/base/hash.h"
#include "harness/sass/binder.h"

#include <cctype>

namespace harness::sass {

namespace {

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// "R12" → "R", "UPT" → "UP", "0x10" → "imm", "SR_TID" as it is.
std::string wordShape(std::string_view word) {
  if (std::isdigit(static_cast<unsigned char>(word.front()))) return "imm";
  for (std::string_view prefix : {"UR", "UP", "R", "P", "SB", "B"}) {
    if (!word.starts_with(prefix)) continue;
    std::string_view rest = word.substr(prefix.size());
    bool zero = (prefix.ends_with('R') && rest == "Z") || (prefix.ends_with('P') && rest == "T");
    if (zero || (!rest.empty() && rest.find_first_not_of("0123456789") == std::string_view::npos))
      return std::string(prefix);
  }
  return word == "INF" || word == "QNAN" || word == "SNAN" ? "imm" : std::string(word);
}

/// A number with sign, point and exponent counts as one word.
std::size_t numberEnd(std::string_view text, std::size_t from) {
  std::size_t at = from;
  bool hex = text.substr(from).starts_with("0x");
  while (at < text.size()) {
    char c = text[at];
    bool exponentSign =
        !hex && (c == '+' || c == '-') && at > from && (text[at - 1] == 'e' || text[at - 1] == 'E');
    bool point = c == '.' && !hex;
    if (!isWordCharacter(c) && !point && !exponentSign) break;
    ++at;
  }
  return at;
}

std::string shapeOf(std::string_view text) {
  std::string shape;
  for (std::size_t at = 0; at < text.size();) {
    bool digit = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    if (text.substr(at).starts_with(".reuse")) {
      at += 6;
    } else if (text[at] == '.') { // a suffix is no operand
      shape += text[at++];
      while (at < text.size() && isWordCharacter(text[at]))
        shape += text[at++];
    } else if (isWordCharacter(text[at])) {
      std::size_t end = numberEnd(text, at);
      if (!digit) {
        end = at;
        while (end < text.size() && isWordCharacter(text[end]))
          ++end;
      }
      std::string word = wordShape(text.substr(at, end - at));
      bool signedNumber = word == "imm" && !shape.empty() && (shape.back() == '-' || shape.back() == '+');
      if (signedNumber && (shape.size() < 2 || shape[shape.size() - 2] == ' ' ||
                           shape[shape.size() - 2] == '+' || shape[shape.size() - 2] == '['))
        shape.pop_back(); // the sign belongs to the number
      shape += word;
      at = end;
    } else {
      shape += text[at++];
    }
  }
  return shape;
}

} // namespace

std::string InstructionForm::str() const {
  return shape.empty() ? form : form + ' ' + shape;
}

InstructionForm formOf(std::string_view text) {
  if (text.starts_with('@')) {
    std::size_t space = std::min(text.find(' '), text.size() - 1);
    text.remove_prefix(space + 1);
  }
  std::size_t space = std::min(text.find(' '), text.size());
  InstructionForm form;
  form.form = text.substr(0, space);
  form.opcode = form.form.substr(0, form.form.find('.'));
  if (space < text.size()) form.shape = shapeOf(text.substr(space + 1));
  while (form.shape.ends_with(' '))
    form.shape.pop_back();
  return form;
}

bool understands(const ListedInstruction& instruction, unsigned sm) {
  Encoding encoding;
  encoding.low = instruction.low;
  encoding.high = instruction.high;
  encoding.sm = sm;
  return !instruction.illegal && bindInstruction(instruction.text, encoding);
}

std::vector<KernelCoverage> Coverage::add(const Cubin& cubin, const std::vector<Listing>& listings) {
  Forms& forms = forms_[cubin.smVersion];
  struct Section {
    std::set<std::string> missing;
    bool calls = false;
  };
  std::vector<Section> sections(cubin.sections.size());
  for (std::size_t s = 0; s < sections.size() && s < listings.size(); ++s) {
    const CodeSection& code = cubin.sections[s];
    std::string key = std::to_string(cubin.smVersion) + ' ' + sha256(cubin.sectionCode(code));
    bool count = seen_.insert(key).second;
    for (std::size_t i = 0; i < listings[s].instructions.size(); ++i) {
      const ListedInstruction& instruction = listings[s].instructions[i];
      InstructionForm form = instruction.illegal
                                 ? InstructionForm{"(illegal encoding)", "(illegal encoding)", ""}
                                 : formOf(instruction.text);
      bool understood = understands(instruction, cubin.smVersion);
      if (!understood) sections[s].missing.insert(form.str());
      if (auto word = cubin.unsupportedWords.find(code.address + i * 16);
          word != cubin.unsupportedWords.end())
        sections[s].missing.insert(word->second);
      sections[s].calls |= form.opcode == "CALL" || form.opcode == "JMP";
      if (!count) continue;
      FormCount& total = forms[form];
      ++total.instructions;
      total.unsupported += !understood;
    }
  }

  std::set<std::uint64_t> entries;
  for (const Kernel& kernel : cubin.kernels)
    entries.insert(kernel.entry);
  std::vector<KernelCoverage> result;
  for (const Kernel& kernel : cubin.kernels) {
    KernelCoverage& coverage = result.emplace_back(KernelCoverage{kernel.name, {}});
    if (!kernel.unsupported.empty()) coverage.missing.insert(kernel.unsupported);
    auto inside = [&](const CodeSection& code) {
      return kernel.entry >= code.address && kernel.entry - code.address < code.size;
    };
    bool calls = false;
    for (std::size_t s = 0; s < sections.size(); ++s)
      if (inside(cubin.sections[s])) calls |= sections[s].calls;
    for (std::size_t s = 0; s < sections.size(); ++s)
      if (inside(cubin.sections[s]) || (calls && !entries.contains(cubin.sections[s].address)))
        coverage.missing.insert(sections[s].missing.begin(), sections[s].missing.end());
    if (calls && !cubin.externals.empty())
      for (const auto& [address, name] : cubin.externals)
        coverage.missing.insert("function " + name);
  }
  return result;
}

} // namespace harness::sass
