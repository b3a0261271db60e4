#include "harness/compile/source_tree.h"

#include "harness/base/error.h"
#include "harness/base/files.h"

#include <algorithm>
#include <deque>
#include <set>

namespace harness {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxFiles = 8192;
constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

/// `text` without backslash-newlines: a directive may be split by them.
std::string joinLines(std::string_view text) {
  std::string joined;
  joined.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n')
      ++i;
    else if (text.substr(i, 3) == "\\\r\n")
      i += 2;
    else
      joined += text[i];
  }
  return joined;
}

/// Drops blanks and complete block comments from the front.
void skipBlanks(std::string_view& text) {
  for (;;) {
    std::size_t blanks = text.find_first_not_of(" \t\v\f\r");
    text.remove_prefix(std::min(blanks, text.size()));
    std::size_t end = text.starts_with("/*") ? text.find("*/", 2) : std::string_view::npos;
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 2);
  }
}

bool skipWord(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// Takes `"name"` or `<name>` from the front; false if neither stands there.
bool takeName(std::string_view text, IncludeRequests& requests) {
  bool quoted = text.starts_with('"');
  if (!quoted && !text.starts_with('<')) return false;
  std::size_t end = text.find(quoted ? '"' : '>', 1);
  if (end == std::string_view::npos) return false;
  (quoted ? requests.quoted : requests.angled).emplace_back(text.substr(1, end - 1));
  return true;
}

void scanDirective(std::string_view line, IncludeRequests& requests) {
  skipBlanks(line);
  if (!skipWord(line, "#") && !skipWord(line, "%:")) return;
  skipBlanks(line);
  std::string_view word = line.substr(0, line.find_first_not_of("_abcdefghijklmnopqrstuvwxyz"));
  if (word != "include" && word != "include_next" && word != "import") return;
  line.remove_prefix(word.size());
  skipBlanks(line);
  if (!takeName(line, requests)) requests.computed = true;
}

/// A computed `__has_include(MACRO)` is let go: what it guards is an #include, which is found by itself.
void scanHasInclude(std::string_view line, IncludeRequests& requests) {
  constexpr std::string_view kWord = "__has_include";
  for (std::size_t at = 0; (at = line.find(kWord, at)) != std::string_view::npos;) {
    std::string_view rest = line.substr(at += kWord.size());
    skipWord(rest, "_next");
    skipBlanks(rest);
    if (!skipWord(rest, "(")) continue;
    skipBlanks(rest);
    takeName(rest, requests);
  }
}

} // namespace

IncludeRequests scanIncludes(std::string_view text) {
  IncludeRequests requests;
  std::string joined = joinLines(text);
  std::string_view rest = joined;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    scanDirective(line, requests);
    scanHasInclude(line, requests);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return requests;
}

namespace {

/// A folder of the user's that is mirrored in the copy.
struct Root {
  fs::path directory;  ///< absolute, normal
  std::string name;    ///< in the copy
  std::size_t ups = 0; ///< how far above it files of it lie (`#include "../x.h"`)
};

/// A file reached through a root; `root` is kNoRoot for one included by an absolute path.
struct Visit {
  std::size_t root;
  fs::path path; ///< absolute, normal
  auto operator<=>(const Visit&) const = default;
};
constexpr std::size_t kNoRoot = ~std::size_t{0};

/// Roots and the files reached so far.
class Scan {
public:
  explicit Scan(const KernelSource& source) {
    fs::path file = fs::absolute(source.file).lexically_normal();
    addRoot(file.parent_path(), "src");
    for (std::size_t i = 0; i < source.include.size(); ++i)
      addRoot(fs::absolute(source.include[i]).lexically_normal(), "inc" + std::to_string(i));
    visit({0, file});
    for (; !pending_.empty(); pending_.pop_front())
      follow(pending_.front());
  }

  const std::map<Visit, std::string>& files() const { return files_; }
  const std::vector<Root>& roots() const { return roots_; }

  /// Where the root's folder lies in the copy. The names of the folders above it are kept as far as files use
  /// them.
  fs::path place(const Root& root) const {
    fs::path tail;
    fs::path directory = root.directory;
    for (std::size_t i = 0; i < root.ups; ++i, directory = directory.parent_path())
      tail = tail.empty() ? directory.filename() : directory.filename() / tail;
    return tail.empty() ? fs::path(root.name) : root.name / tail;
  }

