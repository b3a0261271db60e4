#include "harness/sass/coverage.h"

#include "harness/base/error.h"
#include "harness/base/subprocess.h"
#include "harness/cli/app.h"
#include "harness/cli/cubin_files.h"
#include "harness/report/table.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace harness::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CoverageArguments {
  std::vector<std::string> cubins;
  std::string format = "table";
  bool all = false;
};

/// The kernels of one cubin.
struct CubinCoverage {
  std::string origin;
  unsigned sm = 0;
  std::vector<sass::KernelCoverage> kernels;
};

/// Forms of one opcode, added up.
struct OpcodeCount {
  sass::FormCount count;
  std::size_t forms = 0, unsupportedForms = 0;

  void add(const sass::FormCount& form) {
    count.instructions += form.instructions;
    count.unsupported += form.unsupported;
    ++forms;
    unsupportedForms += form.unsupported > 0;
  }
};

std::string archName(unsigned sm) {
  return "sm_" + std::to_string(sm);
}

std::map<std::string, OpcodeCount> byOpcode(const sass::Coverage::Forms& forms) {
  std::map<std::string, OpcodeCount> opcodes;
  for (const auto& [form, count] : forms)
    opcodes[form.opcode].add(count);
  return opcodes;
}

/// Everything of an architecture as one opcode.
OpcodeCount total(const sass::Coverage::Forms& forms) {
  OpcodeCount sum;
  for (const auto& [form, count] : forms)
    sum.add(count);
  return sum;
}

Json toJson(const sass::Coverage& coverage, const std::vector<CubinCoverage>& cubins) {
  Json archs = Json::array(), files = Json::array();
  for (const auto& [sm, forms] : coverage.forms()) {
    Json rows = Json::array();
    for (const auto& [form, count] : forms)
      rows.push_back({{"opcode", form.opcode},
                      {"form", form.form},
                      {"operands", form.shape},
                      {"instructions", count.instructions},
                      {"unsupported", count.unsupported}});
    archs.push_back({{"arch", archName(sm)}, {"forms", rows}});
  }
  for (const CubinCoverage& cubin : cubins) {
    Json kernels = Json::array();
    for (const sass::KernelCoverage& kernel : cubin.kernels)
      kernels.push_back(
          {{"kernel", kernel.kernel}, {"executable", kernel.executable()}, {"missing", kernel.missing}});
    files.push_back({{"cubin", cubin.origin}, {"arch", archName(cubin.sm)}, {"kernels", kernels}});
  }
  return {{"archs", archs}, {"cubins", files}};
}

/// One table, as text or as Markdown.
class Output {
public:
  Output(bool markdown, std::vector<std::string> header) : markdown_(markdown), table_(header) {
    if (markdown) {
      line(header);
      line(std::vector<std::string>(header.size(), "---"));
    }
  }
  void add(const std::vector<std::string>& row) {
    empty_ = false;
    if (markdown_) return line(row);
    std::vector<Table::Entry> entries;
    for (const std::string& text : row)
      entries.emplace_back(printable(text));
    table_.add(std::move(entries));
  }
  void print(const char* heading) const {
    if (empty_) return;
    std::printf("%s%s\n\n%s\n", markdown_ ? "## " : "", heading,
                (markdown_ ? text_ : table_.render({})).c_str());
  }

private:
  void line(const std::vector<std::string>& cells) {
    for (std::string cell : cells) {
      for (std::size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2)
        cell.insert(at, "\\");
      text_ += "| " + printable(cell) + ' ';
    }
    text_ += "|\n";
  }

  bool markdown_, empty_ = true;
  Table table_;
  std::string text_;
};

void printForms(const sass::Coverage& coverage, bool markdown, bool all) {
  Output archs(markdown, {"arch", "opcodes", "forms", "unsupported forms", "instructions", "unsupported"});
  Output opcodes(markdown, {"arch", "opcode", "forms", "unsupported forms", "instructions", "unsupported"});
  Output missing(markdown, {"arch", "form", "instructions", "unsupported"});
  auto counts = [](const OpcodeCount& opcode) {
    return std::vector<std::string>{std::to_string(opcode.forms), std::to_string(opcode.unsupportedForms),
                                    std::to_string(opcode.count.instructions),
                                    std::to_string(opcode.count.unsupported)};
  };
  auto addRow = [&](Output& output, std::vector<std::string> row, const OpcodeCount& opcode) {
    std::vector<std::string> numbers = counts(opcode);
    row.insert(row.end(), numbers.begin(), numbers.end());
    output.add(row);
  };
  for (const auto& [sm, forms] : coverage.forms()) {
    std::map<std::string, OpcodeCount> rows = byOpcode(forms);
    addRow(archs, {archName(sm), std::to_string(rows.size())}, total(forms));
    if (all)
      for (const auto& [name, opcode] : rows)
        addRow(opcodes, {archName(sm), name}, opcode);
    for (const auto& [form, count] : forms)
      if (all || count.unsupported)
        missing.add({archName(sm), form.str(), std::to_string(count.instructions),
                     std::to_string(count.unsupported)});
  }
  archs.print("Instructions met");
  opcodes.print("Opcodes");
  missing.print(all ? "Forms" : "Unsupported forms");
}

