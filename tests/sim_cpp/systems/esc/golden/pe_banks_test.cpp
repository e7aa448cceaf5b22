// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "systems/esc/golden/golden_boxes.hpp"

using namespace muster;

namespace {

/// 16 PEs, boxes of 4, hot spot 6, four sections of four PEs: the hot section is 4..7.
struct Policies {
  explicit Policies(esc::InputPolicy policy, std::uint32_t size = 4, std::uint32_t mask = 0xC)
      : bank({.size = size, .address_bits = 4, .policy = policy, .section_mask = mask}, 16) {
    std::fill(bank.hot().begin(), bank.hot().end(), 6);
    bank.reset(std::vector<std::uint16_t>(16, 1));
  }
  void pend(bool on) {
    std::fill(bank.set().begin(), bank.set().end(), on);
    std::fill(bank.clear().begin(), bank.clear().end(), !on);
    bank.clock(0);
    std::fill(bank.set().begin(), bank.set().end(), 0);
    std::fill(bank.clear().begin(), bank.clear().end(), 0);
  }
  unsigned digit(std::uint32_t pe, esc::BoxKind kind, std::uint32_t destination) {
    std::fill(bank.offer().begin(), bank.offer().end(), 0);
    bank.offer()[pe] = kind == esc::BoxKind::kRelease ? esc::make_release(3, pe, destination)
                                                      : esc::make_packet(kind, 5, pe, destination);
    bank.settle();
    const unsigned digit = bank.digit()[pe];
    bank.clock(0);
    return digit;
  }
  golden::GoldenPolicyBank bank;
};

constexpr unsigned kAside = 99;

/// Digit of a background packet from PE 0 (link 0) and PE 5 (link 1) with the flag set.
void expect(esc::InputPolicy policy, std::uint32_t destination, unsigned from_0, unsigned from_5) {
  Policies policies(policy);
  policies.pend(true);
  CAPTURE(static_cast<int>(policy), destination);
  for (int k = 0; k < 50; ++k) {
    const unsigned digit = policies.digit(0, esc::BoxKind::kBackground, destination);
    if (from_0 == kAside)
      CHECK((digit >= 1 && digit <= 3));
    else
      CHECK(digit == from_0);
    CHECK(policies.digit(5, esc::BoxKind::kBackground, destination) == from_5);
  }
}

}  // namespace

