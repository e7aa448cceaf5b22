// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/bsr_table.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace muster;
using golden::BsrDrop;
using golden::BsrEntry;
using golden::BsrOrigin;
using golden::BsrTable;
using preempt::Bnt;
using preempt::BsrMessage;
using preempt::BsrType;

/// The rules of docs/systems/bsr-tree.md one by one at one switch of address 50. Group 9, center
/// 99.

namespace {

constexpr std::uint32_t kHere = 50, kCenter = 99, kGid = 9;

struct Fixture {
  BsrTable table{2};
  explicit Fixture(std::uint16_t locals = 0, std::uint16_t center_count = 0) {
    table.set_address(kHere);
    if (locals == 0 && center_count == 0) return;
    BsrEntry entry;
    entry.valid = true;
    entry.gid = kGid;
    entry.locals = locals;
    entry.center = center_count != 0;
    entry.count = center_count;
    table.write(0, entry);
  }
  const BsrEntry& entry() const { return table.at(0); }

  static BsrMessage first(std::uint32_t source, Bnt bnt = Bnt::kSource,
                          std::uint32_t new_node = 0) {
    return {BsrType::kFirst, kGid, kCenter, source, bnt, false, new_node};
  }
  /// To this switch.
  static BsrMessage later(BsrType type, std::uint32_t source) {
    return {type, kGid, kHere, source, Bnt::kSource, false, 0};
  }
  BsrMessage passes(std::uint32_t port, const BsrMessage& message) {
    const auto on = table.take(port, message);
    REQUIRE(on);
    CHECK_FALSE(table.dropped());
    return *on;
  }
  void drops(std::uint32_t port, const BsrMessage& message, BsrDrop reason) {
    const std::string before = describe(entry());
    CHECK_FALSE(table.take(port, message));
    CHECK(table.dropped() == reason);
    CHECK(describe(entry()) == before);
  }
  void takes(std::uint32_t port, const BsrMessage& message) {
    CHECK_FALSE(table.take(port, message));
    CHECK_FALSE(table.dropped());
  }
  BsrOrigin sends() {
    REQUIRE(table.next());
    return table.send(*table.next());
  }
};

/// The center's switch, with a member on port 4 and children 60 by port 0, 61 by port 2: the first
/// round is over and everybody served.
Fixture after_first_round() {
  Fixture f(1 << 4, 3);
  auto to_here = [](BsrMessage m) {
    m.destination = kHere;
    return m;
  };
  f.takes(0, to_here(Fixture::first(60)));
  f.takes(4, to_here(Fixture::first(kHere)));
  CHECK_FALSE(f.table.next());
  f.takes(2, to_here(Fixture::first(61)));
  for (int i = 0; i < 3; ++i) f.sends();
  CHECK_FALSE(f.table.next());
  return f;
}

}  // namespace

TEST_CASE("rule 0: of the nodes of a switch the first one's message goes unchanged",
          "[golden][bsr]") {
  Fixture f(0b11000);
  CHECK(f.passes(4, f.first(kHere)) == f.first(kHere));
  CHECK(f.passes(3, f.first(kHere)) == f.first(kHere, Bnt::kNothing));
  CHECK(f.entry().arrived == 0b11000);
  CHECK(f.entry().children == 0);
  CHECK_FALSE(f.entry().branch);
  f.drops(3, f.first(kHere), BsrDrop::kOutOfPhase);
}

TEST_CASE("rule 1.1: at a switch without members the second source makes a branch",
          "[golden][bsr]") {
  Fixture f;
  CHECK(f.passes(0, f.first(60)) == f.first(60));
  CHECK(f.entry().children == 0b1);
  CHECK(f.entry().child[0] == 60);
  CHECK_FALSE(f.entry().bsr_node());
  CHECK(f.passes(2, f.first(61)) == f.first(61, Bnt::kNewNode, kHere));
  CHECK(f.entry().bsr_node());
  CHECK(f.passes(3, f.first(62)) == f.first(62, Bnt::kNothing));
  CHECK(f.entry().children == 0b1101);
  CHECK(f.entry().child[2] == 61);
  CHECK(f.entry().child[3] == 62);
}

TEST_CASE("rule 1.2: at a switch with a member a message tells nothing further", "[golden][bsr]") {
  Fixture f(1 << 5);
  CHECK(f.passes(0, f.first(60)) == f.first(60, Bnt::kNothing));
  CHECK(f.entry().child[0] == 60);
  CHECK(f.passes(5, f.first(kHere)) == f.first(kHere));  // its own message goes by rule 0 still
}

