// SPDX-License-Identifier: Apache-2.0
#include "rtl/wrap/two_clocks.hpp"

namespace muster::test::cdc {

/// What the other clock sees of a value: each edge takes it as it stood before the edge, and shows
/// it after `stages` edges.
template <class T>
class Delay {
 public:
  Delay(unsigned stages, const T& initial) : initial_(initial), values_(stages, initial) {}
  const T& seen() const { return values_.front(); }
  void edge(const T& value, bool reset) {
    values_.push_back(value);
    values_.pop_front();
    if (reset) std::ranges::fill(values_, initial_);
  }

 private:
  T initial_;
  std::deque<T> values_;
};

/// What a side shows the other one, as the header of muster_cdc_session has it.
struct Shown {
  bool alive = false, asks = false, answers = false;
};

/// How far something has come since the reset that began a session of its side.
struct Progress {
  unsigned session = 0, count = 0;
};

struct Flit {
  std::uint32_t vc = 0, kind = 0, payload = 0;
  bool operator==(const Flit&) const = default;
};

/// The protocol of sessions at one side: nothing is alive before it was answered four times.
class Session {
 public:
  explicit Session(unsigned stages) : other_(stages, Shown{false, false, true}) {}
  bool up() const { return phase_ == Phase::kUp && other_.seen().alive; }
  bool broken() const {
    return phase_ == Phase::kBroken || (phase_ == Phase::kUp && !other_.seen().alive);
  }
  Shown shown() const {
    return {phase_ == Phase::kReady || phase_ == Phase::kUp, phase_ == Phase::kAsking, answer_};
  }
  void edge(const Shown& other, bool reset) {
    const Shown seen = other_.seen();
    answer_ = noticed_;
    noticed_ = seen.asks;
    phase_ = next(seen);
    other_.edge(other, reset);
    if (!reset) return;
    phase_ = Phase::kQuiet;
    questions_ = 0;
    answer_ = noticed_ = false;
  }

 private:
  enum class Phase { kQuiet, kAsking, kAsked, kReady, kUp, kBroken };
  Phase next(const Shown& seen) {
    switch (phase_) {
      case Phase::kQuiet:
        return seen.answers ? Phase::kQuiet : Phase::kAsking;
      case Phase::kAsking:
        return seen.answers ? Phase::kAsked : Phase::kAsking;
      case Phase::kAsked:
        if (seen.answers) return Phase::kAsked;
        return ++questions_ == 4 ? Phase::kReady : Phase::kAsking;
      case Phase::kReady:
        return seen.alive ? Phase::kUp : Phase::kReady;
      case Phase::kUp:
        return seen.alive ? Phase::kUp : Phase::kBroken;
      default:
        return Phase::kBroken;
    }
  }

  Delay<Shown> other_;
  Phase phase_ = Phase::kQuiet;
  unsigned questions_ = 0;
  bool noticed_ = false, answer_ = false;
};

/// A muster_link_cdc as docs/systems/wrappers.md and the headers of its parts have it: what the
/// outputs of each side are in every cycle. Counts here have no end and flits lie in lists; there
/// is no Gray code and no memory that is used again.
class Reference {
 public:
  Reference(unsigned slots, unsigned stages, unsigned backs)
      : slots_(slots),
        a_(stages),
        b_(stages),
        flits_(1),
        written_seen_(stages + 1, {}),
        read_seen_(stages + 1, {}),
        returned_(backs),
        given_(backs),
        returned_seen_(backs, Delay<Progress>(stages + 1, {})) {}

  const Session& a() const { return a_; }
  const Session& b() const { return b_; }
  bool overflow() const { return overflow_; }
  std::uint32_t credits() const { return credits_; }
  bool valid() const { return valid_; }
  const Flit& flit() const { return flit_; }

  /// A flit finds a place at the next edge of a.
  bool room() const { return a_.up() && written_.count - read_seen_.seen().count < slots_; }
  /// Credits of a class that have come and that side a has not given yet.
  unsigned under_way(unsigned c) const { return returned_[c].count - given_[c]; }
  /// No side has seen two sessions of the other one while it was up.
  bool sessions_are_apart() const { return apart_; }

  /// Rising edges of one clock or both. That of a takes `flit`, null for none; that of b a credit
  /// of each class in `returns`.
  void edge(bool a, bool b, bool a_reset, bool b_reset, const Flit* flit, std::uint32_t returns) {
    const Crossing before{a_.shown(), b_.shown(), written_, read_, returned_};
    if (a) edge_of_a(before, a_reset, flit);
    if (b) edge_of_b(before, b_reset, returns);
  }