TEST_CASE("background goes straight while the flag is not set", "[golden][esc]") {
  for (const auto policy : {esc::InputPolicy::kStraight, esc::InputPolicy::kIsolatedBackground,
                            esc::InputPolicy::kIsolatedHotSpot, esc::InputPolicy::kHotSection}) {
    Policies policies(policy);
    for (std::uint32_t pe = 0; pe < 16; ++pe)
      for (std::uint32_t d = 0; d < 16; ++d)
        CHECK(policies.digit(pe, esc::BoxKind::kBackground, d) == pe % 4);
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

TEST_CASE("a synchronization takes output 0, a release goes straight", "[golden][esc]") {
  for (const bool flag : {false, true}) {
    for (const auto policy : {esc::InputPolicy::kIsolatedBackground,
                              esc::InputPolicy::kIsolatedHotSpot, esc::InputPolicy::kHotSection}) {
      Policies policies(policy);
      policies.pend(flag);
      for (std::uint32_t pe = 0; pe < 16; ++pe) {
        CHECK(policies.digit(pe, esc::BoxKind::kSynchronization, 6) == 0);
        CHECK(policies.digit(pe, esc::BoxKind::kRelease, 0) == pe % 4);
      }
    }
  }
  Policies straight(esc::InputPolicy::kStraight);
  CHECK(straight.digit(3, esc::BoxKind::kSynchronization, 6) == 3);
}

TEST_CASE("an output aside is uniform over a period and drawn only when it is used",
          "[golden][esc]") {
  Policies policies(esc::InputPolicy::kIsolatedBackground);
  policies.pend(true);
  std::vector<unsigned> count(4);
  for (unsigned k = 0; k < 65535; ++k) {
    ++count[policies.digit(0, esc::BoxKind::kBackground, 9)];
    if (k % 1000 == 0) {  // none of these uses PE 0's number
      policies.digit(5, esc::BoxKind::kBackground, 9);
      policies.digit(0, esc::BoxKind::kSynchronization, 6);
      policies.digit(0, esc::BoxKind::kRelease, 0);
    }
  }
  CHECK(count == std::vector<unsigned>{0, 21845, 21845, 21845});
}

TEST_CASE("an output aside is the one that the page's formula names", "[golden][esc]") {
  for (const std::uint32_t size : {4u, 8u}) {
    Policies policies(esc::InputPolicy::kIsolatedBackground, size);
    policies.pend(true);
    std::uint32_t value = 1;  // of the LFSR of PE 0
    for (int k = 0; k < 1000; ++k) {
      std::uint32_t u = 0;
      for (unsigned d = 0; d < 16; ++d)
        if ((value >> (5 * d % 16) & 1) != 0) u |= 1u << (15 - d);
      REQUIRE(policies.digit(0, esc::BoxKind::kBackground, 9) == 1 + u * (size - 1) / 65536);
      value = (value & 1) != 0 ? value >> 1 ^ 0xD008 : value >> 1;
    }
  }
}

TEST_CASE("boxes of two leave one output aside", "[golden][esc]") {
  Policies policies(esc::InputPolicy::kIsolatedHotSpot, 2);
  policies.pend(true);
  for (int k = 0; k < 20; ++k) CHECK(policies.digit(0, esc::BoxKind::kBackground, 9) == 1);
}

TEST_CASE("the flag follows set and clear at the edge, set first", "[golden][esc]") {
  Policies policies(esc::InputPolicy::kIsolatedHotSpot);
  auto& bank = policies.bank;
  bank.set()[3] = 1;
  CHECK(bank.flag()[3] == 0);
  bank.clock(0);
  CHECK(bank.flag()[3] == 1);
  CHECK(bank.flag()[2] == 0);
  bank.clear()[3] = 1;
  bank.clock(1);
  CHECK(bank.flag()[3] == 1);
  bank.set()[3] = 0;
  bank.clock(2);
  CHECK(bank.flag()[3] == 0);
}

namespace {

/// 16 PEs with boxes of 4, of which PE 4, on link 0, offers a packet in each cycle.
struct Sections {
  Sections() { bank->reset(std::vector<std::uint16_t>(16)); }
  /// The mask of PE `pe` after a cycle in which its policy asked for `digit`.
  std::uint32_t cycle(unsigned digit, bool taken, bool flag = true,
                      esc::BoxKind kind = esc::BoxKind::kBackground, std::uint32_t pe = 4) {
    bank->head()[pe] = esc::make_packet(kind, 3, pe, 9);
    bank->settle();
    CHECK(bank->offer()[pe] == bank->head()[pe]);
    bank->flag()[pe] = flag;
    bank->asked()[pe] = static_cast<std::uint8_t>(digit);
    bank->taken()[pe] = taken;
    bank->clock(0);
    CHECK((bank->leaves()[pe] != 0) == taken);
    return bank->sections()[pe];
  }
  std::unique_ptr<esc::InjectionBank> bank = golden::make_injection_bank(
      {.size = 4, .address_bits = 4, .scheme = esc::InjectionScheme::kSections}, 16);
};

}  // namespace

TEST_CASE("four packets that are blocked aside double the sections, up to N", "[golden][esc]") {
  Sections s;
  for (const std::uint32_t mask : {0x8u, 0xCu, 0xEu, 0xFu, 0xFu}) {
    const std::uint32_t before = s.bank->sections()[4];
    for (unsigned k = 1; k <= 3; ++k) CHECK(s.cycle(k, false) == before);
    CHECK(s.cycle(0, true) == before);  // taken: not counted, whatever it asked for
    CHECK(s.cycle(2, false) == mask);
  }
}

TEST_CASE("a packet that is blocked at output 0 makes it one section", "[golden][esc]") {
  Sections s;
  for (int k = 0; k < 11; ++k) s.cycle(1, false);
  CHECK(s.bank->sections()[4] == 0xC);
  CHECK(s.cycle(0, false) == 0);
  for (int k = 0; k < 3; ++k) CHECK(s.cycle(1, false) == 0);  // the three before do not count
  CHECK(s.cycle(1, false) == 0x8);
}

TEST_CASE("only blocked background of a PE of link 0 whose flag is set counts", "[golden][esc]") {
  Sections s;
  for (int k = 0; k < 20; ++k) {
    CHECK(s.cycle(1, true) == 0);
    CHECK(s.cycle(1, false, false) == 0);
    CHECK(s.cycle(1, false, true, esc::BoxKind::kSynchronization) == 0);
    CHECK(s.cycle(1, false, true, esc::BoxKind::kRelease) == 0);
    CHECK(s.cycle(1, false, true, esc::BoxKind::kBackground, 5) == 0);
  }
  for (int k = 0; k < 3; ++k) CHECK(s.cycle(1, false) == 0);
  CHECK(s.cycle(1, false) == 0x8);
  CHECK(s.cycle(1, false, false) == 0x8);  // it stays when the flag is cleared
}