TEST_CASE("rule 2: a new node takes the place of the child of its channel", "[golden][bsr]") {
  Fixture f;
  f.passes(1, f.first(60));
  CHECK(f.passes(1, f.first(61, Bnt::kNewNode, 70)) == f.first(61, Bnt::kNewNode, 70));
  CHECK(f.entry().children == 0b10);
  CHECK(f.entry().child[1] == 70);
  CHECK(f.passes(2, f.first(62)).bnt == Bnt::kNewNode);
  CHECK(f.passes(1, f.first(63, Bnt::kNewNode, 71)).bnt == Bnt::kNothing);  // a BSR node by now
  CHECK(f.entry().child[1] == 71);
}

TEST_CASE("rule 3: what tells nothing changes nothing", "[golden][bsr]") {
  Fixture f;
  CHECK(f.passes(1, f.first(60, Bnt::kNothing)) == f.first(60, Bnt::kNothing));
  CHECK(f.entry().children == 0);
}

TEST_CASE("the center counts members and serves children and locals, the lowest port first",
          "[golden][bsr]") {
  Fixture f(1 << 4, 2);
  BsrMessage message = f.first(60);
  message.destination = kHere;
  f.takes(6, message);
  CHECK(f.entry().count == 1);
  message = f.first(kHere);
  message.destination = kHere;
  f.takes(4, message);
  CHECK(f.entry().tree);
  const BsrOrigin local = f.sends();
  CHECK(local.port == 4u);
  CHECK(local.message.type == BsrType::kDistribution);
  const BsrOrigin child = f.sends();
  CHECK_FALSE(child.port);
  CHECK(child.message ==
        BsrMessage{BsrType::kDistribution, kGid, 60, kHere, Bnt::kSource, false, 0});
  CHECK_FALSE(f.table.next());
  f.drops(6, message, BsrDrop::kOutOfPhase);  // none is missing any more
}

TEST_CASE("a BSR node learns its parent from the first distribution, serves, then sends free",
          "[golden][bsr]") {
  Fixture f(1 << 3);
  f.passes(0, f.first(60));
  f.passes(3, f.first(kHere));
  f.takes(1, f.later(BsrType::kDistribution, 80));
  CHECK(f.entry().parent == 80);
  CHECK(f.sends().message.destination == 60);
  CHECK(f.sends().port == 3u);
  CHECK(f.sends().message == f.first(kHere, Bnt::kFree));
  CHECK_FALSE(f.table.next());
  f.drops(1, f.later(BsrType::kDistribution, 80), BsrDrop::kOutOfPhase);
  f.takes(3, f.later(BsrType::kReduction, 7));
  f.takes(5, f.later(BsrType::kReduction, 60));  // by any port
  CHECK(f.sends().message ==
        BsrMessage{BsrType::kReduction, kGid, 80, kHere, Bnt::kSource, false, 0});
  f.drops(1, f.later(BsrType::kDistribution, 81), BsrDrop::kWrongSource);
  f.takes(1, f.later(BsrType::kDistribution, 80));
  CHECK(f.sends().message.destination == 60);
}

TEST_CASE("free removes the entries up to the parent", "[golden][bsr]") {
  Fixture between;
  between.passes(0, between.first(60));
  CHECK(between.passes(0, between.first(60, Bnt::kFree)) == between.first(60, Bnt::kFree));
  CHECK_FALSE(between.entry().valid);
  CHECK(between.passes(0, between.first(60, Bnt::kFree)).bnt == Bnt::kFree);  // already gone
  Fixture parent(1 << 3);
  parent.takes(0, parent.first(60, Bnt::kFree));
  CHECK(parent.entry().valid);
}

TEST_CASE("a full table refuses, and the center tells its nodes", "[golden][bsr]") {
  Fixture f;
  for (const std::uint32_t gid : {1u, 2u}) {
    BsrMessage other = f.first(60);
    other.gid = gid;
    f.passes(0, other);
  }
  BsrMessage refused = f.first(61, Bnt::kNothing);
  refused.refused = true;
  CHECK(f.passes(0, f.first(61)) == refused);
  CHECK(f.passes(1, refused) == refused);

  Fixture center(1 << 4, 2);
  refused.destination = kHere;
  center.takes(0, refused);
  BsrMessage own = center.first(kHere);
  own.destination = kHere;
  center.takes(4, own);
  const BsrOrigin answer = center.sends();
  CHECK(answer.port == 4u);
  CHECK(answer.message.type == BsrType::kFirst);
  CHECK(answer.message.refused);
  CHECK_FALSE(center.table.next());
}

TEST_CASE("what refused messages pass keeps no entry of them", "[golden][bsr]") {
  Fixture f;
  BsrMessage refused = f.first(61, Bnt::kNothing);
  refused.refused = true;
  CHECK(f.passes(1, refused) == refused);
  CHECK_FALSE(f.entry().valid);
}

