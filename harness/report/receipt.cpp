#include "harness/report/receipt.h"

#include "harness/base/error.h"
#include "harness/base/hash.h"

#include <llvm/Support/FormatVariadic.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace harness {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kCompleted = "completed", kFirstOrder = "ft";

class ReceiptMaker {
public:
  ReceiptMaker(Store& store, const std::function<std::string(const std::string&)>& outputs)
      : store_(store), outputs_(outputs) {}

  void add(const std::string& name, const CellRecord& cell) {
    bool any = false;
    std::string why = "it was not executed on a device";
    for (std::size_t build = 0; build < cell.verdicts.size(); ++build)
      for (const VerdictRecord& device : cell.verdicts[build]) {
        if (device.executor != "gpu") continue;
        auto cpu = std::find_if(
            cell.verdicts[build].begin(), cell.verdicts[build].end(),
            [&](const VerdictRecord& one) { return one.executor == "sass" && one.shape == device.shape; });
        if (device.executionKeys.empty())
          why = std::string(toString(device.verdict)) + " on the device";
        else if (cpu == cell.verdicts[build].end() || cpu->executionKeys.empty())
          why = "it was not executed on the CPU";
        else
          any |= compare(name, cell.builds[build].cubinHash, device, *cpu, why);
      }
    if (any)
      ++receipt_.cells;
    else
      ++receipt_.notCompared[why];
  }

  Receipt finish() {
    receipt_.digest = digest_.hex();
    return std::move(receipt_);
  }

private:
  std::vector<ExecutionRecord> executionsOf(const VerdictRecord& verdict) {
    std::vector<ExecutionRecord> executions;
    for (auto& one : store_.findExecutions(verdict.executionKeys))
      if (one) executions.push_back(std::move(*one));
    return executions;
  }

  /// False if there was nothing to compare; then `why` says so.
  bool compare(const std::string& name, const std::string& cubin, const VerdictRecord& device,
               const VerdictRecord& cpu, std::string& why) {
    std::vector<ExecutionRecord> onCpu = executionsOf(cpu);
    bool any = false;
    for (const ExecutionRecord& one : executionsOf(device)) {
      receipt_.devices.insert(one.device);
      auto answer = std::find_if(onCpu.begin(), onCpu.end(), [&](const ExecutionRecord& other) {
        return isAnswer(other) && other.poison == one.poison;
      });
      if (answer == onCpu.end()) {
        why = "its execution on the CPU is not known any more";
        continue;
      }
      if (one.end == "unsupported" || answer->end == "unsupported") {
        why = one.end == "unsupported" ? "unsupported on the device" : "unsupported on the CPU";
        continue;
      }
      any = true;
      compareLaunch(name, cubin, device, cpu, one, *answer, onCpu);
    }
    return any;
  }

  /// Not one that looks for what nobody wrote, which has no outputs, nor one in another order.
  static bool isAnswer(const ExecutionRecord& one) {
    return one.schedule == kFirstOrder && one.seed == 0 && !(one.end == kCompleted && one.outputHash.empty());
  }

  void compareLaunch(const std::string& name, const std::string& cubin, const VerdictRecord& device,
                     const VerdictRecord& cpu, const ExecutionRecord& onDevice, const ExecutionRecord& answer,
                     const std::vector<ExecutionRecord>& onCpu) {
    ++receipt_.launches;
    receipt_.bytes += device.bytes;
    digest_.add("cell", name)
        .add("shape", device.shape)
        .add("poison", onDevice.poison)
        .add("cubin", cubin)
        .add("device", onDevice.end + onDevice.outputHash)
        .add("cpu", answer.end + answer.outputHash);
    auto isLike = [&](const ExecutionRecord& other) {
      return onDevice.outcomes.empty() && onDevice.end == other.end &&
             onDevice.outputHash == other.outputHash;
    };
    if (isLike(answer)) {
      ++receipt_.equal;
      return;
    }
    for (const ExecutionRecord& other : onCpu) {
      if (other.poison != onDevice.poison || (isAnswer(other) && other.key != answer.key) || !isLike(other))
        continue;
      bool isOrder = other.schedule != kFirstOrder;
      ++(isOrder ? receipt_.inAnotherOrder : receipt_.withinAnUlp);
      return;
    }
    ReceiptDifference difference{name,
                                 device.shape,
                                 onDevice.poison,
                                 std::string(toString(device.verdict)),
                                 std::string(toString(cpu.verdict)),
                                 "",
                                 cubin,
                                 settle(device, cpu, answer)};
    if (onDevice.end == kCompleted && answer.end == kCompleted)
      difference.first = firstByte(answer.outputHash, onDevice.outputHash);
    else
      difference.first = "on the CPU " + answer.end + " " + answer.message + ", on the device " +
                         onDevice.end + " " + onDevice.message;
    receipt_.differences.push_back(std::move(difference));
  }

