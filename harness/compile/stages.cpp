#include "harness/compile/stages.h"

#include "harness/base/hash.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace harness {

namespace {

using nlohmann::json;

constexpr std::pair<CompileStatus, std::string_view> kStatusNames[] = {
    {CompileStatus::Ok, "ok"},
    {CompileStatus::Skipped, "skipped"},
    {CompileStatus::CompileError, "compile-error"},
    {CompileStatus::Ice, "ice"},
    {CompileStatus::Timeout, "timeout"},
    {CompileStatus::InfraError, "infra-error"},
};

bool dependsOnMachine(CompileStatus status) {
  return status == CompileStatus::Timeout || status == CompileStatus::InfraError;
}

std::string toJson(const StageResult& result) {
  return json{{"status", toString(result.status)},
              {"hash", result.hash},
              {"command", result.command},
              {"log", result.log},
              {"seconds", result.seconds}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Nothing if `text` is not what toJson makes: the entry is then computed again.
std::optional<StageResult> fromJson(const std::string& text) {
  json value = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!value.is_object()) return std::nullopt;
  for (const char* name : {"status", "hash", "command", "log"})
    if (!value.contains(name) || !value[name].is_string()) return std::nullopt;
  if (!value.contains("seconds") || !value["seconds"].is_number()) return std::nullopt;
  auto status = std::find_if(std::begin(kStatusNames), std::end(kStatusNames),
                             [&](const auto& entry) { return value["status"] == entry.second; });
  if (status == std::end(kStatusNames)) return std::nullopt;
  return StageResult{status->first,  value["hash"], value["command"], value["log"], value["seconds"],
                     /*cached=*/true};
}

} // namespace

std::string_view toString(CompileStatus status) {
  for (const auto& [value, name] : kStatusNames)
    if (value == status) return name;
  return "unknown";
}

std::optional<StageResult> Stages::recall(const std::string& key) const {
  std::optional<std::string> text = cache_.getAction(key);
  std::optional<StageResult> result = text ? fromJson(*text) : std::nullopt;
  if (!result) return std::nullopt;
  if (result->status == CompileStatus::Ok && (!isSha256(result->hash) || !cache_.hasArtifact(result->hash)))
    return std::nullopt;
  return result;
}

void Stages::remember(const std::string& key, const StageResult& result) {
  if (!dependsOnMachine(result.status)) cache_.putAction(key, toJson(result));
}

StageResult Stages::get(const std::string& key, const std::function<StageResult()>& compute) {
  if (auto known = recall(key)) return *known;

  std::promise<StageResult> promise;
  std::shared_future<StageResult> other;
  {
    std::lock_guard lock(mutex_);
    auto [entry, isFirst] = running_.try_emplace(key);
    if (isFirst)
      entry->second = promise.get_future().share();
    else
      other = entry->second;
  }
  if (other.valid()) {
    StageResult result = other.get();
    result.cached = true;
    return result;
  }

  auto finish = [&](auto&& settle) {
    settle();
    std::lock_guard lock(mutex_);
    running_.erase(key);
  };
  try {
    std::optional<StageResult> result = recall(key); // another thread may just have finished
    if (!result) {
      result = compute();
      remember(key, *result);
    }
    finish([&] { promise.set_value(*result); });
    return *result;
  } catch (...) {
    finish([&] { promise.set_exception(std::current_exception()); });
    throw;
  }
}

} // namespace harness
