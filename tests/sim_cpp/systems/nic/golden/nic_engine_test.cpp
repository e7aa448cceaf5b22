// SPDX-License-Identifier: Apache-2.0
#include "support/test.hpp"
#include "systems/nic/golden/nic_context.hpp"
#include "systems/nic/nic_registers.hpp"
#include "systems/nic/step_list.hpp"

namespace muster::golden {

// Every order in which a small group's contexts can meet, on the worst network there is: a STEP,
// once sent, can come at any time, any number of times, in any order, or never, as long as it is no
// older than 2^SeqW - 2 barriers; so can a NACK of any barrier that its sender has begun. So what
// the network holds follows from how far the members are, and a state is that of the contexts.
namespace {
using nic::StepAlgorithm;

constexpr std::uint32_t kSeqW = 2, kEntries = 8;
constexpr NicTimes kNoTimers{};

struct Member {
  NicContext context{{.steps = kEntries, .seq_w = kSeqW}};
  std::int32_t begun = 0, left = 0;  ///< barriers, counted without bound

  auto key() const {
    return std::tuple(context.control(), context.received(), context.early(), context.sent(), begun,
                      left);
  }
};
using State = std::vector<Member>;

class Explorer {
 public:
  Explorer(StepAlgorithm algorithm, std::uint32_t members, std::uint32_t degree,
           std::int32_t barriers)
      : lists_(nic::step_lists(algorithm, members, degree)), barriers_(barriers) {
    std::vector<topology::NodeId> nodes(members);
    std::iota(nodes.begin(), nodes.end(), 0u);
    State start(members);
    for (std::uint32_t i = 0; i < members; ++i) {
      for (const auto& image : nic::entry_images(lists_, i, nodes, nic::ListForm::kList, kEntries))
        start[i].context.write_entry(image.entry, image.word);
      start[i].context.write_control(nic::registers::control_word(0, 0, false));
    }
    reach(start);
    while (!open_.empty()) {
      const State state = std::move(open_.front());
      open_.pop_front();
      expand(state);
    }
  }
  std::size_t states() const { return seen_.size(); }
  std::size_t ends() const { return ends_; }

 private:
  void reach(const State& state) {
    std::vector<decltype(std::declval<Member>().key())> key;
    for (const Member& m : state) key.push_back(m.key());
    if (seen_.insert(std::move(key)).second) open_.push_back(state);
  }

  void expand(const State& state) {
    moved_ = false;
    for (std::uint32_t i = 0; i < state.size(); ++i) {
      const Member& m = state[i];
      if (m.context.phase() == NicPhase::kIdle && m.begun < barriers_) {
        State next = state;
        next[i].context.ring(nic::registers::kContextsDoorbellStarts.mask());
        ++next[i].begun;
        move(state, next);
      }
      clock(state, i, {});
      for (std::uint32_t s = 0; s < lists_[i].size(); ++s) deliver(state, i, s);
    }
    bool all_left = true;
    for (const Member& m : state) all_left &= m.left == barriers_;
    ends_ += all_left;
    REQUIRE(moved_ != all_left);  // it can go on until all have left
  }

  /// Has member i, in this state, passed its step s of barrier q?
  static bool passed(const Member& m, std::uint32_t s, std::int32_t q) {
    if (q < m.left) return true;
    return q == m.left && m.context.phase() == NicPhase::kRunning && (m.context.sent() >> s & 1);
  }

  /// Whatever can come about entry s of member i.
  void deliver(const State& state, std::uint32_t i, std::uint32_t s) {
    const nic::Step& step = lists_[i][s];
    const Member& m = state[i];
    const Member& peer = state[step.peer];
    for (std::int32_t q = std::max(0, m.left + 2 - (1 << kSeqW)); q < peer.begun; ++q) {
      nic::NicMessage message{.type = step.send ? nic::NicType::kNack : nic::NicType::kStep,
                              .source = step.peer,
                              .destination = i,
                              .slot = static_cast<std::uint8_t>(s),
                              .barrier = static_cast<std::uint8_t>(q & ((1 << kSeqW) - 1))};
      if (!step.send && !passed(peer, step.peer_step, q)) continue;
      const NicVerdict verdict = m.context.judge(message);
      REQUIRE(verdict.drop != NicDrop::kUnknown);
      if (verdict.reply == nic::NicType::kStep) REQUIRE(passed(m, s, q));  // truth
      if (verdict.receive != 0) REQUIRE(q == m.left);                      // of this barrier
      if (verdict.early != 0) REQUIRE(q == m.left + 1);                    // of the next
      clock(state, i, verdict);
      message.type = nic::NicType::kNotYet;
      if (!step.send) clock(state, i, m.context.judge(message));
    }
  }

  void clock(const State& state, std::uint32_t i, const NicVerdict& verdict) {
    for (const bool granted : {false, true}) {
      State next = state;
      NicContext& context = next[i].context;
      context.tick(kNoTimers, true, 0);
      context.serve(kNoTimers, granted, verdict);
      if (context.notice() == NicNotice::kDone) {
        ++next[i].left;
        for (const Member& other : next) REQUIRE(other.begun >= next[i].left);  // no early release
        context.tick(kNoTimers, true, 0);
      }
      move(state, next);
    }
  }

  void move(const State& state, const State& next) {
    for (std::size_t i = 0; i < state.size(); ++i) moved_ |= state[i].key() != next[i].key();
    reach(next);
  }

  std::vector<std::vector<nic::Step>> lists_;
  std::int32_t barriers_;
  std::deque<State> open_;
  std::set<std::vector<decltype(std::declval<Member>().key())>> seen_;
  std::size_t ends_ = 0;
  bool moved_ = false;
};

TEST_CASE("no order, loss or repetition of messages releases a member of a small group early",
          "[nic][golden]") {
  // 2-bit sequence numbers wrap after 4 barriers.
  for (const StepAlgorithm algorithm :
       {StepAlgorithm::kGatherBroadcast, StepAlgorithm::kPairwise, StepAlgorithm::kDissemination}) {
    for (std::uint32_t members = 2; members <= 3; ++members) {
      const Explorer explorer(algorithm, members, 2, members == 2 ? 10 : 6);
      CAPTURE(static_cast<int>(algorithm), members, explorer.states());
      CHECK(explorer.ends() == 1);
      CHECK(explorer.states() > 50);
    }
  }
}

TEST_CASE("nor of a group of four", "[nic][golden][soak]") {
  CHECK(Explorer(StepAlgorithm::kGatherBroadcast, 4, 2, 5).ends() == 1);
  CHECK(Explorer(StepAlgorithm::kPairwise, 4, 2, 5).ends() == 1);
}

}  // namespace
}  // namespace muster::golden
