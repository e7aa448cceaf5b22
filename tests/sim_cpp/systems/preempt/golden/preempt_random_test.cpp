// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <tuple>

#include "muster/core/rng.hpp"
#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"
#include "support/seed.hpp"
#include "systems/preempt/switch_kinds.hpp"

/// One preempting switch between neighbours that send packets and barrier messages, cut their own
/// channels to it, and return credits late.

using namespace muster;
using core::Flit;
using golden::PreemptBench;
using preempt::Bnt;
using preempt::BsrMessage;
using preempt::BsrType;

namespace {

class RandomTraffic {
 public:
  RandomTraffic(const fabric::SwitchKind& kind, std::uint32_t vcs, std::uint32_t depth,
                std::uint64_t seed)
      : rng_(seed), bench_(kind, vcs, depth) {
    const auto times = static_cast<std::uint32_t>((1 + rng_.below(300)) << 16 | rng_.below(6) << 8 |
                                                  rng_.below(40));
    bench_.bank.write_register(0, 0x00A, times);
    bench_.bank.write_register(0, 0x009, static_cast<std::uint32_t>(rng_.below(4)));
    load_ = 0.02 + 0.3 * rng_.uniform();
    messages_ = 0.3 * rng_.uniform();
    trouble_ = 0.05 * rng_.uniform();
  }

  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) {
      for (std::uint32_t p = 0; p < PreemptBench::kPorts; ++p) feed(p);
      bench_.step();
    }
    for (std::uint32_t p = 0; p < PreemptBench::kPorts; ++p) {
      bench_.stuck[p] = 0;
      for (std::uint32_t v = 0; v + 1 < bench_.config.vcs; ++v)
        if (bench_.cut[p] >> v & 1) turn(p, v);
    }
    for (std::uint64_t i = 0; i < 200'000 && !done(); ++i) bench_.step();
    bench_.run(400);
    REQUIRE(done());
    CHECK(bench_.bank.quiescent(0));
    for (std::uint32_t p = 0; p < PreemptBench::kPorts; ++p)
      for (std::uint32_t v = 0; v < bench_.config.vcs; ++v)
        CHECK(bench_.credit[p][v] == bench_.config.depth);
  }

  void check() {
    for (std::uint32_t p = 0; p < PreemptBench::kPorts; ++p) {
      for (std::uint8_t v = 0; v + 1u < bench_.config.vcs; ++v) check_data(p, v);
      check_messages(p);
    }
    CHECK(packets_.empty());
    CHECK(sent_.empty());
  }
  std::uint64_t cuts = 0, pads = 0;
  std::uint32_t longest_wait() { return bench_.bank.read_register(0, 0x00C); }

 private:
  using Stream = std::tuple<std::uint32_t, std::uint8_t, std::uint32_t>;  // from, channel, to