  fs::path place(const Visit& file) const {
    if (file.root == kNoRoot) return file.path;
    const Root& root = roots_[file.root];
    return (place(root) / file.path.lexically_relative(root.directory)).lexically_normal();
  }

private:
  void addRoot(fs::path directory, std::string name) {
    if (!directory.has_filename()) directory = directory.parent_path();
    std::error_code ec;
    if (!fs::is_directory(directory, ec))
      failUsage("include directory '{0}' does not exist or is no directory", directory.string());
    roots_.push_back({std::move(directory), std::move(name)});
  }

  void visit(const Visit& file) {
    if (files_.contains(file)) return;
    std::string& bytes = files_[file] = readFile(file.path, kMaxBytes);
    bytes_ += bytes.size();
    if (files_.size() > kMaxFiles || bytes_ > kMaxBytes)
      failUsage("'{0}' can include more than {1} files or {2} MiB: name narrower include directories{3}",
                files_.begin()->first.path.string(), kMaxFiles, kMaxBytes >> 20,
                takesAll_ ? " (an #include of a macro makes every file of them count)" : "");
    if (file.root != kNoRoot) {
      fs::path relative = file.path.lexically_relative(roots_[file.root].directory);
      auto ups = static_cast<std::size_t>(std::count(relative.begin(), relative.end(), fs::path("..")));
      roots_[file.root].ups = std::max(roots_[file.root].ups, ups);
    }
    pending_.push_back(file);
  }

  void visitIfFile(std::size_t root, const fs::path& path) {
    std::error_code ec;
    if (fs::is_regular_file(path, ec)) visit({root, path.lexically_normal()});
  }

  void follow(const Visit& file) {
    IncludeRequests requests = scanIncludes(files_.at(file));
    for (const std::string& name : requests.quoted)
      visitIfFile(file.root, file.path.parent_path() / name);
    for (const auto* names : {&requests.quoted, &requests.angled})
      for (const std::string& name : *names)
        visitFromRoots(name);
    if (requests.computed) visitAll();
  }

  void visitFromRoots(const std::string& name) {
    if (fs::path(name).is_absolute()) return visitIfFile(kNoRoot, name);
    for (std::size_t root = 1; root < roots_.size(); ++root)
      visitIfFile(root, roots_[root].directory / name);
  }

  void visitAll() {
    if (std::exchange(takesAll_, true)) return;
    for (std::size_t root = 0; root < roots_.size(); ++root) {
      std::error_code ec;
      for (fs::recursive_directory_iterator it(roots_[root].directory, ec), end; !ec && it != end;
           it.increment(ec))
        visitIfFile(root, it->path());
    }
  }

  std::vector<Root> roots_;
  std::map<Visit, std::string> files_;
  std::deque<Visit> pending_;
  std::uint64_t bytes_ = 0;
  bool takesAll_ = false;
};

} // namespace

SourceTree SourceTree::collect(const KernelSource& source) {
  Scan scan(source);
  SourceTree tree;
  for (const auto& [file, bytes] : scan.files())
    tree.files_[scan.place(file).string()] = bytes;
  tree.source_ = scan.place(Visit{0, fs::absolute(source.file).lexically_normal()}).string();
  for (std::size_t i = 1; i < scan.roots().size(); ++i)
    tree.includeDirs_.push_back(scan.place(scan.roots()[i]).string());
  return tree;
}

void SourceTree::addTo(KeyHasher& key) const {
  key.add("source", source_);
  for (const std::string& directory : includeDirs_)
    key.add("include", directory);
  for (const auto& [place, bytes] : files_)
    key.add("file", place).add("bytes", bytes);
}

void SourceTree::write(const fs::path& directory) const {
  std::error_code ec;
  for (const std::string& place : includeDirs_)
    fs::create_directories(directory / place, ec);
  for (const auto& [place, bytes] : files_) {
    if (fs::path(place).is_absolute()) continue;
    fs::create_directories((directory / place).parent_path(), ec);
    writeFileAtomically(directory / place, bytes);
  }
}

} // namespace harness
