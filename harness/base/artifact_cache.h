#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace harness {

/// A directory of immutable entries, each under a 64-digit hex key. Two uses of it:
/// *artifacts*, whose key is the SHA-256 of their bytes, and *actions*, whose key is the hash of
/// everything that went in and whose value says what came out.
///
/// Safe between concurrent processes, and after a kill at any instant: an entry appears by rename,
/// whole or not at all. An entry that is no longer what was put (a disk that failed or was full, a power cut)
/// is dropped and reported absent.
class ArtifactCache {
public:
  /// Makes `directory` if it is missing. Throws Error(Environment) if that fails.
  explicit ArtifactCache(std::filesystem::path directory);

  /// Stores `bytes` and returns their SHA-256. Throws Error(Environment), e.g. on a full disk.
  std::string putArtifact(std::string_view bytes);
  /// Nothing if it is not there, or is no longer what its hash says.
  std::optional<std::string> getArtifact(const std::string& hash) const;
  /// That the file is there; what it holds is not read.
  bool hasArtifact(const std::string& hash) const;
  /// Where the artifact lies or would lie.
  std::filesystem::path artifactPath(const std::string& hash) const;

  /// Replaces what is there under `key`. Throws as putArtifact does.
  void putAction(const std::string& key, std::string_view value);
  /// Nothing if it is not there, or is damaged.
  std::optional<std::string> getAction(const std::string& key) const;

  /// Removes the least recently used entries until at most `limitBytes` are left.
  void prune(std::uint64_t limitBytes);

  const std::filesystem::path& directory() const { return directory_; }

private:
  std::filesystem::path entryPath(std::string_view kind, const std::string& key) const;
  std::optional<std::string> read(const std::filesystem::path& path) const;

  std::filesystem::path directory_;
};

} // namespace harness
