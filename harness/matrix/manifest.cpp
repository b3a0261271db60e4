#include "harness/matrix/manifest.h"

#include "harness/base/error.h"
#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/matrix/expression.h"
#include "harness/matrix/json_reader.h"
#include "harness/matrix/struct_layout.h"
#include "harness/parity/verdict.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace harness {

namespace fs = std::filesystem;

namespace {

/// Ids and shape names become parts of file names and of the cell notation.
bool isPlainName(std::string_view name) {
  return !name.empty() && name.size() <= 100 && name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.'; });
}

bool isIdentifier(std::string_view name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// A shape's name and variables as the manifest has them.
struct ShapeVariables {
  std::string name;
  Variables variables;
};

std::vector<ShapeVariables> readShapes(const JsonNode& root) {
  if (!root.has("shapes")) return {{}};
  JsonNode node = root.at("shapes");
  std::vector<ShapeVariables> shapes;
  std::set<std::string> names;
  for (const JsonNode& element : node.elements()) {
    ShapeVariables shape{element.at("name").string(), {}};
    if (!isPlainName(shape.name))
      element.at("name").fail("a shape's name is made of letters, digits, '-', '_' and '.'");
    if (!names.insert(shape.name).second)
      element.at("name").fail("two shapes are named '" + shape.name + "'");
    for (const auto& [key, value] : element.members()) {
      if (key == "name") continue;
      if (!isIdentifier(key) || key == "ceildiv") value.fail("this is no name for a variable");
      shape.variables[key] = value.unsignedInteger();
    }
    shapes.push_back(std::move(shape));
  }
  if (shapes.empty()) node.fail("at least one shape is needed; leave the key out if sizes are fixed");
  if (shapes.size() > CaseLimits::kShapes) node.fail("too many shapes");
  return shapes;
}

/// Evaluates what depends on the shape.
class ShapeReader {
public:
  ShapeReader(const JsonNode& root, const ShapeVariables& variables, const fs::path& directory)
      : root_(root), variables_(variables), directory_(directory) {}

  CaseShape read() {
    shape_.name = variables_.name;
    shape_.grid = dimensions("grid", CaseLimits::kGrid);
    shape_.block = dimensions("block", CaseLimits::kBlock);
    std::uint64_t threads = std::uint64_t{shape_.block[0]} * shape_.block[1] * shape_.block[2];
    if (threads > CaseLimits::kThreadsPerBlock)
      fail(root_.at("block"), std::to_string(threads) + " threads a block; at most 1024");
    if (root_.has("shared"))
      shape_.shared = static_cast<std::uint32_t>(size(root_.at("shared"), 0, CaseLimits::kShared));
    readBuffers();
    readArgs();
    return std::move(shape_);
  }

private:
  [[noreturn]] void fail(const JsonNode& node, const std::string& what) const {
    node.fail(shape_.name.empty() ? what : what + " (shape '" + shape_.name + "')");
  }

  std::uint64_t size(const JsonNode& node, std::uint64_t least, std::uint64_t most) const {
    std::uint64_t value = 0;
    if (node.isString()) {
      std::string text = node.string();
      try {
        value = evaluateExpression(text, variables_.variables);
      } catch (const Error& error) {
        fail(node, error.what());
      }
    } else {
      value = node.unsignedInteger();
    }
    if (value < least || value > most)
      fail(node, llvm::formatv("{0} is not within {1} … {2}", value, least, most).str());
    return value;
  }

  std::array<std::uint32_t, 3> dimensions(std::string_view key, const std::uint64_t (&limits)[3]) const {
    JsonNode node = root_.at(key);
    std::vector<JsonNode> elements = node.elements();
    if (elements.empty() || elements.size() > 3) node.fail("one to three sizes are expected");
    std::array<std::uint32_t, 3> result{1, 1, 1};
    for (std::size_t i = 0; i < elements.size(); ++i)
      result[i] = static_cast<std::uint32_t>(size(elements[i], 1, limits[i]));
    return result;
  }

  void readBuffers() {
    JsonNode node = root_.at("buffers");
    std::uint64_t total = 0;
    bool anyOutput = false;
    for (const auto& [name, value] : node.members()) {
      if (!isPlainName(name)) value.fail("a buffer's name is made of letters, digits, '-', '_' and '.'");
      BufferSpec buffer = readBuffer(name, value);
      total += buffer.byteSize();
      anyOutput |= buffer.output;
      if (total > CaseLimits::kTotalBytes) fail(value, "the buffers are larger than 4 GiB together");
      if (shape_.buffers.size() == CaseLimits::kBuffers) fail(node, "too many buffers");
      shape_.buffers.push_back(std::move(buffer));
    }
    if (!anyOutput) node.fail("no buffer has \"output\": true, so there is nothing to compare");
  }

  BufferSpec readBuffer(const std::string& name, const JsonNode& node) const {
    node.onlyKeys({"type", "count", "init", "output", "record", "compare"});
    BufferSpec buffer;
    buffer.name = name;
    buffer.type = readType(node.at("type"), node.at("type").string());
    buffer.count = size(node.at("count"), 1, CaseLimits::kBufferBytes);
    if (buffer.byteSize() > CaseLimits::kBufferBytes)
      fail(node.at("count"),
           llvm::formatv("{0} elements of {1} are more than 1 GiB", buffer.count, toString(buffer.type))
               .str());
    buffer.output = node.has("output") && node.at("output").boolean();
    buffer.poisoned = buffer.output && !node.has("init");
    if (node.has("init")) buffer.init = readInit(node.at("init"), buffer);
    if (node.has("record")) {
      if (!buffer.output) node.at("record").fail("only an output has records");
      buffer.record = size(node.at("record"), 1, CaseLimits::kRecord);
    }
    if (node.has("compare")) {
      if (!buffer.output) node.at("compare").fail("only an output is compared");
      buffer.compare = readCompare(node.at("compare"), buffer.type);
    }
    return buffer;
  }

  static ElementType readType(const JsonNode& node, const std::string& name) {
    static const std::vector<std::string> kNames = {"u8",  "i8",  "u16",  "i16", "u32", "i32",  "u64",
                                                    "i64", "f16", "bf16", "f32", "f64", "e4m3", "e5m2"};
    if (auto type = parseElementType(name)) return *type;
    std::string near = nearest(name, kNames);
    node.fail("unknown type '" + name + "'; " +
              (near.empty() ? "known are " + join(kNames, ", ") : "did you mean '" + near + "'?"));
  }

  static CompareRule readCompare(const JsonNode& node, ElementType type) {
    node.onlyKeys({"ulp"});
    if (!isFloat(type)) node.fail("an integer buffer is compared by bytes");
    return {CompareRule::Kind::Ulp, node.at("ulp").unsignedInteger()};
  }

  BufferInit readInit(const JsonNode& node, const BufferSpec& buffer) const {
    BufferInit init = readInitForm(node);
    if (auto* list = std::get_if<InitValues>(&init); list && list->values.size() > buffer.count)
      fail(node, llvm::formatv("{0} values for {1} elements", list->values.size(), buffer.count).str());
    // What is wrong with the values shows here, where file and place are known.
    node.located([&] {
      if (auto* iota = std::get_if<InitIota>(&init); iota && isFloat(buffer.type))
        makeContents(buffer.type, 1,
                     InitIota{iota->start + static_cast<double>(buffer.count - 1) * iota->step, 0});
      if (auto* file = std::get_if<InitFile>(&init))
        checkFileSize(file->path, buffer.byteSize());
      else
        makeContents(buffer.type, 1, init);
    });
    return init;
  }

  static void checkFileSize(const fs::path& path, std::uint64_t bytes) {
    std::error_code ec;
    std::uint64_t found = fs::file_size(path, ec);
    if (ec) failUsage("cannot read '{0}': {1}", path.string(), ec.message());
    if (found != bytes) failUsage("'{0}' has {1} bytes, but the buffer has {2}", path.string(), found, bytes);
  }

  BufferInit readInitForm(const JsonNode& node) const {
    if (node.isString()) {
      if (node.string() == "zero") return InitZero{};
      if (node.string() == "edges") return InitEdges{};
      node.fail("unknown init '" + node.string() + "'; as a word there are \"zero\" and \"edges\"");
    }
    node.onlyKeys({"fill", "iota", "values", "random", "file"});
    auto members = node.members();
    if (members.size() != 1) node.fail("exactly one of fill, iota, values, random, file is expected");
    const auto& [form, value] = members.front();
    if (form == "fill") return InitFill{value.valueText()};
    if (form == "file") return InitFile{directory_ / value.string()};
    if (form == "values") {
      InitValues list;
      for (const JsonNode& element : value.elements())
        list.values.push_back(element.valueText());
      return list;
    }
    if (form == "iota") {
      value.onlyKeys({"start", "step"});
      InitIota iota;
      if (value.has("start")) iota.start = value.at("start").number();
      if (value.has("step")) iota.step = value.at("step").number();
      return iota;
    }
    value.onlyKeys({"seed", "min", "max"});
    InitRandom random;
    random.seed = value.at("seed").unsignedInteger();
    if (value.has("min")) random.min = value.at("min").number();
    if (value.has("max")) random.max = value.at("max").number();
    return random;
  }

  void readArgs() {
    JsonNode node = root_.at("args");
    for (const JsonNode& element : node.elements())
      shape_.args.push_back(argument(element));
    if (shape_.args.size() > CaseLimits::kArgs) node.fail("too many arguments");
    for (const BufferSpec& buffer : shape_.buffers)
      if (std::none_of(shape_.args.begin(), shape_.args.end(),
                       [&](const ArgSpec& arg) { return arg.pointsTo(buffer.name); }))
        node.fail("the buffer '" + buffer.name + "' is not among the arguments");
  }

  ArgSpec argument(const JsonNode& node) const {
    if (node.isString()) return {bufferName(node), {}, {}};
    if (!node.isObject())
      node.fail("an argument is a buffer's name, {\"TYPE\": VALUE} or {\"struct\": [MEMBER, …]}");
    if (!node.has("struct")) return {{}, scalar(node), {}};
    StructLayout layout = structure(node);
    return {{}, layout.bytes(), layout.pointers()};
  }

  StructLayout structure(const JsonNode& node) const {
    node.onlyKeys({"struct", "align"});
    StructLayout layout;
    for (const JsonNode& member : node.at("struct").elements()) {
      addMember(layout, member);
      if (layout.size() > CaseLimits::kArgBytes)
        fail(member, llvm::formatv("the structure is larger than the {0} bytes of all parameters of a kernel",
                                   CaseLimits::kArgBytes)
                         .str());
    }
    if (layout.size() == 0) node.at("struct").fail("a structure has at least one member");
    layout.close(node.has("align") ? alignment(node.at("align"), layout.align()) : 1);
    return layout;
  }

  /// Of a structure whose members ask for `least`.
  static std::size_t alignment(const JsonNode& node, std::size_t least) {
    std::uint64_t align = node.unsignedInteger();
    if (align < least || align > StructLayout::kMostAlign || (align & (align - 1)) != 0)
      node.fail(llvm::formatv("{0} is no power of two from {1}, which the members need, to {2}", align, least,
                              StructLayout::kMostAlign)
                    .str());
    return align;
  }

  void addMember(StructLayout& layout, const JsonNode& node) const {
    if (node.isString()) return layout.addPointer(bufferName(node));
    if (node.has("struct")) return layout.add(structure(node));
    if (!node.isObject() || node.members().size() != 1)
      node.fail("a member is a buffer's name, {\"TYPE\": VALUE}, {\"TYPE\": [VALUE, …]}, {\"zero\": BYTES} "
                "or {\"struct\": [MEMBER, …]}");
    const auto [name, value] = node.members().front();
    if (name == "zero") return layout.addZeros(size(value, 1, CaseLimits::kArgBytes));
    if (!value.isArray()) return layout.add(scalar(name, value));
    if (value.elements().empty()) value.fail("a list has at least one value");
    for (const JsonNode& element : value.elements())
      layout.add(scalar(name, element));
  }

  std::string bufferName(const JsonNode& node) const {
    std::string name = node.string();
    std::vector<std::string> known;
    for (const BufferSpec& buffer : shape_.buffers)
      known.push_back(buffer.name);
    if (std::find(known.begin(), known.end(), name) != known.end()) return name;
    std::string near = nearest(name, known);
    node.fail("there is no buffer '" + name + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }

  /// {"u32": 8}, {"u32": "rows * 2"}, {"f32": 1.5}, {"f32": "0x7fc00000"}: the bytes of one scalar.
  std::string scalar(const JsonNode& node) const {
    auto members = node.members();
    if (members.size() != 1) node.fail("a scalar is written {\"TYPE\": VALUE}");
    return scalar(members.front().first, members.front().second);
  }

  std::string scalar(const std::string& name, const JsonNode& value) const {
    ElementType type = readType(value, name);
    std::string text = value.valueText();
    if (value.isString() && !isFloat(type) && !text.starts_with("0x"))
      text = std::to_string(size(value, 0, ~std::uint64_t{0}));
    return value.located([&, type = type] { return littleEndian(elementBits(type, text), sizeOf(type)); });
  }

  const JsonNode& root_;
  const ShapeVariables& variables_;
  const fs::path& directory_;
  CaseShape shape_;
};

/// A file the manifest names, as an absolute path.
fs::path existingFile(const JsonNode& node, const fs::path& directory) {
  fs::path path = directory / node.string();
  std::error_code ec;
  if (!fs::is_regular_file(path, ec))
    node.fail("there is no file '" + path.lexically_normal().string() + "'");
  return fs::canonical(path);
}

KernelSource readSource(const JsonNode& root, const fs::path& directory) {
  KernelSource source;
  source.file = existingFile(root.at("source"), directory);
  if (source.file.extension() != ".cu" && source.file.extension() != ".ptx")
    root.at("source").fail("a .cu or a .ptx file is expected");
  if (root.has("include")) {
    for (const std::string& include : root.at("include").strings()) {
      fs::path path = directory / include;
      std::error_code ec;
      if (!fs::is_directory(path, ec))
        root.at("include").fail("there is no directory '" + path.string() + "'");
      source.include.push_back(fs::canonical(path));
    }
  }
  if (root.has("define")) {
    source.defines = root.at("define").strings();
    for (const std::string& define : source.defines)
      if (!isIdentifier(define.substr(0, define.find('='))))
        root.at("define").fail("'" + define + "' is no NAME or NAME=VALUE");
  }
  return source;
}

std::optional<VersionRange> readVersions(const JsonNode& node, std::string_view key) {
  if (!node.has(key)) return std::nullopt;
  JsonNode value = node.at(key);
  return value.located([&] { return VersionRange::parse(join(value.strings(), ",")); });
}

std::vector<std::string> readGlobs(const JsonNode& node, std::string_view key) {
  if (!node.has(key)) return {};
  JsonNode value = node.at(key);
  std::vector<std::string> globs = value.strings();
  if (globs.empty()) value.fail("an empty list matches nothing; leave the key out to match everything");
  value.located([&] {
    for (const std::string& glob : globs)
      globMatch(glob, "");
  });
  return globs;
}

Expectation readExpectation(const JsonNode& node) {
  node.onlyKeys({"nvcc", "ptxas", "arch", "opt", "verdict", "blame", "why"});
  Expectation expectation;
  expectation.nvcc = readVersions(node, "nvcc");
  expectation.ptxas = readVersions(node, "ptxas");
  expectation.arch = readGlobs(node, "arch");
  expectation.opt = readGlobs(node, "opt");
  expectation.verdict = node.at("verdict").string();
  if (!parseVerdict(expectation.verdict))
    node.at("verdict").fail("unknown verdict '" + expectation.verdict + "'");
  expectation.blame = node.has("blame") ? node.at("blame").string() : std::string(toString(Blame::Unknown));
  if (!parseBlame(expectation.blame)) node.at("blame").fail("unknown blame '" + expectation.blame + "'");
  if (node.has("why")) expectation.why = node.at("why").string();
  return expectation;
}

/// Adds a buffer's starting contents to a key: what it is made from, or a file's bytes.
struct InitHasher {
  KeyHasher& key;

  void operator()(const InitZero&) { key.add("init", "zero"); }
  void operator()(const InitEdges&) { key.add("init", "edges"); }
  void operator()(const InitFill& init) { key.add("fill", init.value); }
  void operator()(const InitIota& init) {
    key.add("iota", llvm::formatv("{0:e17} {1:e17}", init.start, init.step).str());
  }
  void operator()(const InitValues& init) {
    key.add("values", init.values.size());
    for (const std::string& value : init.values)
      key.add("value", value);
  }
  void operator()(const InitRandom& init) {
    key.add("random", init.seed);
    for (const auto& bound : {init.min, init.max})
      key.add("bound", bound ? llvm::formatv("{0:e17}", *bound).str() : "");
  }
  void operator()(const InitFile& init) { key.add("file", sha256File(init.path)); }
};

std::string hashOf(const CaseManifest& manifest) {
  KeyHasher key("case/1");
  key.add("kernel", manifest.kernel);
  for (const CaseShape& shape : manifest.shapes) {
    key.add("shape", shape.name);
    for (std::uint32_t size : shape.grid)
      key.add("grid", size);
    for (std::uint32_t size : shape.block)
      key.add("block", size);
    key.add("shared", shape.shared);
    for (const BufferSpec& buffer : shape.buffers) {
      key.add("buffer", buffer.name).add("type", toString(buffer.type)).add("count", buffer.count);
      key.add("output", buffer.output).add("poisoned", buffer.poisoned).add("record", buffer.record);
      key.add("compare", static_cast<std::uint64_t>(buffer.compare.kind)).add("ulp", buffer.compare.ulp);
      std::visit(InitHasher{key}, buffer.init);
    }
    for (const ArgSpec& arg : shape.args) {
      key.add("arg", arg.buffer).add("scalar", arg.value);
      for (const ArgSpec::Pointer& pointer : arg.pointers)
        key.add("offset", pointer.offset).add("pointer", pointer.buffer);
    }
  }
  return key.hex();
}

bool matchesAny(const std::vector<std::string>& globs, std::string_view text) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(),
                                      [&](const std::string& glob) { return globMatch(glob, text); });
}

} // namespace

