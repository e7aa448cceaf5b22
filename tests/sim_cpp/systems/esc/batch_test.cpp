// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/batch.hpp"

#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "support/folder.hpp"
#include "systems/esc/checkers/checks.hpp"
#include "systems/esc/golden/golden_boxes.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

TEST_CASE("every check holds at the extremes of size, buffer, rate and spread", "[esc]") {
  for (const auto& [pes, n] : {Size{4, 2}, {4, 4}, {8, 8}, {16, 2}, {64, 4}})
    for (const std::string policy :
         {"bypass", "isolated-bg", "isolated-hs", "hot-section:2", "all"})
      for (const std::uint32_t depth : {1u, 2u, 64u})
        for (const double rate : {0.0, 0.3, 0.6})
          for (const double sigma : {0.0, 20.0}) {
            Spec spec =
                small_spec(pes, n, policy == "all" ? "hot-section:" + std::to_string(pes) : policy);
            spec.box.depth = depth;
            spec.rate = rate;
            spec.sigma = sigma;
            spec.sessions = 1;
            spec.release = depth == 2 ? Release::kNetwork : Release::kDirect;
            CAPTURE(pes, n, policy, depth, rate, sigma);
            const BatchResult result = run_golden(spec);
            CHECK(result.violation_texts == std::vector<std::string>{});
            CHECK(result.mu_syn.mean().has_value());
            CHECK(result.mu_bg_total.mean().has_value() == (rate > 0));
            CHECK(result.active_session.mean() >= pes - 1.0);
            CHECK_FALSE(result.mu_syn.half_width().has_value());
            for (const run::CheckCount& check : result.checks)
              if (check.name != "purity") CHECK(check.passed > 0);
          }
}

TEST_CASE("a batch is the same for any number of threads", "[esc]") {
  Spec spec = small_spec(64, 4, "hot-section:4");
  spec.sessions = 9;
  const BatchResult one = run_golden(spec);
  for (const unsigned threads : {2u, 3u, 20u}) {
    spec.threads = threads;
    const BatchResult many = run_golden(spec);
    CHECK(many.digest == one.digest);
    CHECK(many.mu_syn.mean() == one.mu_syn.mean());
    CHECK(many.mu_bg_total.half_width() == one.mu_bg_total.half_width());
    CHECK(many.packets == one.packets);
  }
  spec.seed += 1;
  CHECK(run_golden(spec).digest != one.digest);
}

TEST_CASE("a long run says how far it is", "[esc]") {
  Spec spec = small_spec(16, 4, "bypass");
  spec.mean = 9000;
  spec.sessions = 3;
  spec.threads = 2;
  std::uint32_t most = 0;
  std::uint64_t within = 0;
  run_batch(spec, *run::make_golden_engine(), [&](std::uint32_t done, std::uint64_t cycle) {
    // A report of a finished session repeats the cycle that was told last.
    within += done == most && (cycle == 4096 || cycle == 8192);
    most = std::max(most, done);
  });
  CHECK(most == 3);
  CHECK(within == 6);
}

TEST_CASE("a batch that is interrupted is one of fewer sessions", "[esc]") {
  Spec spec = small_spec(16, 4, "bypass");
  spec.sessions = 50;
  spec.threads = 1;
  spec.mean = 600;
  std::uint32_t finished = 0, asked = 0;
  const BatchResult cut = run_batch(
      spec, *run::make_golden_engine(), [&](std::uint32_t done, std::uint64_t) { finished = done; },
      // Before the fourth session, in its cycle 0, in its cycle 256.
      [&] { return finished == 3 && ++asked > 2; });
  CHECK(asked > 2);
  CHECK(cut.interrupted);
  CHECK(cut.sessions == 3);
  spec.sessions = 3;
  const BatchResult whole = run_golden(spec);
  CHECK_FALSE(whole.interrupted);
  CHECK(cut.digest == whole.digest);
  CHECK(cut.mu_syn.mean() == whole.mu_syn.mean());
  spec.sessions = 50;
  const BatchResult none = run_batch(spec, *run::make_golden_engine(), {}, [] { return true; });
  CHECK(none.sessions == 0);
  CHECK_FALSE(none.mu_syn.mean());
}

namespace {

const Provenance kOrigin{"muster esc", "0.1", 1};

TEST_CASE("a mean over nothing is null, a width of one session too", "[esc]") {
  Spec spec = small_spec(16, 4, "bypass");
  spec.rate = 0;
  spec.sessions = 1;
  const auto json = valid_json(batch_to_json(spec, run_golden(spec), kOrigin));
  CHECK(json["mu_bg_total"]["mean"].is_null());
  CHECK(json["mu_syn"]["mean"].is_number());
  CHECK(json["mu_syn"]["half_width"].is_null());
  CHECK_THAT(batch_to_text(spec, run_golden(spec)), Contains("mu_BG(Tot)      none"));
}

constexpr BoxPacket syn(std::uint64_t birth, std::uint32_t tag = 1, std::uint32_t messages = 1) {
  return make_packet(BoxKind::kSynchronization, birth, messages - 1, tag);
}
constexpr BoxPacket bg(std::uint64_t birth) {
  return make_packet(BoxKind::kBackground, birth, 3, 1);
}

/// One 4 x 4 box of stage 0.
struct Box {
  explicit Box(std::uint32_t depth)
      : bank(
            golden::GoldenBoxes().make_boxes({.size = 4, .depth = depth, .combining = true}, {0})) {
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
    spec.rate = spec.sigma = 0;
    const BatchResult result = run_golden(spec);
    CHECK(*result.mu_syn.mean() == 0);
    // The coordinator sends none, so all others meet in every stage.
    CHECK(*result.active_session.mean() == spec.stages().count(Cube(pes, n)));
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
  CHECK(*throttled.mu_bg_total.mean() < 0.2 * *bypass.mu_bg_total.mean());
  CHECK(throttled.violations == 0);
}

TEST_CASE("the adaptive choice keeps every check, and the hot spot fills all ways", "[esc]") {
  keeps_checks("adaptive", 0.95);
  Spec spec = small_spec(256, 4, "hot-section:4");
  const BatchResult reserved = run_golden(spec);
  set_policy(spec, "adaptive");
  CHECK(*run_golden(spec).mu_bg_total.mean() > 5 * *reserved.mu_bg_total.mean());
  CHECK(policy_name(spec) == "adaptive");
}

TEST_CASE("sections chosen at run time keep every check, around faults as well", "[esc]") {
  for (const bool faulty : {false, true})
    keeps_checks("hot-section:auto", 0.95, [&](Spec& spec) {
      spec.rate_change = {.cycle = 205, .rate = 0.9};
      if (faulty) spec.faults = {{FaultKind::kBox, 1, 0}};
    });
}

}  // namespace