TEST_CASE("later reductions count once, from children and locals only", "[golden][bsr]") {
  Fixture f = after_first_round();
  f.drops(0, f.later(BsrType::kReduction, 62), BsrDrop::kWrongSource);
  f.takes(2, f.later(BsrType::kReduction, 60));  // child of port 0, by another port
  f.drops(0, f.later(BsrType::kReduction, 60), BsrDrop::kOutOfPhase);
  f.takes(0, f.later(BsrType::kReduction, 61));
  CHECK_FALSE(f.table.next());
  f.takes(4, f.later(BsrType::kReduction, 3));
  CHECK(f.entry().serve == 0b10101);
  // Who is still to be served cannot have arrived again.
  f.drops(0, f.later(BsrType::kReduction, 60), BsrDrop::kOutOfPhase);
  CHECK(f.sends().message.destination == 60);
  f.takes(0, f.later(BsrType::kReduction, 60));
  f.drops(1, f.later(BsrType::kDistribution, 80), BsrDrop::kWrongSource);  // it has no parent
}

TEST_CASE("messages for a switch without entry are dropped", "[golden][bsr]") {
  Fixture f;
  f.drops(0, f.later(BsrType::kReduction, 60), BsrDrop::kUnknownGroup);
  f.drops(0, f.later(BsrType::kDistribution, 60), BsrDrop::kUnknownGroup);
  BsrMessage message = f.first(60);
  message.destination = kHere;
  f.drops(0, message, BsrDrop::kUnknownGroup);
}

TEST_CASE("entries send in turn", "[golden][bsr]") {
  Fixture f;
  for (std::uint32_t e = 0; e < 2; ++e) {
    BsrEntry entry;
    entry.valid = entry.tree = true;
    entry.gid = static_cast<std::uint8_t>(e);
    entry.locals = entry.serve = 0b11;
    f.table.write(e, entry);
  }
  std::vector<std::uint32_t> gids;
  for (int i = 0; i < 4; ++i) gids.push_back(f.sends().message.gid);
  CHECK(gids == std::vector<std::uint32_t>{0, 1, 0, 1});
}

TEST_CASE("barrier messages of preempting switches keep their fields on the link",
          "[network][bsr]") {
  const BsrMessage longest{BsrType::kFirst, 0xA5, 0x7ff, 0x456, Bnt::kNewNode, true, 0x123};
  const auto flits = bsr_flits(longest, 3);
  CHECK(flits[0].lo == (2u << 14 | 0xA5u << 6 | 0x22));
  CHECK(flits[1].lo == (0x16u << 11 | 0x7ff));
  CHECK(flits[2].lo == (1u << 14 | 1u << 13 | 0x123));
  for (std::size_t i = 0; i < flits.size(); ++i) {
    CHECK(flits[i].kind == (i == 0 ? 0b101 : 0b100));
    CHECK(preempt::begins_bsr_message(flits[i]) == (i == 0));
    CHECK(flits[i].vc == 3);
  }
  CHECK(preempt::bsr_message(flits) == longest);
  // Bits 15..11 of addresses are in bits 20..16.
  const BsrMessage wide{BsrType::kFirst, 0xA5, 0x8fff, 0xf456, Bnt::kNewNode, false, 0x0923};
  const auto wider = bsr_flits(wide, 0);
  CHECK(wider[0].lo == (0x1eu << 16 | 2u << 14 | 0xA5u << 6 | 0x22));
  CHECK(wider[1].lo == (0x11u << 16 | 0x16u << 11 | 0x7ff));
  CHECK(wider[2].lo == (1u << 16 | 1u << 14 | 0x123));
  CHECK(preempt::bsr_message(wider) == wide);
  const BsrMessage later{BsrType::kDistribution, 255, 1, 2, Bnt::kSource, false, 0};
  CHECK(preempt::bsr_message(preempt::bsr_flits(later, 1)) == later);
  CHECK(preempt::bsr_length(BsrType::kFirst) == 3);
  CHECK(preempt::bsr_length(BsrType::kReduction) == 2);
  core::Flit none = flits[0];
  none.lo |= 3u << 14;
  CHECK_FALSE(preempt::begins_bsr_message(none));
}

TEST_CASE("padding requests and ends are of one flit, on the channel that they are about",
          "[network][bsr]") {
  const preempt::LinkControl end{true, 2};
  core::Flit flit = preempt::control_flit(end);
  CHECK(flit.kind == 0b111);
  CHECK(flit.vc == 2);
  CHECK(flit.lo == (1u << 14 | 2));
  CHECK(preempt::is_control(flit));
  CHECK(preempt::link_control(flit) == end);
  flit.lo |= 1u << 15;  // operations 2 and 3
  CHECK_FALSE(preempt::is_control(flit));
  CHECK_FALSE(preempt::is_control(preempt::bsr_flits({}, 0)[0]));
}
