#include "harness/ptx/joins.h"

#include <algorithm>

namespace harness::ptx {

namespace {

/// Functions with more branches than this get no joins: their paths stay apart, which is slower and as right.
constexpr std::size_t kMostBranches = 20'000;

/// The control flow of one function. Node 0 is its end; node n > 0 is the n-th basic block.
class Flowgraph {
public:
  Flowgraph(const Code& code, const FunctionCode& function) : code_(code), function_(function) {
    findBlocks();
    for (std::uint32_t node = 1; node < begins_.size(); ++node)
      connect(node);
  }

  std::size_t size() const { return begins_.size(); }
  const std::vector<std::uint32_t>& successors(std::uint32_t node) const { return successors_[node]; }
  std::uint32_t begin(std::uint32_t node) const { return begins_[node]; }
  std::uint32_t last(std::uint32_t node) const {
    return node + 1 < begins_.size() ? begins_[node + 1] - 1 : function_.end - 1;
  }

private:
  void findBlocks() {
    begins_ = {0, function_.begin};
    for (std::uint32_t at = function_.begin; at < function_.end; ++at) {
      const Op& op = code_.ops[at];
      if (op.flow == Flow::Next) continue;
      begins_.push_back(at + 1);
      if (op.flow == Flow::Branch) begins_.push_back(op.target);
      if (op.flow == Flow::Indexed)
        begins_.insert(begins_.end(), code_.tables[op.target].begin(), code_.tables[op.target].end());
    }
    std::sort(begins_.begin() + 1, begins_.end());
    begins_.erase(std::unique(begins_.begin() + 1, begins_.end()), begins_.end());
    while (begins_.size() > 1 && begins_.back() >= function_.end)
      begins_.pop_back();
    successors_.resize(begins_.size());
  }

  std::uint32_t nodeAt(std::uint32_t at) const {
    if (at >= function_.end) return 0;
    return static_cast<std::uint32_t>(std::upper_bound(begins_.begin() + 1, begins_.end(), at) -
                                      begins_.begin() - 1);
  }

  void connect(std::uint32_t node) {
    std::uint32_t at = last(node);
    const Op& op = code_.ops[at];
    std::vector<std::uint32_t>& to = successors_[node];
    if (op.flow == Flow::Branch) to.push_back(nodeAt(op.target));
    if (op.flow == Flow::Indexed)
      for (std::uint32_t target : code_.tables[op.target])
        to.push_back(nodeAt(target));
    if (op.flow == Flow::End) to.push_back(0);
    if (op.flow == Flow::Next || !op.guard.always) to.push_back(nodeAt(at + 1));
  }

  const Code& code_;
  const FunctionCode& function_;
  std::vector<std::uint32_t> begins_;
  std::vector<std::vector<std::uint32_t>> successors_;
};

/// Immediate dominators of the reversed graph from node 0 (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance
/// Algorithm").
class PostDominators {
public:
  explicit PostDominators(const Flowgraph& graph) : graph_(graph), predecessors_(graph.size()) {
    for (std::uint32_t node = 0; node < graph.size(); ++node)
      for (std::uint32_t to : graph.successors(node))
        predecessors_[to].push_back(node);
    number();
    solve();
  }

  /// 0 = the end; also for nodes from which the end is not reached.
  std::uint32_t of(std::uint32_t node) const { return dominator_[node] == kNone ? 0 : dominator_[node]; }

private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Post-order of a depth-first walk from the end against the arrows.
  void number() {
    order_.assign(graph_.size(), kNone);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{0, 0}};
    std::vector<bool> seen(graph_.size());
    seen[0] = true;
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next == predecessors_[node].size()) {
        order_[node] = static_cast<std::uint32_t>(walk_.size());
        walk_.push_back(node);
        stack.pop_back();
        continue;
      }
      std::uint32_t to = predecessors_[node][next++];
      if (seen[to]) continue;
      seen[to] = true;
      stack.emplace_back(to, 0);
    }
  }

  void solve() {
    dominator_.assign(graph_.size(), kNone);
    dominator_[0] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto node = walk_.rbegin(); node != walk_.rend(); ++node) {
        if (*node == 0) continue;
        std::uint32_t best = kNone;
        for (std::uint32_t to : graph_.successors(*node))
          if (dominator_[to] != kNone) best = best == kNone ? to : meet(best, to);
        if (best == dominator_[*node]) continue;
        dominator_[*node] = best;
        changed = true;
      }
    }
  }

  std::uint32_t meet(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      while (order_[a] < order_[b])
        a = dominator_[a];
      while (order_[b] < order_[a])
        b = dominator_[b];
    }
    return a;
  }

  const Flowgraph& graph_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
  std::vector<std::uint32_t> order_, walk_, dominator_;
};

} // namespace

void findJoins(Code& code, const FunctionCode& function) {
  std::size_t branches = 0;
  for (std::uint32_t at = function.begin; at < function.end; ++at) {
    code.ops[at].join = Code::kNowhere;
    branches += code.ops[at].flow != Flow::Next;
  }
  if (branches == 0 || branches > kMostBranches) return;
  Flowgraph graph(code, function);
  PostDominators dominators(graph);
  for (std::uint32_t node = 1; node < graph.size(); ++node) {
    Op& op = code.ops[graph.last(node)];
    if (op.flow != Flow::Branch && op.flow != Flow::Indexed) continue;
    std::uint32_t join = dominators.of(node);
    op.join = join == 0 ? function.end - 1 : graph.begin(join);
  }
}

} // namespace harness::ptx
