// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/bsr_table.hpp"

#include "support/test.hpp"

using namespace muster;
using golden::BsrDrop;
using preempt::Bnt;
using preempt::BsrMessage;
using preempt::BsrType;

/// The rules of docs/systems/bsr-tree.md one by one at one switch of address 50. Group 9, center
/// 99.

namespace {

constexpr std::uint32_t kHere = 50, kCenter = 99, kGid = 9;

struct Fixture {
  golden::BsrTable table{2};
  explicit Fixture(std::uint16_t locals = 0, std::uint16_t center_count = 0) {
    table.set_address(kHere);
    if (locals == 0 && center_count == 0) return;
    table.write(0, {.valid = true,
                    .center = center_count != 0,
                    .gid = kGid,
                    .count = center_count,
                    .locals = locals});
  }
  const golden::BsrEntry& entry() const { return table.at(0); }

  static BsrMessage first(std::uint32_t source, Bnt bnt = Bnt::kSource,
                          std::uint32_t new_node = 0) {
    return {BsrType::kFirst, kGid, kCenter, source, bnt, false, new_node};
  }
  static BsrMessage to_here(std::uint32_t source) {
    BsrMessage message = first(source);
    message.destination = kHere;
    return message;
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
  golden::BsrOrigin sends() {
    REQUIRE(table.next());
    return table.send(*table.next());
  }
};

/// The center's switch, with a member on port 4 and children 60 by port 0, 61 by port 2: the first
/// round is over and everybody served.
Fixture after_first_round() {
  Fixture f(1 << 4, 3);
  f.takes(0, Fixture::to_here(60));
  f.takes(4, Fixture::to_here(kHere));
  CHECK_FALSE(f.table.next());
  f.takes(2, Fixture::to_here(61));
  for (int i = 0; i < 3; ++i) f.sends();
  CHECK_FALSE(f.table.next());
  return f;
}

}  // namespace

TEST_CASE("a message passes a switch by the rules of the first barrier", "[golden][bsr]") {
  using enum Bnt;
  struct Step {
    std::uint32_t port, source;
    Bnt comes, goes;
    std::uint32_t new_node = 0;  ///< as the message goes
  };
  struct Rule {
    const char* number;
    std::uint16_t locals;
    std::vector<Step> steps;
    std::map<std::uint32_t, std::uint32_t> children;  ///< by port
    bool bsr_node;
  };
  const Rule rules[] = {
      {"0: of the nodes of a switch the first one's message goes unchanged",
       0b11000,
       {{4, kHere, kSource, kSource}, {3, kHere, kSource, kNothing}},
       {},
       true},
      {"1.1: at a switch without members the second source makes a branch",
       0,
       {{0, 60, kSource, kSource}, {2, 61, kSource, kNewNode, kHere}, {3, 62, kSource, kNothing}},
       {{0, 60}, {2, 61}, {3, 62}},
       true},
      {"1.2: at a switch with a member a message tells nothing further, its own goes by rule 0",
       1 << 5,
       {{0, 60, kSource, kNothing}, {5, kHere, kSource, kSource}},
       {{0, 60}},
       true},
      {"2: a new node takes the place of the child of its channel",
       0,
       {{1, 60, kSource, kSource}, {1, 61, kNewNode, kNewNode, 70}},
       {{1, 70}},
       false},
      {"2: at a BSR node the new node is not told further",
       0,
       {{1, 60, kSource, kSource}, {2, 62, kSource, kNewNode, kHere}, {1, 63, kNewNode, kNothing}},
       {{1, 0}, {2, 62}},
       true},
      {"3: what tells nothing changes nothing", 0, {{1, 60, kNothing, kNothing}}, {}, false}};
  for (const Rule& rule : rules) {
    CAPTURE(rule.number);
    Fixture f(rule.locals);
    for (const Step& step : rule.steps) {
      const std::uint32_t node = step.comes == kNewNode ? step.new_node : 0;
      const BsrMessage expected = f.first(step.source, step.goes, step.new_node);
      CHECK(f.passes(step.port, f.first(step.source, step.comes, node)) == expected);
    }
    std::map<std::uint32_t, std::uint32_t> children;
    for (std::uint32_t p = 0; p < f.entry().child.size(); ++p)
      if (f.entry().children >> p & 1) children[p] = f.entry().child[p];
    CHECK(children == rule.children);
    CHECK(f.entry().bsr_node() == rule.bsr_node);
  }
}

TEST_CASE("the center counts members and serves children and locals, the lowest port first",
          "[golden][bsr]") {
  Fixture f(1 << 4, 2);
  f.takes(6, f.to_here(60));
  CHECK(f.entry().count == 1);
  f.takes(4, f.to_here(kHere));
  CHECK(f.entry().tree);
  const golden::BsrOrigin local = f.sends();
  CHECK(local.port == 4u);
  CHECK(local.message.type == BsrType::kDistribution);
  const golden::BsrOrigin child = f.sends();
  CHECK_FALSE(child.port);
  CHECK(child.message ==
        BsrMessage{BsrType::kDistribution, kGid, 60, kHere, Bnt::kSource, false, 0});
  CHECK_FALSE(f.table.next());
  f.drops(6, f.to_here(kHere), BsrDrop::kOutOfPhase);  // none is missing any more
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

TEST_CASE("barrier messages of preempting switches have their fields where the page says",
          "[network][bsr]") {
  // Bits 15..11 of addresses are in bits 20..16.
  const BsrMessage message{BsrType::kFirst, 0xA5, 0x8fff, 0xf456, Bnt::kNewNode, true, 0x0923};
  const preempt::BsrFormat wide(fabric::Formats(21, 8, 4096));
  const auto flits = bsr_flits(message, 3, wide);
  CHECK(flits[0].lo == (0x1eu << 16 | 2u << 14 | 0xA5u << 6 | 0x22));
  CHECK(flits[1].lo == (0x11u << 16 | 0x16u << 11 | 0x7ff));
  CHECK(flits[2].lo == (1u << 16 | 1u << 14 | 1u << 13 | 0x123));
  for (std::size_t i = 0; i < flits.size(); ++i) {
    CHECK(flits[i].kind == (i == 0 ? 0b101 : 0b100));
    CHECK(flits[i].vc == 3);
  }
  CHECK(preempt::bsr_message(flits, wide) == message);
  const BsrMessage later{BsrType::kDistribution, 255, 1, 2, Bnt::kSource, false, 0};
  CHECK(preempt::bsr_message(preempt::bsr_flits(later, 1)) == later);
  for (const auto& [bits, first, rest] : {std::array{16u, 3u, 2u},
                                          {23u, 3u, 2u},
                                          {24u, 2u, 2u},
                                          {32u, 2u, 1u},
                                          {47u, 2u, 1u},
                                          {48u, 1u, 1u}}) {
    const preempt::BsrFormat format(fabric::Formats(bits, 8));
    const BsrMessage m{BsrType::kFirst, 0xA5, 0x7ff, 0x456, Bnt::kNewNode, true, 0x123};
    CHECK(bsr_length(m.type, format) == first);
    CHECK(bsr_length(later.type, format) == rest);
    CHECK(preempt::bsr_message(bsr_flits(m, 0, format), format) == m);
    CHECK(preempt::bsr_message(bsr_flits(later, 0, format), format) == later);
  }
  const core::Flit end = preempt::control_flit({true, 2});
  CHECK(end.kind == 0b111);
  CHECK(end.vc == 2);
  CHECK(end.lo == (1u << 14 | 2));
}
