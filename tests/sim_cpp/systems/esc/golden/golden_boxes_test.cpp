// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/golden/golden_boxes.hpp"

#include "support/test.hpp"

using namespace muster;

namespace {

/// One 4 x 4 box in stage 0.
struct OneBox {
  explicit OneBox(unsigned depth, std::uint16_t seed = 1)
      : bank(golden::GoldenBoxes().make_boxes({4, depth}, {0})) {
    bank->reset(std::array{seed});
  }
  /// Offers packets to the outputs named (-1: none), returns who is taken, clocks. No output takes
  /// one.
  std::vector<int> cycle(const std::vector<int>& outputs) {
    for (unsigned i = 0; i < 4; ++i) {
      const auto to = static_cast<unsigned>(outputs[i]);
      bank->rx()[i] = outputs[i] < 0 ? 0 : esc::make_packet(esc::BoxKind::kBackground, now, i, to);
      bank->tx_ready()[i] = 0;
    }
    bank->settle();
    std::vector<int> taken(bank->rx_ready().begin(), bank->rx_ready().end());
    bank->clock(now++);
    return taken;
  }
  std::uint64_t now = 0;
  std::unique_ptr<esc::BoxBank> bank;
};

TEST_CASE("the surplus of the page's example is blocked", "[golden][esc]") {
  // Value 0x8020 has draw bits 1 and 3 (bits 5 and 15): start 2, downward; 0x0020: start 2, upward.
  for (const auto& [value, wins] : std::map<std::uint16_t, unsigned>{{0x8020, 1}, {0x0020, 3}}) {
    OneBox box(12, value);
    // Fill output 2 with 11 packets from one input: nothing contends, the LFSR keeps its value.
    for (int k = 0; k < 11; ++k) REQUIRE(box.cycle({2, -1, -1, -1})[0] == 1);
    const auto taken = box.cycle({2, 2, -1, 2});
    for (unsigned i = 0; i < 4; ++i) CHECK(taken[i] == (i == wins));
  }
}

TEST_CASE("a broadcast is taken for all outputs or none", "[golden][esc]") {
  OneBox box(1);
  box.cycle({3, -1, -1, -1});  // output 3 is full and stays so
  box.bank->rx()[0] = esc::make_release(1, 7, 0);
  for (unsigned i = 1; i < 4; ++i) box.bank->rx()[i] = 0;
  for (unsigned o = 0; o < 4; ++o) box.bank->tx_ready()[o] = o == 3;
  box.bank->settle();
  CHECK(box.bank->rx_ready()[0] == 0);
  box.bank->clock(1);  // output 3 drains
  box.bank->settle();
  CHECK(box.bank->rx_ready()[0] == 1);
  box.bank->clock(2);
  for (unsigned o = 0; o < 4; ++o) CHECK(box.bank->tx()[o] == esc::make_release(1, 7, 0));
}

/// The flags of 16 PEs are set; boxes of 4, hot spot 6, four sections of four PEs: the hot section
/// is 4..7.
struct Policies {
  explicit Policies(esc::InputPolicy policy)
      : made(golden::GoldenBoxes().make_policies(
            {.size = 4, .address_bits = 4, .policy = policy, .section_mask = 0xC}, 16)) {
    std::ranges::fill(bank.hot, 6);
    bank.reset(std::vector<std::uint16_t>(16, 1));
    std::ranges::fill(bank.set, 1);
    bank.clock(0);
    std::ranges::fill(bank.set, 0);
  }
  unsigned digit(std::uint32_t pe, std::uint32_t destination) {
    std::ranges::fill(bank.offer, 0);
    bank.offer[pe] = esc::make_packet(esc::BoxKind::kBackground, 5, pe, destination);
    bank.settle();
    const unsigned digit = bank.digit[pe];
    bank.clock(0);
    return digit;
  }
  std::unique_ptr<esc::PolicyBank> made;
  esc::PolicyBank& bank = *made;
};

constexpr unsigned kAside = 99;

/// Digit of a background packet from PE 0 (link 0) and PE 5 (link 1) with the flag set.
void expect(esc::InputPolicy policy, std::uint32_t destination, unsigned from_0, unsigned from_5) {
  Policies policies(policy);
  CAPTURE(static_cast<int>(policy), destination);
  for (int k = 0; k < 50; ++k) {
    const unsigned digit = policies.digit(0, destination);
    if (from_0 == kAside)
      CHECK((digit >= 1 && digit <= 3));
    else
      CHECK(digit == from_0);
    CHECK(policies.digit(5, destination) == from_5);
  }
}

TEST_CASE("under a set flag each policy follows its figure", "[golden][esc]") {
  using enum esc::InputPolicy;
  for (const std::uint32_t d : {6u, 7u, 4u, 0u, 12u}) expect(kStraight, d, 0, 1);
  for (const std::uint32_t d : {6u, 7u, 4u, 0u, 12u}) expect(kIsolatedBackground, d, kAside, 1);
  expect(kIsolatedHotSpot, 6, 0, 0);
  for (const std::uint32_t d : {7u, 4u, 0u, 12u}) expect(kIsolatedHotSpot, d, kAside, 1);
  expect(kHotSection, 6, 0, 0);
  for (const std::uint32_t d : {4u, 5u, 7u}) expect(kHotSection, d, kAside, 1);
  for (const std::uint32_t d : {0u, 3u, 8u, 15u}) expect(kHotSection, d, 0, 1);
}

}  // namespace
