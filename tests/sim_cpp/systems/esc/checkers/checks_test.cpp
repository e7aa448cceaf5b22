// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/checkers/checks.hpp"

#include "sim_cpp/systems/esc/esc_fixture.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

/// Does it once, in cycle 100 or soon after, to what a box of the output stage sends first.
Defect once(const std::function<void(std::span<BoxPacket>)>& change) {
  return {.after = [change, done = false](std::uint64_t cycle, std::span<BoxPacket> tx) mutable {
    if (done || cycle < 100 || tx[0] == 0) return;
    done = true;
    change(tx);
  }};
}
const Defect kLose = once([](std::span<BoxPacket> tx) { tx[0] = 0; });
const Defect kSwapOutputs = once([](std::span<BoxPacket> tx) { std::swap(tx[0], tx[1]); });
const Defect kChange = once([](std::span<BoxPacket> tx) { tx[0] ^= BoxPacket{1} << kBoxBirthLsb; });
const Defect kSendTwice{.before = [done = false](std::uint64_t cycle, std::span<const BoxPacket> tx,
                                                 std::span<std::uint8_t> go) mutable {
  if (done || cycle < 100 || tx[0] == 0) return;
  done = true;
  go[0] = 0;
}};

/// Violations of each check in one session with a defect; the session may end with an error.
struct Seen {
  std::uint64_t delivery, conservation;
  bool error;
};

Seen run_with(const Defect& defect, double rate) {
  Spec spec = small_spec(16, 4, "bypass");
  spec.rate = rate;
  const DefectiveBoxes boxes(defect);
  SessionRunner runner(spec, boxes);
  DeliveryCheck delivery(spec);
  ConservationCheck conservation(spec);
  runner.attach(delivery);
  runner.attach(conservation);
  bool error = false;
  try {
    runner.run(0);
  } catch (const InternalError&) {
    error = true;
  }
  return {delivery.violations(), conservation.violations(), error};
}

/// One packet after the other from PE 3 to PE 5 of 16, as they arrive.
std::uint64_t order_violations(const Spec& spec, const std::vector<BoxPacket>& arriving) {
  DeliveryCheck check(spec);
  check.start(plan_session(spec, 0));
  std::vector<BoxPacket> offers(16), arrivals(16);
  std::vector<std::uint8_t> taken(16);
  taken[3] = 1;
  CycleView view;
  view.offers = offers;
  view.taken = taken;
  view.arrivals = arrivals;
  for (const BoxPacket packet : arriving) {
    offers[3] = arrivals[5] = packet;
    check.observe(view);
  }
  check.finish();
  return check.violations();
}

/// Violations of the purity that `expected` promises when the PEs follow `followed`.
std::uint64_t impurities(const std::string& followed, const std::string& expected) {
  const Spec spec = small_spec(64, 4, followed), promise = small_spec(64, 4, expected);
  SessionRunner runner(spec, golden_boxes());
  PurityCheck purity(promise);
  runner.attach(purity);
  runner.run(0);
  CHECK(purity.passed() > 1000);
  return purity.violations();
}

}  // namespace

TEST_CASE("a sound network has no violation", "[esc][checks]") {
  const Seen seen = run_with({}, 0.6);
  CHECK(seen.delivery == 0);
  CHECK(seen.conservation == 0);
  CHECK_FALSE(seen.error);
}

TEST_CASE("each defect of a box is seen", "[esc][checks]") {
  for (const double rate : {0.2, 0.6}) {
    CHECK(run_with(kLose, rate).conservation > 0);
    CHECK(run_with(kSendTwice, rate).delivery > 0);
    CHECK(run_with(kSendTwice, rate).conservation > 0);
    CHECK(run_with(kSwapOutputs, rate).delivery > 0);
    const Seen changed = run_with(kChange, rate);
    CHECK((changed.delivery > 0 || changed.error));  // an error if it was to be measured
  }
}

TEST_CASE("a packet that overtakes another of its flow is seen", "[esc][checks]") {
  const Spec bypass = small_spec(16, 4, "bypass"), paths = small_spec(16, 4, "isolated-bg");
  const auto packet = [](BoxKind kind, std::uint64_t birth, unsigned x) {
    return make_packet(kind, birth, 3, 5 | x << 4);
  };
  const auto bg = [&](std::uint64_t birth, unsigned x = 0) {
    return packet(BoxKind::kBackground, birth, x);
  };
  const auto syn = [&](std::uint64_t birth) { return packet(BoxKind::kSynchronization, birth, 0); };
  CHECK(order_violations(bypass, {bg(0), bg(1), syn(7), bg(7), bg(8)}) == 0);
  CHECK(order_violations(bypass, {bg(2), bg(1)}) == 1);
  CHECK(order_violations(bypass, {bg(2), bg(2)}) == 1);
  CHECK(order_violations(bypass, {bg(7), syn(7)}) == 1);
  CHECK(order_violations(paths, {bg(2, 1), bg(1, 2), bg(3, 1)}) == 0);  // different paths
  CHECK(order_violations(paths, {bg(2, 1), bg(1, 1)}) == 1);
}

TEST_CASE("a PE that follows another policy than promised is seen", "[esc][checks]") {
  const std::vector<std::string> policies = {"isolated-bg", "isolated-hs", "hot-section:2",
                                             "hot-section:16"};
  for (std::size_t followed = 0; followed < policies.size(); ++followed)
    for (std::size_t expected = 0; expected < policies.size(); ++expected) {
      CAPTURE(policies[followed], policies[expected]);
      // Each promises less than the one before.
      if (followed <= expected)
        CHECK(impurities(policies[followed], policies[expected]) == 0);
      else
        CHECK(impurities(policies[followed], policies[expected]) > 0);
    }
}
