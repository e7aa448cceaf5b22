// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"

/// One preempting switch between neighbours that send packets and barrier messages, cut their own
/// channels to it, and return credits late. What the switch sends is held to the rules of the link
/// (LinkWatch).

using namespace muster;
using core::Flit;
using golden::PreemptBench;
using preempt::BsrMessage;

namespace {

class RandomTraffic {
 public:
  RandomTraffic(const fabric::SwitchKind& kind, std::uint32_t vcs, std::uint32_t depth,
                std::uint64_t seed)
      : rng_(seed), bench_(kind, vcs, depth) {
    const bool pressed = rng_.below(2) == 0;  // short cuts, for messages that never end
    const std::uint64_t idle = pressed ? 8 + rng_.below(32) : rng_.below(40);
    const std::uint64_t longest = 1 + rng_.below(pressed ? 30 : 300);
    bench_.times(static_cast<std::uint32_t>(idle), rng_.below(pressed ? 2 : 6),
                 static_cast<std::uint32_t>(longest));
    bench_.bank.write_register(0, 0x010, rng_.below(4));
    load_ = 0.02 + 0.3 * rng_.uniform();
    messages_ = 0.3 * rng_.uniform() + (pressed ? 0.3 : 0.0);
    trouble_ = (pressed ? 0.2 : 0.05) * rng_.uniform();
  }

  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) {
      for (std::uint32_t p = 0; p < kPorts; ++p) {
        feed(p);
        let_go(p, true);
      }
      bench_.step();
    }
    bench_.stuck.fill(0);
    for (std::uint64_t i = 0; i < 200'000 && !done(); ++i) {
      for (std::uint32_t p = 0; p < kPorts; ++p) let_go(p, false);
      bench_.step();
    }
    bench_.run(400);
    REQUIRE(done());
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      CHECK(bench_.room[p] == 1);
      for (std::uint32_t v = 0; v < bench_.config.vcs; ++v)
        CHECK(bench_.credit[p][v] == bench_.config.depth);
    }
  }

  void check() {
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      for (std::uint8_t v = 0; v < bench_.config.vcs; ++v) check_data(p, v);
      check_messages(p);
    }
    CHECK(packets_.empty());
    CHECK(sent_.empty());
  }
  std::uint64_t cuts = 0, pads = 0;
  std::uint32_t longest_wait() { return bench_.bank.read_register(0, 0x013); }

 private:
  static constexpr std::uint32_t kPorts = PreemptBench::kPorts;
  using Stream = std::tuple<std::uint32_t, std::uint8_t, std::uint32_t>;  // from, channel, to

  void feed(std::uint32_t p) {
    const auto v = static_cast<std::uint8_t>(rng_.below(bench_.config.vcs));
    const std::uint32_t to = rng_.below(PreemptBench::kPorts);
    if (rng_.chance(load_) && bench_.data[p][v].size() < 60) {
      const std::uint32_t length = 2 + rng_.below(20);
      const std::uint32_t number = next_[{p, v, to}]++ & 0xfff;
      packets_[{p, v, to}].push_back({number, length});
      for (std::uint32_t i = 0; i < length; ++i) {
        Flit flit;
        flit.vc = v;
        flit.lo = i == 0 ? to : i == 1 ? p << 12 | number : number + i;
        flit.kind = i == 0 ? Flit::kHead : i + 1 == length ? Flit::kTail : std::uint8_t{0};
        bench_.data[p][v].push_back(flit);
      }
    }
    if (rng_.chance(messages_) && waiting_[p].size() < 6) {
      const bool adaptive = rng_.below(2) == 0;
      BsrMessage m{preempt::BsrType::kReduction,
                   rng_.below(256),
                   adaptive ? 40 : 30 + rng_.below(4),
                   rng_.below(2048),
                   preempt::Bnt::kSource,
                   false,
                   0};
      if (rng_.below(2) == 0) m.type = preempt::BsrType::kDistribution;
      sent_.push_back(m);
      waiting_[p].push_back(m);
    }
    if (rng_.chance(trouble_)) bench_.stuck[p] ^= 1u << rng_.below(bench_.config.vcs + 1);
  }
  /// One of the channels in a mask that is not 0.
  std::uint8_t any_of(std::uint32_t mask) {
    for (;;) {
      const auto v = static_cast<std::uint8_t>(rng_.below(bench_.config.vcs));
      if (mask >> v & 1) return v;
    }
  }
  /// The neighbour sends a message in the channel that it has cut, or in a free one, or cuts one;
  /// and gives back what it has cut, now and then, or without `more` when nothing waits.
  void let_go(std::uint32_t p, bool more) {
    if (!bench_.barrier[p].empty()) return;
    const auto with = [&](std::uint32_t credits) {
      std::uint32_t mask = 0;
      for (std::uint32_t v = 0; v < bench_.config.vcs; ++v)
        mask |= std::uint32_t{bench_.credit[p][v] >= credits} << v;
      return bench_.queued() ? mask : bench_.config.kind == &preempt::kBsr2 ? 1 : ~0u;
    };
    const std::uint32_t cut = bench_.cut[p], open = bench_.open[p];
    const bool waits = !waiting_[p].empty() && bench_.room[p] > 0;
    const bool trouble = rng_.uniform() < (more ? trouble_ : 0.02);
    if (cut != 0 && (trouble || !(waits || more)) && (with(1) & cut)) return turn(p, any_of(cut));
    const std::uint32_t all = (1u << bench_.config.vcs) - 1;
    const std::uint32_t able = with(3) & (cut != 0 ? cut : all & ~open);
    const std::uint32_t owned = with(1) & open;
    if (waits && able != 0) {
      bench_.send(p, waiting_[p].front(), any_of(able));
      waiting_[p].erase(waiting_[p].begin());
    } else if (cut == 0 && owned != 0 && (waits || (more && trouble))) {
      turn(p, any_of(owned));
    }
  }
  void turn(std::uint32_t p, std::uint8_t v) {
    bench_.send(p, preempt::LinkControl{(bench_.cut[p] >> v & 1) != 0, v});
  }
  bool done() const {
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      if (!bench_.barrier[p].empty() || !waiting_[p].empty() || bench_.cut[p] != 0) return false;
      for (const auto& queue : bench_.data[p])
        if (!queue.empty()) return false;
    }
    return bench_.bank.quiescent(0);
  }

  void check_data(std::uint32_t to, std::uint8_t v) {
    std::uint32_t i = 0, from = 0, number = 0;
    for (const auto& [cycle, flit] : bench_.at(to, v)) {
      if (flit.kind == core::Flit::kPad) {
        REQUIRE(i > 0);  // within a packet
        ++pads;
        continue;
      }
      if (i == 0) {
        REQUIRE(flit.head());
        REQUIRE(flit.lo == to);
      } else if (i == 1) {
        from = static_cast<std::uint32_t>(flit.lo >> 12);
        number = static_cast<std::uint32_t>(flit.lo & 0xfff);
      } else {
        REQUIRE(flit.lo == number + i);
      }
      ++i;
      if (!flit.tail()) continue;
      auto& waiting = packets_[{from, v, to}];
      REQUIRE_FALSE(waiting.empty());
      REQUIRE(waiting.front() == std::pair(number, i));
      waiting.erase(waiting.begin());
      if (waiting.empty()) packets_.erase({from, v, to});
      i = 0;
    }
    REQUIRE(i == 0);
  }

  /// Each message comes out once, by a legal way.
  void check_messages(std::uint32_t p) {
    const golden::LinkWatch& watch = bench_.watch[p];
    for (const BsrMessage& m : watch.messages()) {
      const auto at = std::ranges::find(sent_, m);
      REQUIRE(at != sent_.end());
      REQUIRE((m.destination == 40 ? p != 0 : p == m.destination - 30));
      sent_.erase(at);
    }
    REQUIRE(watch.at_rest());
    cuts += watch.cuts();
  }

  Random rng_;
  PreemptBench bench_;
  double load_ = 0, messages_ = 0, trouble_ = 0;
  std::map<Stream, std::uint32_t> next_;
  std::map<Stream, std::vector<std::pair<std::uint32_t, std::uint32_t>>> packets_;
  std::vector<BsrMessage> sent_;
  std::array<std::vector<BsrMessage>, kPorts> waiting_;  // for a channel or the barrier buffer
};

}  // namespace