 private:
  /// What the sides see of one another, as it was before an edge.
  struct Crossing {
    Shown a, b;
    Progress written, read;
    std::vector<Progress> returned;
  };

  void edge_of_a(const Crossing& before, bool reset, const Flit* flit) {
    if (!a_.up()) b_session_ = read_seen_.seen().session;
    apart_ = apart_ && b_session_ == read_seen_.seen().session;
    if (flit != nullptr && room()) {
      flits_.back().push_back(*flit);
      ++written_.count;
    } else if (flit != nullptr && !a_.broken()) {
      overflow_ = true;
    }
    credits_ = 0;
    for (unsigned c = 0; c < given_.size(); ++c) {
      if (a_.up() && returned_seen_[c].seen().count > given_[c]) {
        ++given_[c];
        credits_ |= 1u << c;
      }
      returned_seen_[c].edge(before.returned[c], reset);
    }
    read_seen_.edge(before.read, reset);
    a_.edge(before.b, reset);
    if (!reset) return;
    flits_.emplace_back();
    written_ = {static_cast<unsigned>(flits_.size()) - 1, 0};
    overflow_ = false;
    credits_ = 0;
    std::ranges::fill(given_, 0);
  }

  void edge_of_b(const Crossing& before, bool reset, std::uint32_t returns) {
    const Progress written = written_seen_.seen();
    if (!b_.up()) a_session_ = written.session;
    apart_ = apart_ && a_session_ == written.session;
    valid_ = b_.up() && written.count > read_.count;
    if (valid_) flit_ = flits_[written.session][read_.count++];
    for (unsigned c = 0; c < returned_.size(); ++c) returned_[c].count += returns >> c & 1;
    written_seen_.edge(before.written, reset);
    b_.edge(before.a, reset);
    if (!reset) return;
    valid_ = false;
    read_ = {read_.session + 1, 0};
    for (Progress& count : returned_) count = {read_.session, 0};
  }

  unsigned slots_;
  Session a_, b_;
  std::vector<std::vector<Flit>> flits_;  // that side a has taken, by its session
  Progress written_, read_;
  Delay<Progress> written_seen_, read_seen_;
  std::vector<Progress> returned_;  // credits that have come, by class
  std::vector<unsigned> given_;
  std::vector<Delay<Progress>> returned_seen_;
  std::uint32_t credits_ = 0;
  bool overflow_ = false, valid_ = false, apart_ = true;
  unsigned a_session_ = 0, b_session_ = 0;  // of the other side, that a side that is up sees
  Flit flit_;
};

}  // namespace muster::test::cdc

// Every output of a link between two clocks in every cycle.
using namespace muster;
using namespace muster::test;
using namespace muster::test::cdc;

namespace {

/// Percent of cycles in which a flit is sent to a place, one is sent without asking for a place,
/// and a credit of a class goes back; of 10000, in which a side is reset.
struct Mix {
  unsigned flits, unasked, credits, resets;
};

/// Both sides do anything that a link allows, and the sender more than that.
template <class T>
class Lockstep {
 public:
  Lockstep(std::uint64_t seed, const Clocks& clocks)
      : rng_(seed), dut_(seed, clocks.a, clocks.b), reference_(T::kSlots, T::kStages, T::kBacks) {
    dut_->a_rst_ni = dut_->b_rst_ni = 0;
    dut_->a_rx_valid_i = dut_->b_tx_credit_i = 0;
    for (int i = 0; i < 60; ++i) edge({0, 0, 0, 0}, true);
    compares_ = true;
  }

  void run(int edges, const Mix& mix) {
    for (int i = 0; i < edges; ++i) edge(mix, false);
  }

  int flits = 0, overflows = 0, ups = 0, breaks = 0;  // cycles with them, or in which they begin

 private:
  struct Side {
    int edges = 0;  // of reset that are left
    bool reset = true;
    bool up = false, broken = false;  // in the cycle before
  };

  void edge(const Mix& mix, bool power_up) {
    dut_.edge(
        [&](bool a, bool b) {
          if (compares_) compare();
          const Flit* flit = dut_->a_rx_valid_i ? &flit_ : nullptr;
          reference_.edge(a, b, a_.reset, b_.reset, flit, dut_->b_tx_credit_i);
          REQUIRE(reference_.sessions_are_apart());
        },
        [&](bool a, bool b) {
          if (compares_) compare();  // a side's outputs change with its own clock only
          if (a) {
            if (!power_up) begin_edge(a_, reference_.a(), mix);
            dut_->a_rst_ni = !a_.reset;
            sender(mix);
          }
          if (b) {
            if (!power_up) begin_edge(b_, reference_.b(), mix);
            dut_->b_rst_ni = !b_.reset;
            receiver(mix);
          }
        });
  }