  std::string firstByte(const std::string& cpuHash, const std::string& deviceHash) const {
    std::string cpu = outputs_(cpuHash), device = outputs_(deviceHash);
    if (cpu.size() != device.size() || cpu.empty()) return "the outputs are not known any more";
    auto [one, other] = std::mismatch(cpu.begin(), cpu.end(), device.begin());
    if (one == cpu.end()) return "it varies";
    return llvm::formatv("byte {0:x} of the outputs: {1:x2} on the CPU, {2:x2} on the device",
                         one - cpu.begin(), unsigned{static_cast<unsigned char>(*one)},
                         unsigned{static_cast<unsigned char>(*other)})
        .str();
  }

  /// What nothing fixes may differ: of who races, or reads what nobody wrote.
  static std::string settle(const VerdictRecord& device, const VerdictRecord& cpu,
                            const ExecutionRecord& answer) {
    if (cpu.blame == Blame::Source || device.blame == Blame::Source) return "the source leaves it undefined";
    if (cpu.verdict == Verdict::ScheduleDependent) return "it depends on the order of diverged paths";
    if (cpu.verdict == Verdict::Approximate) return "it depends on approximate results";
    if (answer.approximations > 0) return "it has results that the CPU knows to within an ulp only (MUFU)";
    return "";
  }

  Store& store_;
  const std::function<std::string(const std::string&)>& outputs_;
  Receipt receipt_;
  KeyHasher digest_{"receipt/1"};
};

} // namespace

Receipt makeReceipt(Store& store, QueryFilter filter,
                    const std::function<std::string(const std::string& hash)>& outputs) {
  filter.limit = std::numeric_limits<std::uint32_t>::max();
  ReceiptMaker maker(store, outputs);
  for (const QueryRow& row : store.query(filter))
    if (auto cell = store.cell(row.caseId, row.toolchain, row.arch, row.opt))
      maker.add(row.caseId + "@" + row.toolchain + "/" + row.arch + "/" + row.opt, *cell);
  Receipt receipt = maker.finish();
  if (receipt.devices.empty())
    failUsage("no cell was executed on a device, so there is nothing to vouch for; 'harness run --executor "
              "gpu,sass' executes on both");
  return receipt;
}

std::string renderReceipt(const Receipt& receipt, const std::string& date, const std::string& revision,
                          const std::string& more) {
  Json devices = Json::array(), differences = Json::array(), notCompared = Json::object();
  for (const std::string& device : receipt.devices)
    devices.push_back(Json::parse(device, nullptr, /*allow_exceptions=*/false));
  for (const ReceiptDifference& one : receipt.differences)
    differences.push_back({{"cell", one.cell},
                           {"shape", one.shape},
                           {"poison", one.poison},
                           {"device", one.onDevice},
                           {"cpu", one.onCpu},
                           {"first", one.first},
                           {"cubin", one.cubinHash},
                           {"settled", one.settled.empty() ? Json() : Json(one.settled)},
                           {"explain", "harness explain " + one.cell}});
  for (const auto& [reason, count] : receipt.notCompared)
    notCompared[reason] = count;
  Json all = {{"devices", devices},
              {"date", date},
              {"revision", revision},
              {"cells", receipt.cells},
              {"launches", receipt.launches},
              {"bytes", receipt.bytes},
              {"equal", receipt.equal},
              {"in_another_order", receipt.inAnotherOrder},
              {"within_an_ulp", receipt.withinAnUlp},
              {"different", receipt.differences.size()},
              {"differences", differences},
              {"not_compared", notCompared},
              {"digest", receipt.digest}};
  if (!more.empty()) all["more"] = Json::parse(more, nullptr, /*allow_exceptions=*/false);
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace harness
