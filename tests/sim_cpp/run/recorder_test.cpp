// SPDX-License-Identifier: Apache-2.0
#include "run/recording/recorder.hpp"

#include "muster/systems/nic.hpp"
#include "muster/systems/preempt.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster {
namespace {

/// A run with what was recorded of it.
struct Recorded {
  std::shared_ptr<run::Recorder> recorder;
  run::RunResult result;
  const run::Recording* recording;
};

Recorded record(run::RunSpec spec, std::uint64_t from = 0, std::uint64_t to = 1'000'000) {
  Recorded r{std::make_shared<run::Recorder>(from, to), {}, nullptr};
  spec.watcher = r.recorder;
  r.result = run::run_barriers(spec);
  REQUIRE(r.result.violations.empty());
  r.recording = &r.recorder->recording();
  return r;
}

/// Two groups and data on Figure 1.
run::RunSpec spec_of(const std::string& scheme, double load = 0.02) {
  run::RunSpec spec = test::figure1().by(scheme, {"paper", "random:5"});
  spec.barriers = 6;
  spec.load_flits = load;
  return spec;
}
/// The marks of a kind in the recording.
std::vector<run::MarkRow> marks_of(const Recorded& r, run::Mark mark) {
  std::vector<run::MarkRow> found;
  for (const run::MarkRow& row : r.recording->marks)
    if (row.mark == mark) found.push_back(row);
  return found;
}

const char* const kSchemes[] = {"btin", "bsr-1",     "bsr-3",      "unicast",
                                "tree", "multicast", "tree-units", "nic-dissemination"};

std::uint64_t sum(const run::Recording& recording, run::LinkUse::Count what,
                  core::ChannelId channels) {
  std::uint64_t sum = 0;
  for (std::size_t w = 0; w < recording.use.windows(); ++w)
    for (core::ChannelId c = 0; c < channels; ++c) sum += recording.use.count(what, w, c);
  return sum;
}

core::ChannelId channels_of(const topology::Graph& graph) {
  return static_cast<core::ChannelId>(2 * (graph.links().size() + graph.nodes()));
}

TEST_CASE("a run that is recorded is the run that is not, with its latencies and its hops",
          "[run][page]") {
  for (const std::string scheme : kSchemes) {
    CAPTURE(scheme);
    const run::RunSpec spec = spec_of(scheme);
    const Recorded r = record(spec);
    CHECK(r.result.digest == run::run_barriers(spec).digest);
    CHECK(std::ranges::is_sorted(r.recording->members,
                                 [](const auto& a, const auto& b) { return a.cycle < b.cycle; }));
    // By group and member how often each has come; by group and barrier the last of both.
    std::map<std::array<std::uint32_t, 3>, std::uint32_t> times;
    std::map<std::array<std::uint32_t, 3>, std::uint64_t> last;
    for (const run::MemberRow& row : r.recording->members) {
      const std::uint32_t barrier = times[{row.group, row.member, row.released}]++;
      last[{row.group, barrier, row.released}] = row.cycle;
    }
    REQUIRE(r.result.barriers.size() == 12);
    std::vector<std::uint64_t> hops(2, 0), seen(2, 0);
    for (const run::BarrierRecord& b : r.result.barriers) {
      CHECK(last[{b.group, b.number, 1}] - last[{b.group, b.number, 0}] == b.latency_cycles);
      hops[b.group] += b.hops;
    }
    if (scheme == "tree-units" || scheme.starts_with("nic")) continue;  // hops are not messages
    for (const run::MessageRow& row : r.recording->messages) {
      REQUIRE(row.message.gid < 2);
      CHECK(row.duration > 0);
      ++seen[row.message.gid];
    }
    // Trees of preempting switches are tidied up by messages of no barrier.
    for (std::size_t g = 0; g < 2; ++g)
      CHECK((scheme.starts_with("bsr") ? seen[g] >= hops[g] && hops[g] > 0 : seen[g] == hops[g]));
  }
}

TEST_CASE("a recording of some cycles is that part of the whole", "[run][page]") {
  const run::RunSpec spec = spec_of("btin");
  const Recorded whole = record(spec), part = record(spec, 100, 300);
  CHECK(part.recording->from == 100);
  CHECK(part.recording->to == 300);
  CHECK(part.recording->members.size() == whole.recording->members.size());
  std::size_t inside = 0;
  for (const run::MessageRow& row : whole.recording->messages)
    inside += row.cycle >= 100 && row.cycle < 300;
  CHECK(inside > 0);
  CHECK(part.recording->messages.size() == inside);
  CHECK(part.recording->use.windows() == 200 / run::LinkUse::kWindow);
  for (const run::EntryRow& row : part.recording->entries)
    CHECK((row.cycle >= 100 && row.cycle < 300));
}

TEST_CASE("every flit is counted once in the use of links", "[run][page]") {
  run::RunSpec spec = spec_of("bsr-2", 0.1);
  std::uint64_t flits = 0, pads = 0;
  spec.observers = {test::on_flits([&](std::uint64_t, const core::FlitEvent& e) {
    ++flits;
    pads += e.flit.kind == core::Flit::kPad;
  })};
  const Recorded r = record(spec);
  const core::ChannelId channels = channels_of(test::figure1().graph);
  CHECK(flits > 1000);
  CHECK(sum(*r.recording, run::LinkUse::Count::kFlits, channels) == flits);
  CHECK(pads > 0);
  CHECK(sum(*r.recording, run::LinkUse::Count::kPads, channels) == pads);
  CHECK(sum(*r.recording, run::LinkUse::Count::kWaits, channels) > 0);
}

TEST_CASE("messages cross links that retry in one row, and what is sent again is marked",
          "[run][page]") {
  run::RunSpec spec = spec_of("btin");
  spec.links.retry = true;
  spec.links.drop = 0.02;
  const Recorded r = record(spec);
  std::uint64_t hops = 0;
  for (const run::BarrierRecord& b : r.result.barriers) hops += b.hops;
  CHECK(r.recording->messages.size() == hops);
  bool slow = false;  // what is sent again takes longer than the others
  for (const run::MessageRow& row : r.recording->messages) {
    CHECK(row.duration > 1);
    slow |= row.duration > 20;
  }
  CHECK(slow);
  CHECK_FALSE(marks_of(r, run::Mark::kResent).empty());
}

// What a recording says that switches and NICs hold, and when members go on.
/// Cycles that messages of all ports may take in a memory.
static constexpr std::uint32_t kLater = 8;

TEST_CASE("a reduction that comes into a switch sets its bit in the register in the next cycle",
          "[run][page]") {
  // In block RAM it is decided a cycle later.
  for (const std::uint32_t memory : {0u, 1u}) {
    run::RunSpec spec = spec_of("btin");
    if (memory != 0) run::own<btin::Spec>(spec).many = true;
    const Recorded r = record(spec);
    const fabric::Layout layout(test::figure1().graph);
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
      CHECK(std::ranges::any_of(r.recording->entries, is_it));
      ++checked;
    }
    CHECK(checked > 100);
  }
}

TEST_CASE(
    "contexts of NICs are idle, then run, and their bits are messages that have come and gone",
    "[run][page]") {
  using Phase = run::NodeContext::Phase;
  run::RunSpec spec = spec_of("nic-dissemination");
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
  const std::uint64_t steps = run::own<nic::NicCost>(r.result).steps;
  CHECK(
      (come > steps / 2 && come <= steps));  // a bit may come in the cycle in which a barrier ends
}

}  // namespace
}  // namespace muster