bool ArgSpec::pointsTo(std::string_view name) const {
  return buffer == name || std::any_of(pointers.begin(), pointers.end(),
                                       [&](const Pointer& pointer) { return pointer.buffer == name; });
}

std::vector<std::string> CaseShape::initialContents(std::uint8_t poison) const {
  std::vector<std::string> contents;
  for (const BufferSpec& buffer : buffers)
    contents.push_back(buffer.poisoned ? std::string(buffer.byteSize(), static_cast<char>(poison))
                                       : makeContents(buffer.type, buffer.count, buffer.init));
  return contents;
}

CaseManifest CaseManifest::load(const fs::path& path) {
  std::error_code ec;
  fs::path file = fs::is_directory(path, ec) ? path / "case.json" : path;
  Json document = readJsonFile(file);
  JsonNode root(document, file.string());
  root.onlyKeys({"title", "source", "include", "define", "kernel", "shapes", "grid", "block", "shared",
                 "buffers", "args", "reference", "expect"});

  CaseManifest manifest;
  manifest.directory = fs::canonical(file).parent_path();
  manifest.id = manifest.directory.filename().string();
  if (!isPlainName(manifest.id))
    failUsage(
        "{0}: the folder's name '{1}' is the case's id and may hold only letters, digits, '-', '_' and '.'",
        file.string(), manifest.id);
  manifest.title = root.at("title").string();
  manifest.source = readSource(root, manifest.directory);
  manifest.kernel = root.at("kernel").string();
  for (const ShapeVariables& variables : readShapes(root))
    manifest.shapes.push_back(ShapeReader(root, variables, manifest.directory).read());
  if (root.has("reference")) manifest.reference = existingFile(root.at("reference"), manifest.directory);
  if (root.has("expect"))
    for (const JsonNode& element : root.at("expect").elements())
      manifest.expect.push_back(readExpectation(element));
  manifest.hash = hashOf(manifest);
  return manifest;
}