  void feed(std::uint32_t p) {
    const auto v = static_cast<std::uint8_t>(rng_.below(bench_.config.vcs - 1));
    const auto to = static_cast<std::uint32_t>(rng_.below(PreemptBench::kPorts));
    if (rng_.uniform() < load_ && bench_.data[p][v].size() < 60) {
      const auto length = static_cast<std::uint32_t>(2 + rng_.below(20));
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
    if (rng_.uniform() < messages_ && bench_.barrier[p].size() < 12) {
      const bool adaptive = rng_.below(2) == 0;
      BsrMessage m{BsrType::kReduction,
                   static_cast<std::uint32_t>(rng_.below(256)),
                   adaptive ? 40 : 30 + static_cast<std::uint32_t>(rng_.below(4)),
                   static_cast<std::uint32_t>(rng_.below(2048)),
                   Bnt::kSource,
                   false,
                   0};
      if (rng_.below(2) == 0) m.type = BsrType::kDistribution;
      sent_.push_back(m);
      bench_.send(p, m);
    }
    if (rng_.uniform() < trouble_) turn(p, v);
    if (rng_.uniform() < trouble_) bench_.stuck[p] ^= 1u << rng_.below(bench_.config.vcs);
  }
  /// The neighbour cuts a channel or gives it back.
  void turn(std::uint32_t p, std::uint32_t v) {
    const bool end = bench_.cut[p] >> v & 1;
    bench_.cut[p] ^= 1u << v;
    bench_.send(p, preempt::LinkControl{end, static_cast<std::uint8_t>(v)});
  }
  bool done() const {
    for (std::uint32_t p = 0; p < PreemptBench::kPorts; ++p) {
      if (!bench_.barrier[p].empty()) return false;
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

  /// Messages come out whole; requests and ends of a link alternate, and nothing of the channel is
  /// between them.
  void check_messages(std::uint32_t p) {
    std::optional<std::uint32_t> cut;
    std::vector<Flit> message;
    for (const auto& [cycle, flit] : bench_.seen[p]) {
      if (flit.vc != bench_.channel()) {
        REQUIRE(cut != flit.vc);
        continue;
      }
      if (message.empty() && preempt::is_control(flit)) {
        const preempt::LinkControl control = preempt::link_control(flit);
        REQUIRE(control.end == cut.has_value());
        if (cut) REQUIRE(cut == control.channel);
        if (control.end)
          cut.reset();
        else
          cut = control.channel;
        cuts += !control.end;
        continue;
      }
      message.push_back(flit);
      if (message.size() < 2) continue;
      const BsrMessage m = preempt::bsr_message(message);
      message.clear();
      const auto at = std::find(sent_.begin(), sent_.end(), m);
      REQUIRE(at != sent_.end());
      REQUIRE((m.destination == 40 ? p != 0 : p == m.destination - 30));
      sent_.erase(at);
    }
    REQUIRE_FALSE(cut);
    REQUIRE(message.empty());
  }

  Rng rng_;
  PreemptBench bench_;
  double load_ = 0, messages_ = 0, trouble_ = 0;
  std::map<Stream, std::uint32_t> next_;
  std::map<Stream, std::vector<std::pair<std::uint32_t, std::uint32_t>>> packets_;
  std::vector<BsrMessage> sent_;
};

struct Totals {
  std::uint64_t cuts = 0, pads = 0;
  std::uint32_t wait_any = 0, wait_one = 0;  ///< of switch I with two or more data channels; of II
};

Totals random_switches(std::uint64_t seed, int trials, std::uint64_t cycles) {
  Rng rng(seed);
  Totals totals;
  for (int trial = 0; trial < trials; ++trial) {
    CAPTURE(seed, trial);
    const fabric::SwitchKind* const kind = std::array{
        &preempt::kBsr1, &preempt::kBsr2, &preempt::kBsr3}[static_cast<std::size_t>(trial) % 3];
    const auto vcs = static_cast<std::uint32_t>(2 + rng.below(3));
    RandomTraffic traffic(*kind, vcs, static_cast<std::uint32_t>(1 + rng.below(8)), rng.next());
    traffic.run(cycles);
    traffic.check();
    totals.cuts += traffic.cuts;
    totals.pads += traffic.pads;
    if (kind == &preempt::kBsr3) continue;
    std::uint32_t& wait = kind == &preempt::kBsr1 && vcs > 2 ? totals.wait_any : totals.wait_one;
    wait = std::max(wait, traffic.longest_wait());
  }
  return totals;
}

}  // namespace

TEST_CASE("data keep their order and messages come out whole, whatever is cut",
          "[golden][preempt]") {
  const Totals totals = random_switches(muster_seed(), 150, 1500);
  CHECK(totals.cuts > 1000);
  CHECK(totals.pads > 1000);
  // docs/systems/preempting-switches.md, Bounded waits
  CHECK(totals.wait_any <= 3);
  CHECK(totals.wait_one <= 20);
}

TEST_CASE("data are intact after a million preemptions", "[golden][preempt][soak]") {
  std::uint64_t seed = muster_seed(), cuts = 0;
  while (cuts < 1'000'000) cuts += random_switches(seed++, 300, 10'000).cuts;
}
