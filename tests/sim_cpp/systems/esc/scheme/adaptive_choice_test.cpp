// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "esc_fixture.hpp"
#include "systems/esc/golden/injection_banks.hpp"
#include "systems/esc/scheme/feedback.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

constexpr esc::BoxPacket to_pe_9(esc::BoxKind kind) { return esc::make_packet(kind, 0, 0, 9); }

}  // namespace

TEST_CASE("a PE takes the least filled output, its own before those after it", "[esc]") {
  const esc::Cube cube(16, 4);
  const esc::Spec spec = small_spec(16, 4, "adaptive");
  esc::Feedback feedback(spec, cube);
  feedback.start(esc::plan_session(spec, 0));
  const auto bank = golden::make_adaptive_bank(
      {.size = 4, .address_bits = 4, .scheme = esc::InjectionScheme::kAdaptive}, 16);
  bank->reset(std::vector<std::uint16_t>(16));
  std::vector<esc::BoxPacket> offers(16, to_pe_9(esc::BoxKind::kBackground)), rx(48), tx(48);
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
      rx[36 + i] = esc::make_packet(esc::BoxKind::kBackground, 0, 0, 9 | outputs[i] << 4);
      rx_ready[36 + i] = 1;
    }
    esc::CycleView view;
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
  offers.assign(16, to_pe_9(esc::BoxKind::kRelease));
  CHECK(outputs_of_box_1() == Outputs{0, 1, 2, 3});
}

TEST_CASE("the adaptive choice keeps every check, and the hot spot fills all ways", "[esc]") {
  for (const auto& [pes, n] : {std::pair{4u, 4u}, {4u, 2u}, {64u, 2u}, {64u, 4u}, {64u, 8u}}) {
    for (const double rate : {0.0, 0.5, 0.95}) {
      for (const esc::Release release : {esc::Release::kDirect, esc::Release::kNetwork}) {
        esc::Spec spec = small_spec(pes, n, "adaptive");
        spec.box.depth = 4;
        spec.rate = rate;
        spec.release = release;
        spec.hot_spots = pes / 4;
        CAPTURE(pes, n, rate);
        CHECK(run_golden(spec).violations == 0);
      }
    }
  }
  esc::Spec spec = small_spec(256, 4, "hot-section:4");
  const esc::BatchResult reserved = run_golden(spec);
  esc::set_policy(spec, "adaptive");
  CHECK(*run_golden(spec).mu_bg_total.mean > 5 * *reserved.mu_bg_total.mean);
  CHECK(esc::policy_name(spec) == "adaptive");
}