TEST_CASE("data keep their order and messages come out whole, whatever is cut",
          "[golden][preempt]") {
  Random rng(muster_seed());
  std::uint64_t cuts = 0, pads = 0;
  // The longest waits: where there is another channel to cut; where channel 0 alone can be, beside
  // others; where it is all there is.
  std::uint32_t wait_any = 0, wait_one = 0, wait_only = 0;
  for (std::size_t trial = 0; trial < 900; ++trial) {
    CAPTURE(trial);
    const fabric::SwitchKind* const kind = golden::kPreemptKinds[trial % 3];
    const std::uint32_t vcs = 1 + rng.below(3);
    const std::uint64_t most = rng.below(4) == 0 ? 16 : 6;
    const auto depth =
        static_cast<std::uint32_t>(kind->min_depth + rng.below(most + 1 - kind->min_depth));
    RandomTraffic traffic(*kind, vcs, depth, rng.next());
    traffic.run(1500);
    traffic.check();
    cuts += traffic.cuts;
    pads += traffic.pads;
    if (kind == &preempt::kBsr3) continue;
    std::uint32_t& wait = vcs == 1 ? wait_only : kind == &preempt::kBsr1 ? wait_any : wait_one;
    wait = std::max(wait, traffic.longest_wait());
  }
  CHECK(cuts > 1000);
  CHECK(pads > 1000);
  // docs/systems/preempting-switches.md, Bounded waits
  CHECK(wait_any == 3);
  CHECK(wait_one == 20);
  CHECK(wait_only == 19);
}
