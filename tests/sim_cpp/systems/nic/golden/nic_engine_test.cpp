// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/golden/nic_engine.hpp"

#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "support/nic_bench.hpp"
#include "support/seed.hpp"
#include "systems/nic/golden/nic_context.hpp"
#include "systems/nic/nic_registers.hpp"
#include "systems/nic/step_list.hpp"

namespace muster::golden {

// All orders of events in a small group, on the worst network: a STEP, once sent, can come at any
// time, any number of times, in any order, or never, as long as it is no older than 2^SeqW - 2
// barriers. The same holds for a NACK of any barrier that its sender has begun. So what the network
// holds follows from how far the members are, and a state is that of the contexts.
namespace {

using nic::NicMessage;
using nic::NicType;
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
      NicMessage message{.type = step.send ? NicType::kNack : NicType::kStep,
                         .source = step.peer,
                         .destination = i,
                         .slot = static_cast<std::uint8_t>(s),
                         .barrier = static_cast<std::uint8_t>(q & ((1 << kSeqW) - 1))};
      if (!step.send && !passed(peer, step.peer_step, q)) continue;
      const NicVerdict verdict = m.context.judge(message);
      REQUIRE(verdict.drop != NicDrop::kUnknown);
      if (verdict.reply == NicType::kStep) REQUIRE(passed(m, s, q));  // truth
      if (verdict.receive != 0) REQUIRE(q == m.left);                 // of this barrier
      if (verdict.early != 0) REQUIRE(q == m.left + 1);               // of the next
      clock(state, i, verdict);
      message.type = NicType::kNotYet;
      if (!step.send) clock(state, i, m.context.judge(message));
    }
  }

  void clock(const State& state, std::uint32_t i, const NicVerdict& verdict) {
    for (const bool granted : {false, true}) {
      State next = state;
      NicContext& context = next[i].context;
      context.clock(kNoTimers, granted, verdict, true);
      if (context.notice() == NicNotice::kDone) {
        ++next[i].left;
        for (const Member& other : next) REQUIRE(other.begun >= next[i].left);  // no early release
        context.clock(kNoTimers, false, {}, true);
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

using muster::testing::NicBench;
using muster::testing::NicGroup;
using muster::testing::NicMix;
using nic::ListForm;

struct Algorithm {
  StepAlgorithm algorithm;
  std::uint32_t degree;
};
constexpr Algorithm kAlgorithms[] = {{StepAlgorithm::kGatherBroadcast, 2},
                                     {StepAlgorithm::kGatherBroadcast, 5},
                                     {StepAlgorithm::kPairwise, 0},
                                     {StepAlgorithm::kDissemination, 2},
                                     {StepAlgorithm::kDissemination, 4}};

NicGroup group_of(std::uint32_t members, const Algorithm& a, bool direct, ListForm form) {
  NicGroup group;
  group.nodes.resize(members);
  std::iota(group.nodes.begin(), group.nodes.end(), 0u);
  group.lists = nic::step_lists(a.algorithm, members, a.degree);
  group.direct = direct;
  group.form = form;
  return group;
}

const nic::NicConfig kConfig{.contexts = 4, .steps = 32, .conns = 32};
const nic::NicConfig kUnit{.contexts = 4, .steps = 32, .chained = 1};

/// Faults of every kind, harsh enough that all occur.
NicMix faulty(Rng& rng) {
  NicMix mix;
  const auto rate = [&] { return rng.below(3) == 0 ? 0.0 : 0.15 * rng.uniform(); };
  mix.faults = {rate(), rate(), rate(), rate(), rate(), 200};
  mix.latency = 1 + static_cast<std::uint32_t>(rng.below(20));
  mix.credit = 0.2 + 0.8 * rng.uniform();
  mix.gap = 0.5 * rng.uniform();
  mix.ready = 0.1 + 0.9 * rng.uniform();
  mix.work = rng.below(2) ? 0 : 1 << rng.below(10);
  mix.timeout = 100 + static_cast<std::uint32_t>(rng.below(400));
  mix.nack_gap = static_cast<std::uint32_t>(rng.below(50));
  return mix;
}

TEST_CASE("all step lists of 2 to 64 members pass barriers whatever happens to packets",
          "[nic][golden]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  nic::FaultCounts sum;
  for (std::uint32_t n = 2; n <= 64; ++n) {
    const Algorithm& a = kAlgorithms[rng.below(std::size(kAlgorithms))];
    const bool direct = rng.below(2) != 0;
    CAPTURE(static_cast<int>(a.algorithm), a.degree, direct, n);
    GoldenNicBank bank(kConfig, n);
    NicBench bench(bank, kConfig, {group_of(n, a, direct, ListForm::kList)}, faulty(rng),
                   rng.next());
    REQUIRE(bench.run(4, 3'000'000));
    CHECK(bench.odd_events().empty());
    sum += bench.faults();
  }
  CHECK(sum.dropped > 50);
  CHECK(sum.duplicated > 50);
  CHECK(sum.delayed > 50);
  CHECK(sum.reordered > 50);
  CHECK(sum.corrupted > 50);
}

/// Delays, any order, back-pressure: what an event unit tolerates.
NicMix reordering(Rng& rng) {
  NicMix mix = faulty(rng);
  mix.faults = {.delay = 0.1 * rng.uniform(), .reorder = 0.1 * rng.uniform(), .longest_delay = 200};
  return mix;
}

TEST_CASE(
    "events of 2 to 64 members pass barriers in whatever order remote writes come, and "
    "sequence numbers wrap",
    "[nic][golden]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  std::uint64_t reordered = 0;
  for (const Algorithm& a : kAlgorithms) {
    for (std::uint32_t n = 2; n <= 64; ++n) {
      CAPTURE(static_cast<int>(a.algorithm), a.degree, n);
      const bool calm = n % 2 != 0;
      nic::NicConfig config = kUnit;
      config.seq_w = calm ? 2 : 8;
      GoldenNicBank bank(config, n);
      const NicMix mix = calm ? NicMix{} : reordering(rng);
      NicGroup group = group_of(n, a, false, ListForm::kChained);
      group.first_sequence = static_cast<std::uint32_t>(rng.below(256));
      NicBench bench(bank, config, {group}, mix, rng.next());
      REQUIRE(bench.run(4, 1'000'000));
      for (int i = 0; i < 500 && calm && !bench.quiet(); ++i) bench.step();
      CHECK((!calm || bench.quiet()));
      CHECK(bench.odd_events().empty());
      CHECK(bench.packets() == 4 * nic::messages(step_lists(a.algorithm, n, a.degree)));
      reordered += bench.faults().reordered;
    }
  }
  CHECK(reordered > 50);
}

TEST_CASE("several groups share their NICs, and sequence numbers wrap", "[nic][golden]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  for (int trial = 0; trial < 2; ++trial) {
    nic::NicConfig config = kConfig;
    config.records = 1 + static_cast<std::uint32_t>(rng.below(4));
    config.depth = 1 + static_cast<std::uint32_t>(rng.below(4));
    constexpr std::uint32_t kNodes = 8;
    GoldenNicBank bank(config, kNodes);
    std::vector<NicGroup> groups;
    for (std::uint32_t g = 0; g < config.contexts; ++g) {
      std::vector<std::uint32_t> nodes;
      for (std::uint32_t n = 0; n < kNodes; ++n)
        if (rng.below(3) != 0) nodes.push_back(n);
      if (nodes.empty()) nodes.push_back(0);
      const auto members = static_cast<std::uint32_t>(nodes.size());
      NicGroup group = group_of(members, kAlgorithms[rng.below(std::size(kAlgorithms))], g % 2 != 0,
                                ListForm::kList);
      group.nodes = nodes;
      group.first_sequence = static_cast<std::uint32_t>(rng.below(256));
      groups.push_back(std::move(group));
    }
    NicBench bench(bank, config, groups, faulty(rng), rng.next());
    REQUIRE(bench.run(270, 10'000'000));
    CHECK(bench.odd_events().empty());
  }
}

TEST_CASE("10^5 barriers at a drop rate of 1e-2 complete with no early release",
          "[nic][golden][soak]") {
  for (const Algorithm& a : kAlgorithms) {
    constexpr std::uint32_t kMembers = 16;
    GoldenNicBank bank(kConfig, kMembers);
    NicMix mix;
    mix.faults.drop = 0.01;
    NicBench bench(bank, kConfig, {group_of(kMembers, a, false, ListForm::kList)}, mix,
                   muster_seed());
    REQUIRE(bench.run(100'000, 100'000'000));
    CHECK(bench.odd_events().empty());
  }
}

}  // namespace

}  // namespace muster::golden
