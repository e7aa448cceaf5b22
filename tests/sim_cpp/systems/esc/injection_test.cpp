// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "systems/esc/golden/golden_boxes.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

/// 16 PEs whose coordinator is PE 5, box size 4: the wire in a cycle by hand.
struct Bench {
  explicit Bench(std::uint32_t limit) {
    spec = small_spec(16, 4, "throttle:" + std::to_string(limit));
    spec.hot = 5;
    feedback.emplace(spec, Cube(16, 4));
    feedback->start(plan_session(spec, 0));
    bank->reset(std::vector<std::uint16_t>(16));
  }
  /// One cycle; `into` packets enter the buffer towards the coordinator, `leave` one does.
  std::vector<std::uint8_t> cycle(std::uint32_t into, bool leave) {
    std::fill(rx_ready.begin(), rx_ready.end(), 0);
    for (std::uint32_t i = 0; i < into; ++i) {
      rx[4 + i] = make_packet(BoxKind::kBackground, now, i, 5);
      rx_ready[4 + i] = 1;
    }
    tx[5] = 1;
    tx_ready[5] = leave;
    std::ranges::copy(offers, bank->head().begin());
    std::ranges::copy(taken, bank->taken().begin());
    feedback->show(bank->busy(), bank->fill());
    bank->settle();
    std::ranges::copy(bank->offer(), offers.begin());
    CycleView view{.cycle = now,
                   .offers = offers,
                   .taken = taken,
                   .flags = {},
                   .arrivals = {},
                   .rx = rx,
                   .tx = tx,
                   .rx_ready = rx_ready,
                   .tx_ready = tx_ready};
    bank->clock(now++);
    feedback->clock(view);
    const auto leaves = bank->leaves();
    return {leaves.begin(), leaves.end()};
  }

  Spec spec;
  std::optional<Feedback> feedback;
  std::unique_ptr<InjectionBank> bank = golden::make_injection_bank(
      {.size = 4, .address_bits = 4, .scheme = InjectionScheme::kThrottle}, 16);
  std::uint64_t now = 0;
  std::vector<BoxPacket> offers = std::vector<BoxPacket>(16);
  std::vector<std::uint8_t> taken = std::vector<std::uint8_t>(16);
  std::vector<BoxPacket> rx = std::vector<BoxPacket>(32), tx = std::vector<BoxPacket>(32);
  std::vector<std::uint8_t> rx_ready = std::vector<std::uint8_t>(32),
                            tx_ready = std::vector<std::uint8_t>(32);
};

constexpr BoxPacket syn(std::uint32_t pe) {
  return make_packet(BoxKind::kSynchronization, 0, pe, 5);
}

}  // namespace

TEST_CASE("a PE holds its message while the wire is up and offers it in its turn", "[esc]") {
  Bench bench(2);
  CHECK(bench.cycle(1, false)[9] == 0);  // holds 1 from cycle 1
  CHECK(bench.cycle(1, false)[9] == 0);  // holds 2 from cycle 2: the wire is up from cycle 3
  bench.offers[9] = syn(9);
  bench.cycle(0, false);
  CHECK(bench.offers[9] == syn(9));  // cycle 2: still down
  CHECK(bench.cycle(0, true)[9] == 1);
  CHECK(bench.offers[9] == 0);  // cycle 3: into the register; the buffer holds 1 from cycle 4
  const BoxPacket behind = make_packet(BoxKind::kBackground, 1, 9, 5);
  bench.taken[9] = 1;
  for (const std::uint64_t cycle : {4, 5}) {  // the wire is up in 4, down from 5
    CAPTURE(cycle);
    bench.offers[9] = behind;
    CHECK(bench.cycle(0, false)[9] == 1);
    CHECK(bench.offers[9] == behind);
  }
  bench.offers[9] = behind;
  CHECK(bench.cycle(0, false)[9] == 0);  // cycle 6: the turn of PEs 8 to 11
  CHECK(bench.offers[9] == syn(9));
  bench.offers[9] = behind;
  for (int k = 0; k < 4; ++k) CHECK(bench.cycle(0, false)[9] == 1);
  CHECK(bench.offers[9] == behind);  // the register is empty
}

