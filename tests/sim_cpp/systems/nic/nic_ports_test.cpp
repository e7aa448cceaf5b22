// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/nic_ports.hpp"

#include <bit>
#include <functional>

#include "muster/systems/nic.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "systems/nic/nic_bank.hpp"

namespace muster::nic {
namespace {

using core::Flit;

std::vector<Flit> packet(std::uint8_t number) {
  const auto flits = nic_flits({.source = 1, .destination = 2, .barrier = number}, 0);
  return {flits.begin(), flits.end()};
}

/// Numbers of the packets that come out if packet i is put in in cycle 10 i, 0 to 199.
std::vector<int> through(const FaultRates& rates, FaultCounts& counts) {
  PacketFaults link(rates, muster_seed(), 0);
  std::vector<int> out;
  for (std::uint64_t cycle = 0; cycle < 10'000; ++cycle) {
    if (cycle % 10 == 0 && cycle < 2000)
      link.put(cycle, packet(static_cast<std::uint8_t>(cycle / 10)));
    while (const auto flits = link.take(cycle)) {
      const auto message = nic_message(*flits);
      out.push_back(message ? message->barrier : -1);
    }
  }
  CHECK(link.empty());
  CHECK(link.counts().packets == 200);
  counts = link.counts();
  return out;
}

TEST_CASE("each fault does what it is called and is counted", "[nic]") {
  FaultCounts counts;
  std::vector<int> out = through({.drop = 0.5}, counts);
  CHECK(out.size() == 200 - counts.dropped);
  CHECK((counts.dropped > 60 && counts.dropped < 140));

  out = through({.duplicate = 0.5}, counts);
  CHECK(out.size() == 200 + counts.duplicated);
  CHECK(counts.duplicated > 60);

  out = through({.delay = 0.5, .longest_delay = 100}, counts);
  CHECK(out.size() == 200);
  CHECK(std::is_sorted(out.begin(), out.end()));
  CHECK(counts.delayed > 60);

  out = through({.reorder = 0.5, .longest_delay = 100}, counts);
  CHECK(out.size() == 200);
  CHECK_FALSE(std::is_sorted(out.begin(), out.end()));
  CHECK(counts.reordered > 60);

  out = through({.corrupt = 0.5}, counts);
  CHECK(out.size() == 200);
  CHECK(static_cast<std::uint64_t>(std::count(out.begin(), out.end(), -1)) == counts.corrupted);
  CHECK(counts.corrupted > 60);
}

TEST_CASE("damage is 1 to 3 bits of the payload and nothing else", "[nic]") {
  PacketFaults link({.corrupt = 1.0}, muster_seed(), 0);
  std::uint32_t seen = 0;
  for (int i = 0; i < 200; ++i) {
    const std::vector<Flit> good = packet(7);
    link.put(0, good);
    const auto bad = link.take(0);
    REQUIRE(bad);
    int flips = 0;
    for (std::size_t f = 0; f < good.size(); ++f) {
      flips += std::popcount(good[f].lo ^ (*bad)[f].lo);
      CHECK(((*bad)[f].kind == good[f].kind && (*bad)[f].vc == good[f].vc));
      CHECK((*bad)[f].lo < 1u << 16);
    }
    CHECK((flips >= 1 && flips <= 3));
    seen |= 1u << flips;
  }
  CHECK(seen == 0b1110);
}

run::RunSpec all_of(const test::Subject& subject, const std::string& scheme,
                    const std::function<void(NicSpec&)>& choose) {
  run::RunSpec spec = subject.by(scheme, {"all"});
  spec.spread = 0;
  choose(run::own<NicSpec>(spec));
  return spec;
}

double latency(const run::RunSpec& spec) {
  const run::RunResult result = test::passes(spec);
  REQUIRE(!result.barriers.empty());
  return result.latency_mean;
}

TEST_CASE("a STEP that a doorbell sets off passes queues of its own, a triggered one two more",
          "[workload][nic]") {
  constexpr std::uint32_t kPass = 100, kLaunch = 30, kGathering = 5;
  const test::Subject two(test::star(2)), four(test::star(4));
  for (const auto form : {ListForm::kList, ListForm::kChained}) {
    CAPTURE(static_cast<int>(form));
    const auto with = [&](const test::Subject& subject, const char* scheme, std::uint32_t pass,
                          std::uint32_t launch) {
      run::RunSpec spec = all_of(subject, scheme, [&](NicSpec& n) { n.form = form; });
      spec.profile.interface_pass = pass;
      spec.profile.interface_launch = launch;
      return latency(spec);
    };
    for (const char* scheme : {"nic-dissemination", "nic-pairwise"}) {
      CAPTURE(scheme);
      // A held packet is gathered, which takes its flits' cycles; the first pass shows it.
      const double launched = with(two, scheme, kPass, 0), triggered = with(four, scheme, kPass, 0);
      CHECK(with(two, scheme, kPass, kLaunch) == launched + 2 * kLaunch);
      CHECK(with(two, scheme, 2 * kPass, kLaunch) == launched + 2 * kLaunch);
      CHECK(launched <= with(two, scheme, 0, 0) + kGathering);
      CHECK(with(four, scheme, kPass, kLaunch) == triggered + 2 * kLaunch);
      CHECK(with(four, scheme, 2 * kPass, 0) == triggered + 2 * kPass);
    }
    // A leaf is launched; the root's messages are triggered.
    const double gather = with(four, "nic-gather", kPass, 0);
    CHECK(with(four, "nic-gather", kPass, kLaunch) == gather + 2 * kLaunch);
    CHECK(with(four, "nic-gather", 2 * kPass, 0) == gather + 2 * kPass);
  }
}

TEST_CASE("the work of a program that walks the list is paid once for each of its sends",
          "[workload][nic]") {
  constexpr std::uint32_t kWork = 500;
  const test::Subject four(test::star(4));
  for (const NicLevel level : {NicLevel::kHost, NicLevel::kRdma}) {
    CAPTURE(static_cast<int>(level));
    const auto with = [&](const char* scheme, std::uint32_t work) {
      return latency(all_of(four, scheme, [&](NicSpec& n) {
        n.level = level;
        n.host_step = work;
      }));
    };
    // So much work that no message waits for another one's acknowledgement.
    CHECK(with("nic-dissemination", 2 * kWork) == with("nic-dissemination", kWork) + 2 * kWork);
    // A leaf's, then the root's three in a row.
    CHECK(with("nic-gather", 2 * kWork) == with("nic-gather", kWork) + 4 * kWork);
  }
}

}  // namespace

}  // namespace muster::nic
