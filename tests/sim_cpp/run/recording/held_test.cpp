// SPDX-License-Identifier: Apache-2.0
// What a recording says that switches and NICs hold, and when members go on.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <map>

#include "muster/run/gtkwave.hpp"
#include "muster/systems/btin.hpp"
#include "muster/systems/nic.hpp"
#include "sim_cpp/run/recording/recorded.hpp"

using namespace muster;
using test::record;
using test::Recorded;
using test::spec_of;

static constexpr std::uint32_t kLater =
    8;  // cycles that messages of all ports may take in a memory

TEST_CASE("a reduction that comes into a switch sets its bit in the register in the next cycle",
          "[run][page]") {
  const test::Subject subject = test::Subject::figure1();
  // In block RAM it is decided a cycle later.
  for (const std::uint32_t memory : {0u, 1u}) {
    run::RunSpec spec = spec_of(subject, "btin");
    if (memory != 0) spec.parts.set(btin::Spec{.many = true});
    const Recorded r = record(spec);
    const fabric::Layout layout(subject.graph);
    unsigned checked = 0;
    for (const run::MessageRow& m : r.recording->messages) {
      const fabric::End& to = layout.channels()[m.channel].to;
      if (to.node || m.message.kind != run::SeenMessage::Kind::kUp) continue;
      const auto is_it = [&](const run::EntryRow& row) {
        const bool placed = (row.entry.flags & run::SwitchEntry::kMemory) != 0;
        return placed == (memory != 0) && row.cycle >= m.cycle + m.duration &&
               row.cycle <= m.cycle + m.duration + kLater * memory && row.sw == to.id &&
               row.entry.gid == m.message.gid && (row.entry.arrived >> to.port & 1) != 0;
      };
      CHECK(std::any_of(r.recording->entries.begin(), r.recording->entries.end(), is_it));
      ++checked;
    }
    CHECK(checked > 100);
  }
}

TEST_CASE("registers of a recording, and groups in memory, begin as the plan has them",
          "[run][page]") {
  const test::Subject subject = test::Subject::figure1();
  const bool many = GENERATE(false, true);
  CAPTURE(many);
  run::RunSpec spec = spec_of(subject, "btin");
  if (many) spec.parts.set(btin::Spec{.many = true});
  const auto images = run::resolve(spec)->plan->waiting();
  const Recorded r = record(spec);
  REQUIRE(!images.empty());
  for (const fabric::RegisterImage& image : images) {
    const auto found = std::find_if(
        r.recording->entries.begin(), r.recording->entries.end(), [&](const run::EntryRow& row) {
          return row.cycle == 0 && row.sw == image.sw && row.entry.gid == image.gid;
        });
    REQUIRE(found != r.recording->entries.end());
    CHECK(found->entry.children == image.child_mask);
    CHECK(found->entry.parent == image.parent_port);
    CHECK(found->entry.arrived == 0);
  }
}

TEST_CASE(
    "contexts of NICs are idle, then run, and their bits are messages that have come and gone",
    "[run][page]") {
  using Phase = run::NodeContext::Phase;
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = spec_of(subject, "nic-dissemination");
  const Recorded r = record(spec);
  std::map<std::pair<std::uint32_t, std::uint32_t>, run::NodeContext> held;  // by node and group
  std::uint64_t come = 0, ended = 0;
  for (const run::ContextRow& row : r.recording->contexts) {
    const run::NodeContext& now = row.context;
    REQUIRE(now.gid < 2);
    CHECK((now.received & 0x55555555) == 0);  // a list is send, wait, send, wait and so on
    CHECK((now.sent & 0xaaaaaaaa) == 0);
    const auto [at, first] = held.try_emplace({row.node, now.gid}, now);
    const run::NodeContext before = at->second;
    at->second = now;
    if (first) {
      CHECK((now.phase == Phase::kIdle && now.received == 0 && now.sent == 0 && now.number == 0));
      continue;
    }
    CHECK((now.phase == Phase::kIdle || now.phase == Phase::kRunning));
    if (now.number != before.number) {
      CHECK(now.number == before.number + 1);
      ++ended;
    }
    if (now.number == before.number) come += std::popcount(now.received & ~before.received);
  }
  std::uint64_t members = 0;
  for (const run::RunGroup& group : spec.groups) members += group.members.size();
  CHECK(held.size() == members);
  CHECK(ended == members * spec.barriers);
  const nic::NicCost* const cost = r.result.parts.find<nic::NicCost>();
  REQUIRE(cost != nullptr);
  CHECK(come > cost->steps / 2);  // a bit may come in the cycle in which a barrier ends
  CHECK(come <= cost->steps);
}

TEST_CASE("markers of a waveform's view are where the last member goes on, by cycle",
          "[run][page][gtkwave]") {
  const test::Subject subject = test::Subject::figure1();
  for (const std::string scheme : {"btin", "bsr-1", "nic-dissemination"}) {
    CAPTURE(scheme);
    const Recorded r = record(spec_of(subject, scheme));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> done;  // by group and member
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> last;  // by group and barrier
    for (const run::MemberRow& row : r.recording->members)
      if (row.released) last[{row.group, done[{row.group, row.member}]++}] = row.cycle;
    std::vector<std::uint64_t> cycles;
    for (const auto& [barrier, cycle] : last) cycles.push_back(cycle);
    std::sort(cycles.begin(), cycles.end());
    CHECK(cycles.size() == 12);
    const run::GtkwaveOpening opening = run::gtkwave_opening(r.result, {});
    CHECK(opening.named == cycles);
    CHECK(opening.first + opening.cycles == cycles[0] + 1);
  }
}
