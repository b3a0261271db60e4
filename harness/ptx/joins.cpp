#include "harness/ptx/joins.h"

#include <algorithm>

namespace harness::ptx {

namespace {

/// Functions whose brx.idx have so many targets for each instruction get no joins: their paths stay apart,
/// which is slower and as right.
constexpr std::size_t kTargetsOfInstruction = 4;

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

/// Immediate dominators of the reversed graph from node 0 (Lengauer and Tarjan: "A Fast Algorithm for Finding
/// Dominators in a Flowgraph", the simpler version), in O(m log n). Nodes are taken by their number in a
/// depth-first walk.
class PostDominators {
public:
  explicit PostDominators(const Flowgraph& graph) : graph_(graph) {
    number();
    solve();
  }

  /// 0 = the end; also for nodes from which the end is not reached.
  std::uint32_t of(std::uint32_t node) const {
    return number_[node] == kNone ? 0 : nodes_[dominator_[number_[node]]];
  }

private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// A depth-first walk from the end against the arrows.
  void number() {
    std::vector<std::vector<std::uint32_t>> predecessors(graph_.size());
    for (std::uint32_t node = 0; node < graph_.size(); ++node)
      for (std::uint32_t to : graph_.successors(node))
        predecessors[to].push_back(node);
    number_.assign(graph_.size(), kNone);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack;
    auto visit = [&](std::uint32_t node, std::uint32_t parent) {
      number_[node] = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(node);
      parent_.push_back(parent);
      stack.emplace_back(node, 0);
    };
    visit(0, 0);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next == predecessors[node].size()) {
        stack.pop_back();
        continue;
      }
      std::uint32_t to = predecessors[node][next++];
      if (number_[to] == kNone) visit(to, number_[node]);
    }
  }

  void solve() {
    std::size_t count = nodes_.size();
    ancestor_.assign(count, kNone);
    dominator_.assign(count, 0);
    for (std::uint32_t v = 0; v < count; ++v) {
      semi_.push_back(v);
      best_.push_back(v);
    }
    std::vector<std::vector<std::uint32_t>> bucket(count);
    for (std::uint32_t v = static_cast<std::uint32_t>(count) - 1; v > 0; --v) {
      for (std::uint32_t to : graph_.successors(nodes_[v]))
        if (number_[to] != kNone) semi_[v] = std::min(semi_[v], semi_[bestAbove(number_[to])]);
      bucket[semi_[v]].push_back(v);
      std::uint32_t parent = parent_[v];
      ancestor_[v] = parent;
      for (std::uint32_t w : bucket[parent]) {
        std::uint32_t best = bestAbove(w);
        dominator_[w] = semi_[best] < semi_[w] ? best : parent;
      }
      bucket[parent].clear();
    }
    for (std::uint32_t v = 1; v < count; ++v)
      if (dominator_[v] != semi_[v]) dominator_[v] = dominator_[dominator_[v]];
  }

  /// The node of least semidominator on the way from v up to, but without, the root of its tree; shortens the
  /// way.
  std::uint32_t bestAbove(std::uint32_t v) {
    if (ancestor_[v] == kNone) return v;
    way_.clear();
    for (std::uint32_t at = v; ancestor_[ancestor_[at]] != kNone; at = ancestor_[at])
      way_.push_back(at);
    for (; !way_.empty(); way_.pop_back()) {
      std::uint32_t at = way_.back(), above = ancestor_[at];
      if (semi_[best_[above]] < semi_[best_[at]]) best_[at] = best_[above];
      ancestor_[at] = ancestor_[above];
    }
    return best_[v];
  }

  const Flowgraph& graph_;
  std::vector<std::uint32_t> number_;         ///< of a node; kNone: the end is not reached from it
  std::vector<std::uint32_t> nodes_, parent_; ///< by number, as all that follow
  std::vector<std::uint32_t> semi_, best_, ancestor_, dominator_;
  std::vector<std::uint32_t> way_;
};

} // namespace

void findJoins(Code& code, const FunctionCode& function) {
  std::size_t branches = 0, targets = 0;
  for (std::uint32_t at = function.begin; at < function.end; ++at) {
    Op& op = code.ops[at];
    op.join = Code::kNowhere;
    branches += op.flow != Flow::Next;
    if (op.flow == Flow::Indexed) targets += code.tables[op.target].size();
  }
  if (branches == 0 || targets / kTargetsOfInstruction > function.end - function.begin) return;
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
