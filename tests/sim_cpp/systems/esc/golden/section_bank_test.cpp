// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "systems/esc/golden/injection_banks.hpp"

using namespace muster;

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
  std::unique_ptr<esc::InjectionBank> bank = golden::make_section_bank(
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