  void compare() {
    REQUIRE(dut_->a_up_o == reference_.a().up());
    REQUIRE(dut_->b_up_o == reference_.b().up());
    REQUIRE(dut_->a_broken_o == reference_.a().broken());
    REQUIRE(dut_->b_broken_o == reference_.b().broken());
    REQUIRE(dut_->a_overflow_o == reference_.overflow());
    REQUIRE(dut_->a_rx_credit_o == reference_.credits());
    REQUIRE(dut_->b_tx_valid_o == reference_.valid());
    if (!reference_.valid()) return;
    ++flits;
    const Flit flit{dut_->b_tx_vc_o, dut_->b_tx_kind_o, dut_->b_tx_payload_o};
    REQUIRE((flit == reference_.flit()));
  }

  /// Whether the next edge of a side is one of reset; a broken side is left as it is for a while.
  void begin_edge(Side& side, const Session& session, const Mix& mix) {
    ups += session.up() && !side.up;
    breaks += session.broken() && !side.broken;
    side.up = session.up();
    side.broken = session.broken();
    if (side.edges == 0 && (rng_.below(10000) < mix.resets || (side.broken && chance(5))))
      side.edges = 1 + static_cast<int>(rng_.below(chance(20) ? 60 : 3));
    side.reset = side.edges > 0;
    if (side.reset) --side.edges;
  }

  void sender(const Mix& mix) {
    flit_ = {rng_.below(T::kChannels), rng_.below(8), rng_.below(65536)};
    const bool valid = chance(mix.unasked) || (reference_.room() && chance(mix.flits));
    overflows += valid && reference_.a().up() && !reference_.room();
    dut_->a_rx_valid_i = valid;
    dut_->a_rx_vc_i = flit_.vc;
    dut_->a_rx_kind_i = flit_.kind;
    dut_->a_rx_payload_i = flit_.payload;
  }

  void receiver(const Mix& mix) {
    dut_->b_tx_credit_i = 0;
    for (unsigned c = 0; c < T::kBacks; ++c)
      if (reference_.b().up() && reference_.under_way(c) < T::kDepth && chance(mix.credits))
        dut_->b_tx_credit_i |= 1u << c;
  }
  bool chance(unsigned percent) { return rng_.below(100) < percent; }

  Random rng_;
  TwoClocks<typename T::Model> dut_;
  Reference reference_;
  Side a_, b_;
  Flit flit_;
  bool compares_ = false;
};

/// Clocks of any ratio up to 9, some of whose edges wander by up to a quarter.
std::vector<Clocks> some_clocks(Random& rng, int count) {
  std::vector<Clocks> result;
  const auto some = [&] {
    const std::uint64_t period = 1000 + rng.below(8000);
    const bool wanders = rng.below(2) == 1;
    return ClockSpec{period, rng.below(period), wanders ? rng.below(period / 4) : 0};
  };
  for (int i = 0; i < count; ++i) result.push_back({some(), some()});
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("a link between two clocks is as its specification in every cycle",
                   "[rtl][wrap]", Narrow, Wide) {
  const std::uint64_t seed = muster_seed();
  Random rng(seed);
  std::vector<Clocks> all = some_clocks(rng, 6);
  all.insert(all.end(), kClocks.begin(), kClocks.end());
  int flits = 0, overflows = 0, ups = 0, breaks = 0;
  for (const Clocks& clocks : all) {
    CAPTURE(clocks.a.period, clocks.b.period, clocks.a.phase, clocks.b.phase, clocks.a.drift);
    Lockstep<TestType> link(seed, clocks);
    link.run(3000, {100, 0, 100, 0});
    link.run(3000, {30, 0, 20, 20});
    link.run(3000, {80, 2, 60, 40});
    link.run(3000, {60, 40, 60, 10});
    link.run(3000, {50, 0, 50, 150});  // again before the link is up
    flits += link.flits;
    overflows += link.overflows;
    ups += link.ups;
    breaks += link.breaks;
  }
  CHECK(flits > 10000);
  CHECK(overflows > 200);
  CHECK(ups > 100);
  CHECK(breaks > 100);
}
