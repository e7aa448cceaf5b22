// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "systems/esc/checkers/checks.hpp"
#include "systems/esc/golden/golden_boxes.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

constexpr BoxPacket syn(std::uint64_t birth, std::uint32_t tag = 1, std::uint32_t messages = 1) {
  return make_packet(BoxKind::kSynchronization, birth, messages - 1, tag);
}
constexpr BoxPacket bg(std::uint64_t birth) {
  return make_packet(BoxKind::kBackground, birth, 3, 1);
}

/// One 4 x 4 box of stage 0.
struct Box {
  explicit Box(std::uint32_t depth)
      : bank(golden::make_box_bank({.size = 4, .depth = depth, .combining = true}, {0})) {
    const std::vector<std::uint16_t> seeds = {1};
    bank->reset(seeds);
  }
  /// Offers four packets for a cycle; returns how many are taken.
  unsigned cycle(const std::vector<BoxPacket>& offers, bool ready) {
    std::copy(offers.begin(), offers.end(), bank->rx().begin());
    bank->settle();
    unsigned taken = 0;
    for (const std::uint8_t r : std::as_const(*bank).rx_ready()) taken += r;
    bank->tx_ready()[1] = ready;
    bank->clock(0);
    return taken;
  }
  BoxPacket out() const { return std::as_const(*bank).tx()[1]; }
  std::unique_ptr<BoxBank> bank;
};

const std::vector<BoxPacket> kIdle(4, 0);

}  // namespace

TEST_CASE("a message joins one behind the head, in a full buffer too, never the head", "[esc]") {
  Box box(2);
  CHECK(box.cycle({syn(1), 0, 0, 0}, false) == 1);
  CHECK(box.cycle({syn(2), 0, 0, 0}, false) == 1);  // the head may leave: a place of its own
  CHECK(box.cycle({bg(3), syn(3), syn(4, 1, 7), bg(4)}, false) == 2);
  CHECK(box.out() == syn(1));
  box.cycle(kIdle, true);
  CHECK(box.out() == syn(9, 1, 9));
  box.cycle(kIdle, true);
  CHECK(box.bank->quiescent(0));
}

TEST_CASE("combining keeps every check", "[esc]") {
  for (const bool alone : {false, true})
    keeps_checks("combining", 0.95, [&](Spec& spec) {
      spec.box.depth = 2;
      if (alone) spec.hot_spots = 1;
    });
}

TEST_CASE("all messages of one cycle arrive together without delay", "[esc]") {
  for (const auto& [pes, n] : {std::pair{4u, 2u}, {64u, 4u}, {64u, 8u}}) {
    Spec spec = small_spec(pes, n, "combining");
    spec.rate = 0;
    spec.sigma = 0;
    const BatchResult result = run_golden(spec);
    CHECK(*result.mu_syn.mean == 0);
    // The coordinator sends none, so all others meet in every stage.
    CHECK(*result.active_session.mean == spec.stages().count(Cube(pes, n)));
    CHECK(result.packets == spec.sessions);
  }
}

TEST_CASE("a lost count is seen", "[esc][checks]") {
  const Spec spec = small_spec(16, 4, "combining");
  // Packets lose the count of one merged message.
  const DefectiveBoxes boxes({.after = [](std::uint64_t, std::span<BoxPacket> tx) {
    for (BoxPacket& packet : tx)
      if (kind_of(packet) == BoxKind::kSynchronization && messages_of(packet) > 1)
        packet = syn(birth_of(packet), tag_of(packet), messages_of(packet) - 1);
  }});
  SessionRunner runner(spec, boxes);
  ConservationCheck conservation(spec);
  runner.attach(conservation);
  CHECK_THROWS_AS(runner.run(0), InternalError);  // waits for messages that never come
  CHECK(conservation.violations() > 0);
}

TEST_CASE("throttling keeps every check and frees the background", "[esc]") {
  for (const char* policy : {"throttle:1", "throttle:4"}) keeps_checks(policy, 0.9);
  Spec spec = small_spec(256, 4, "bypass");
  const BatchResult bypass = run_golden(spec);
  set_policy(spec, "throttle:6");
  const BatchResult throttled = run_golden(spec);
  CHECK(*throttled.mu_bg_total.mean < 0.2 * *bypass.mu_bg_total.mean);
  CHECK(throttled.violations == 0);
}

TEST_CASE("the adaptive choice keeps every check, and the hot spot fills all ways", "[esc]") {
  keeps_checks("adaptive", 0.95);
  Spec spec = small_spec(256, 4, "hot-section:4");
  const BatchResult reserved = run_golden(spec);
  set_policy(spec, "adaptive");
  CHECK(*run_golden(spec).mu_bg_total.mean > 5 * *reserved.mu_bg_total.mean);
  CHECK(policy_name(spec) == "adaptive");
}

TEST_CASE("sections chosen at run time keep every check, around faults as well", "[esc]") {
  for (const bool faulty : {false, true})
    keeps_checks("hot-section:auto", 0.95, [&](Spec& spec) {
      spec.rate_change = {.cycle = 205, .rate = 0.9};
      if (faulty) spec.faults = {{FaultKind::kBox, 1, 0}};
    });
}