/// Which kernels could run; of the others, what is missing.
void printKernels(const std::vector<CubinCoverage>& cubins, bool markdown, bool executableToo) {
  Output output(markdown, {"cubin", "arch", "kernel", "executable", "missing"});
  std::size_t kernels = 0, executable = 0;
  for (const CubinCoverage& cubin : cubins)
    for (const sass::KernelCoverage& kernel : cubin.kernels) {
      ++kernels;
      executable += kernel.executable();
      if (kernel.executable() && !executableToo) continue;
      std::string missing;
      for (const std::string& one : kernel.missing)
        missing += (missing.empty() ? "" : "; ") + one;
      output.add(
          {cubin.origin, archName(cubin.sm), kernel.kernel, kernel.executable() ? "yes" : "no", missing});
    }
  output.print(executableToo ? "Kernels" : "Kernels that cannot run");
  std::printf("%zu of %zu kernels in %zu cubins can run\n", executable, kernels, cubins.size());
}

/// Everything that was met is understood, or something is missing.
ExitCode exitCodeOf(const std::vector<CubinCoverage>& cubins, const sass::Coverage& coverage) {
  for (const CubinCoverage& cubin : cubins)
    for (const sass::KernelCoverage& kernel : cubin.kernels)
      if (!kernel.executable()) return ExitCode::Undecided;
  for (const auto& [sm, forms] : coverage.forms())
    if (total(forms).count.unsupported) return ExitCode::Undecided;
  return ExitCode::Ok;
}

ExitCode coverage(const CoverageArguments& arguments, const Workspace& workspace) {
  if (arguments.format != "table" && arguments.format != "md" && arguments.format != "json")
    failUsage("'{0}' is no format: table, md, json", arguments.format);
  std::vector<std::filesystem::path> paths(arguments.cubins.begin(), arguments.cubins.end());
  if (paths.empty()) paths = cachedCubins(workspace);
  if (paths.empty())
    failUsage("there is no cubin in the cache '{0}'; name some, or 'harness run' makes them",
              workspace.cacheDir().string());
  sass::Coverage coverage;
  std::vector<CubinCoverage> cubins;
  std::vector<std::string> damaged;    // in the cache, which may be cut short or cleared while this runs
  constexpr std::size_t kBatch = 1000; // cubins held at once
  for (auto next = paths.begin(); next != paths.end();) {
    auto end = next + std::min<std::ptrdiff_t>(kBatch, paths.end() - next);
    for (const CubinFile& file :
         readCubins({next, end}, workspace, arguments.cubins.empty() ? &damaged : nullptr)) {
      throwIfInterrupted();
      cubins.push_back({file.origin, file.cubin->smVersion, coverage.add(*file.cubin, file.listings)});
    }
    next = end;
  }
  for (const std::string& what : damaged)
    std::fprintf(stderr, "harness: left out: %s\n", what.c_str());
  if (arguments.format == "json") {
    std::printf("%s\n", toJson(coverage, cubins).dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  } else {
    bool markdown = arguments.format == "md";
    printForms(coverage, markdown, arguments.all);
    printKernels(cubins, markdown, arguments.all || !arguments.cubins.empty());
  }
  return exitCodeOf(cubins, coverage);
}

} // namespace

void addCoverage(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<CoverageArguments>();
  CLI::App* command = app.add_subcommand(
      "coverage",
      "Which instructions of cubins are understood, and which kernels could run; exits with 0, or 4 if "
      "something is not understood");
  command->add_option("cubins", arguments->cubins, "Cubins, from anywhere (default: all in the cache)");
  command->add_option("--format", arguments->format, "table, md, json")->capture_default_str();
  command->add_flag("--all", arguments->all, "What is understood too, not only what is missing");
  command->callback([=, &options, &action] {
    action = [=, &options] { return coverage(*arguments, Workspace(options)); };
  });
}

} // namespace harness::cli