std::vector<CaseManifest> loadCases(const std::vector<fs::path>& roots) {
  std::vector<CaseManifest> cases;
  for (const fs::path& root : roots) {
    std::error_code ec;
    fs::directory_iterator folders(root, ec);
    if (ec) failUsage("cannot read the cases in '{0}': {1}", root.string(), ec.message());
    for (const auto& folder : folders)
      if (fs::exists(folder.path() / "case.json")) cases.push_back(CaseManifest::load(folder.path()));
  }
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  auto twin = std::adjacent_find(cases.begin(), cases.end(),
                                 [](const auto& a, const auto& b) { return a.id == b.id; });
  if (twin != cases.end())
    failUsage("two cases are named '{0}': '{1}' and '{2}'; rename one folder", twin->id,
              twin->directory.string(), std::next(twin)->directory.string());
  return cases;
}

const Expectation* expectationFor(const CaseManifest& manifest, const Version& nvcc, const Version& ptxas,
                                  std::string_view arch, std::string_view opt) {
  for (const Expectation& expectation : manifest.expect) {
    if (expectation.nvcc && !expectation.nvcc->contains(nvcc)) continue;
    if (expectation.ptxas && !expectation.ptxas->contains(ptxas)) continue;
    if (matchesAny(expectation.arch, arch) && matchesAny(expectation.opt, opt)) return &expectation;
  }
  return nullptr;
}

} // namespace harness