TEST_CASE("a held message waits through its turn while the wire is up", "[esc]") {
  Bench bench(1);
  bench.cycle(1, false);
  bench.cycle(0, false);
  bench.offers[9] = syn(9);
  CHECK(bench.cycle(0, false)[9] == 1);
  for (int k = 0; k < 12; ++k) {
    bench.offers[9] = 0;
    bench.cycle(0, false);
    CHECK(bench.offers[9] == 0);
  }
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

TEST_CASE("a limit out of range is refused, and so are faults", "[esc]") {
  Spec spec;
  for (const char* text : {"throttle:", "throttle:x", "throttle:-1", "throttle"})
    CHECK_THROWS_AS(set_policy(spec, text), InputError);
  for (const char* text : {"throttle:0", "throttle:13"}) {
    set_policy(spec, text);
    CHECK_THROWS_AS(validate(spec), InputError);
  }
  set_policy(spec, "throttle:12");
  CHECK_NOTHROW(validate(spec));
  CHECK(policy_name(spec) == "throttle:12");
  spec.faults.push_back({FaultKind::kBox, 1, 0});
  CHECK_THROWS_AS(validate(spec), InputError);
}

namespace {

constexpr BoxPacket to_pe_9(BoxKind kind) { return make_packet(kind, 0, 0, 9); }

}  // namespace

TEST_CASE("a PE takes the least filled output, its own before those after it", "[esc]") {
  const Cube cube(16, 4);
  const Spec spec = small_spec(16, 4, "adaptive");
  Feedback feedback(spec, cube);
  feedback.start(plan_session(spec, 0));
  const auto bank = golden::make_injection_bank(
      {.size = 4, .address_bits = 4, .scheme = InjectionScheme::kAdaptive}, 16);
  bank->reset(std::vector<std::uint16_t>(16));
  std::vector<BoxPacket> offers(16, to_pe_9(BoxKind::kBackground)), rx(48), tx(48);
  std::vector<std::uint8_t> rx_ready(48), tx_ready(48);
  const auto outputs_of_box_1 = [&] {
    std::ranges::copy(offers, bank->head().begin());
    feedback.show(bank->busy(), bank->fill());
    bank->settle();
    REQUIRE(std::ranges::equal(bank->offer(), offers));
    std::vector<std::uint32_t> outputs;
    for (std::uint32_t pe = 4; pe < 8; ++pe) outputs.push_back(bank->digit()[pe]);
    return outputs;
  };
  // Stage 2 is the last of three in the bank; box 1 has the links 4 to 7.
  const auto enters = [&](std::vector<std::uint32_t> outputs) {
    std::fill(rx_ready.begin(), rx_ready.end(), 0);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      rx[36 + i] = make_packet(BoxKind::kBackground, 0, 0, 9 | outputs[i] << 4);
      rx_ready[36 + i] = 1;
    }
    CycleView view;
    view.rx = rx, view.tx = tx, view.rx_ready = rx_ready, view.tx_ready = tx_ready;
    feedback.clock(view);
  };
  using Outputs = std::vector<std::uint32_t>;
  CHECK(outputs_of_box_1() == Outputs{0, 1, 2, 3});
  enters({1, 1, 3});  // 0 2 0 1
  CHECK(outputs_of_box_1() == Outputs{0, 2, 2, 0});
  enters({0, 2, 2, 3});  // 1 2 2 2
  CHECK(outputs_of_box_1() == Outputs{0, 0, 0, 0});
  enters({0, 0});  // 3 2 2 2
  CHECK(outputs_of_box_1() == Outputs{1, 1, 2, 3});
  tx[36 + 3] = 1, tx_ready[36 + 3] = 1;
  enters({});  // 3 2 2 1
  CHECK(outputs_of_box_1() == Outputs{3, 3, 3, 3});
  offers.assign(16, to_pe_9(BoxKind::kRelease));
  CHECK(outputs_of_box_1() == Outputs{0, 1, 2, 3});
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

TEST_CASE("sections chosen at run time are one while nothing is blocked aside", "[esc]") {
  Spec spec = small_spec(256, 4, "hot-section:1");
  spec.rate = 0.2;
  const BatchResult one = run_golden(spec);
  set_policy(spec, "hot-section:auto");
  CHECK(run_golden(spec).digest == one.digest);
}

TEST_CASE("sections chosen at run time carry what one section cannot", "[esc]") {
  Spec spec = small_spec(256, 4, "hot-section:1");
  spec.rate = 0.8;
  spec.mean = 400;
  const double one = *run_golden(spec).mu_bg_total.mean;
  set_policy(spec, "hot-section:16");
  const double sixteen = *run_golden(spec).mu_bg_total.mean;
  set_policy(spec, "hot-section:auto");
  const BatchResult chosen = run_golden(spec);
  CHECK(chosen.violations == 0);
  CHECK(*chosen.mu_bg_total.mean < 0.85 * one);
  CHECK(*chosen.mu_bg_total.mean < 0.85 * sixteen);
}
