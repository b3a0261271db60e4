#include "harness/toolchain/record.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/subprocess.h"
#include "harness/base/text.h"

#include <nlohmann/json.hpp>

namespace harness {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kRecordFile = "toolchain.json";
constexpr const char* kFilesFile = "files.tsv";
constexpr std::uint64_t kMaxRecordBytes = 16 << 20;

/// Turns paths into text relative to the root, and back.
class Paths {
public:
  explicit Paths(fs::path root) : root_(std::move(root)) {}
  std::string store(const fs::path& path) const {
    return path.empty() ? "" : path.lexically_relative(root_).generic_string();
  }
  /// A record may be hostile: no path leads out of the root.
  fs::path load(const Json& text) const {
    fs::path relative = text.get<std::string>();
    if (relative.empty()) return {};
    if (relative.is_absolute() || relative.lexically_normal().string().starts_with(".."))
      throw std::runtime_error("the path '" + relative.string() + "' leads out of the toolchain");
    return root_ / relative;
  }

private:
  fs::path root_;
};

Version loadVersion(const Json& text) {
  auto version = Version::parse(text.get<std::string>());
  if (!version) throw std::runtime_error("'" + text.get<std::string>() + "' is no version");
  return *version;
}

Json storeFrontEnd(const FrontEnd& frontEnd, const Paths& paths) {
  Json includeDirs = Json::array();
  for (const fs::path& directory : frontEnd.includeDirs)
    includeDirs.push_back(paths.store(directory));
  return {{"kind", toString(frontEnd.kind)},     {"build", frontEnd.build.str()},
          {"buildString", frontEnd.buildString}, {"program", paths.store(frontEnd.program)},
          {"cicc", paths.store(frontEnd.cicc)},  {"ciccSha256", frontEnd.ciccSha256},
          {"includeDirs", includeDirs},          {"identity", frontEnd.identity}};
}

FrontEnd loadFrontEnd(const Json& json, const Paths& paths) {
  FrontEnd frontEnd;
  std::string kind = json.at("kind");
  if (kind != toString(FrontEndKind::Nvcc) && kind != toString(FrontEndKind::Nvrtc))
    throw std::runtime_error("unknown kind of front end '" + kind + "'");
  frontEnd.kind = kind == toString(FrontEndKind::Nvcc) ? FrontEndKind::Nvcc : FrontEndKind::Nvrtc;
  frontEnd.build = loadVersion(json.at("build"));
  frontEnd.buildString = json.at("buildString");
  frontEnd.program = paths.load(json.at("program"));
  frontEnd.cicc = paths.load(json.at("cicc"));
  frontEnd.ciccSha256 = json.at("ciccSha256");
  for (const Json& directory : json.at("includeDirs"))
    frontEnd.includeDirs.push_back(paths.load(directory));
  frontEnd.identity = json.at("identity");
  return frontEnd;
}

Json storePtxas(const Ptxas& ptxas, const Paths& paths) {
  return {{"build", ptxas.build.str()},
          {"buildString", ptxas.buildString},
          {"program", paths.store(ptxas.program)},
          {"sha256", ptxas.sha256},
          {"maxPtx", ptxas.maxPtx.str()},
          {"archs", ptxas.archs}};
}

Ptxas loadPtxas(const Json& json, const Paths& paths) {
  return {loadVersion(json.at("build")),  json.at("buildString"),
          paths.load(json.at("program")), json.at("sha256"),
          loadVersion(json.at("maxPtx")), json.at("archs")};
}

Record load(const Json& json, const fs::path& directory) {
  if (json.at("schema") != Record::kSchema)
    throw std::runtime_error("its schema is " + json.at("schema").dump() + ", this program reads " +
                             std::to_string(Record::kSchema));
  Record record;
  record.name = json.at("name");
  record.added = json.at("root").get<std::string>();
  fs::path root = record.added.empty() ? directory : record.added;
  Paths paths(root);
  record.packages = json.at("packages").get<std::map<std::string, std::string>>();
  record.mended = json.at("mended").get<std::vector<std::string>>();
  if (json.contains("frontEnd"))
    record.toolchain = Toolchain{record.name, loadFrontEnd(json.at("frontEnd"), paths),
                                 loadPtxas(json.at("ptxas"), paths), root};
  if (json.contains("nvdisasm")) {
    const Json& nvdisasm = json.at("nvdisasm");
    record.nvdisasmBuild = loadVersion(nvdisasm.at("build"));
    record.nvdisasm =
        Nvdisasm{paths.load(nvdisasm.at("program")), nvdisasm.at("buildString"), nvdisasm.at("sha256")};
  }
  return record;
}

} // namespace

void Record::write(const fs::path& directory) const {
  Paths paths(added.empty() ? directory : added);
  Json json = {{"schema", kSchema},
               {"name", name},
               {"root", added.string()},
               {"packages", packages},
               {"mended", mended}};
  if (toolchain) {
    json["frontEnd"] = storeFrontEnd(toolchain->frontEnd, paths);
    json["ptxas"] = storePtxas(toolchain->ptxas, paths);
  }
  if (nvdisasm)
    json["nvdisasm"] = {{"build", nvdisasmBuild.str()},
                        {"buildString", nvdisasm->buildString},
                        {"program", paths.store(nvdisasm->program)},
                        {"sha256", nvdisasm->sha256}};
  std::string table;
  for (const FileHash& file : files)
    table += file.sha256 + '\t' + file.path + '\n';
  writeFileAtomically(directory / kFilesFile, table);
  writeFileAtomically(directory / kRecordFile, json.dump(2) + '\n');
}

std::optional<Record> Record::read(const fs::path& directory) {
  fs::path file = directory / kRecordFile;
  std::error_code ec;
  fs::file_status status = fs::status(file, ec);
  // What may not be looked at is not the same as what is not there.
  if (!fs::status_known(status)) failEnvironment("cannot read '{0}': {1}", file.string(), ec.message());
  if (!fs::is_regular_file(status)) return std::nullopt;
  try {
    return load(Json::parse(readFile(file, kMaxRecordBytes)), directory);
  } catch (const std::exception& error) {
    throwIfInterrupted();
    failEnvironment("cannot read '{0}': {1}; reinstall this toolchain", file.string(), error.what());
  }
}

std::vector<FileHash> Record::readFiles(const fs::path& directory) {
  fs::path file = directory / kFilesFile;
  std::error_code ec;
  if (!fs::is_regular_file(file, ec))
    failEnvironment("'{0}' is missing; reinstall this toolchain", file.string());
  std::vector<FileHash> files;
  for (const std::string& line : split(readFile(file, kMaxRecordBytes), '\n')) {
    auto tab = line.find('\t');
    if (tab != std::string::npos) files.push_back({line.substr(tab + 1), line.substr(0, tab)});
  }
  return files;
}

} // namespace harness
