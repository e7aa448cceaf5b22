// SPDX-License-Identifier: Apache-2.0
#include "protocol/search.hpp"

#include <algorithm>

#include "protocol/dead.hpp"
#include "protocol/model.hpp"
#include "protocol/pack.hpp"
#include "protocol/state_set.hpp"
#include "protocol/ways.hpp"

namespace muster::protocol {
namespace {

class Search {
 public:
  Search(const Protocol& protocol, const Limits& limits)
      : p_(protocol),
        limits_(limits),
        forgets_(limits.forget && knows_dead(protocol)),
        packer_(p_.tree, p_.rules, p_.around, limits.symmetry) {}

  Result run() {
    p_.bound_met = false;
    bool all = explore();
    result_.states = states_.size();
    result_.complete = all && !p_.bound_met;
    if (all && limits_.progress && result_.violation.empty()) find_stuck();
    return result_;
  }

 private:
  /// Says if there are no more states.
  bool explore() {
    insert(first_state(p_), StateSet::kNone);
    for (std::uint32_t n = 0; n < states_.size(); ++n) {
      const State s = packer_.unpack(states_[n]);
      find_steps(p_, s, steps_);
      ways_.begin_state(has_ended(p_, s));
      for (Step& step : steps_) {
        if (step.violation != nullptr) {
          result_.violation = step.violation;
          const std::string last = describe(p_, step);
          trace_to(n);
          result_.trace.push_back(last);
          return true;
        }
        const std::uint32_t to = insert(step.next, n);
        if (limits_.progress && !step.is_fault) ways_.add(to, step.progress);
      }
      if (states_.size() > limits_.states) return false;
    }
    return true;
  }

  std::uint32_t insert(State& s, std::uint32_t from) {
    const auto [number, is_new] = states_.insert(key(s));
    if (is_new) parents_.push_back(from);
    return number;
  }
  std::uint32_t insert(State&& s, std::uint32_t from) { return insert(s, from); }

  Key key(State& s) const {
    if (forgets_) forget_dead(p_, s);
    return packer_.pack(s);
  }

  void trace_to(std::uint32_t n) {
    std::vector<std::uint32_t> way;
    for (; n != StateSet::kNone; n = parents_[n]) way.push_back(n);
    std::reverse(way.begin(), way.end());
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
      find_steps(p_, packer_.unpack(states_[way[i]]), steps_);
      const auto step = std::find_if(steps_.begin(), steps_.end(), [&](Step& x) {
        return states_.find(key(x.next)) == way[i + 1];
      });
      result_.trace.push_back(describe(p_, *step));
    }
  }

  void find_stuck() {
    const std::vector<std::uint32_t> stuck = ways_.without_goal();
    result_.stuck = stuck.size();
    if (!stuck.empty()) trace_to(stuck.front());
  }

  const Protocol& p_;
  Limits limits_;
  bool forgets_;
  Packer packer_;
  StateSet states_;
  std::vector<std::uint32_t> parents_;
  Ways ways_;
  std::vector<Step> steps_;
  Result result_;
};

}  // namespace

Result search(const Protocol& protocol, const Limits& limits) {
  return Search(protocol, limits).run();
}

}  // namespace muster::protocol
