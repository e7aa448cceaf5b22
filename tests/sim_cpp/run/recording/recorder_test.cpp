// SPDX-License-Identifier: Apache-2.0
#include "run/recording/recorder.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "muster/systems/preempt.hpp"
#include "sim_cpp/run/recording/recorded.hpp"

using namespace muster;
using test::record;
using test::Recorded;
using test::spec_of;

namespace {

const char* const kSchemes[] = {"btin", "bsr-1",     "bsr-3",      "unicast",
                                "tree", "multicast", "tree-units", "nic-dissemination"};

/// Sees all flits of the layout's channels.
struct FlitCount : core::Observer {
  std::uint64_t flits = 0, pads = 0;
  void observe(std::uint64_t, std::span<const core::FlitEvent> events,
               std::span<const core::CreditEvent>) override {
    flits += events.size();
    for (const core::FlitEvent& e : events) pads += e.flit.kind == core::Flit::kPad;
  }
};

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

}  // namespace

TEST_CASE("a run that is recorded is the run that is not", "[run][page]") {
  const test::Subject subject = test::Subject::figure1();
  for (const std::string scheme : kSchemes) {
    CAPTURE(scheme);
    const run::RunSpec spec = spec_of(subject, scheme);
    CHECK(record(spec).result.digest == run::run_barriers(spec).digest);
  }
}

TEST_CASE("what members do in a recording gives the latency of every barrier of the result",
          "[run][page]") {
  const test::Subject subject = test::Subject::figure1();
  for (const std::string scheme : kSchemes) {
    CAPTURE(scheme);
    const Recorded r = record(spec_of(subject, scheme));
    CHECK(std::is_sorted(r.recording->members.begin(), r.recording->members.end(),
                         [](const auto& a, const auto& b) { return a.cycle < b.cycle; }));
    // By group and member how often each has come; by group and barrier the last of both.
    std::map<std::array<std::uint32_t, 3>, std::uint32_t> times;
    std::map<std::array<std::uint32_t, 3>, std::uint64_t> last;
    for (const run::MemberRow& row : r.recording->members) {
      const std::uint32_t barrier = times[{row.group, row.member, row.released}]++;
      last[{row.group, barrier, row.released}] = row.cycle;
    }
    REQUIRE(r.result.barriers.size() == 12);
    for (const run::BarrierRecord& b : r.result.barriers)
      CHECK(last[{b.group, b.number, 1}] - last[{b.group, b.number, 0}] == b.latency_cycles);
  }
}

TEST_CASE("the messages of a recording are the hops of the result", "[run][page]") {
  const test::Subject subject = test::Subject::figure1();
  for (const std::string scheme : {"btin", "unicast", "tree", "multicast", "bsr-1", "bsr-2"}) {
    CAPTURE(scheme);
    const Recorded r = record(spec_of(subject, scheme));
    std::vector<std::uint64_t> hops(2, 0), seen(2, 0);
    for (const run::BarrierRecord& b : r.result.barriers) hops[b.group] += b.hops;
    for (const run::MessageRow& row : r.recording->messages) {
      REQUIRE(row.message.gid < 2);
      CHECK(row.duration > 0);
      ++seen[row.message.gid];
    }
    // Trees of preempting switches are tidied up by messages of no barrier.
    if (scheme.starts_with("bsr"))
      for (std::size_t g = 0; g < 2; ++g) CHECK((seen[g] >= hops[g] && hops[g] > 0));
    else
      CHECK(seen == hops);
  }
}

TEST_CASE("a recording of some cycles is that part of the whole", "[run][page]") {
  const test::Subject subject = test::Subject::figure1();
  const run::RunSpec spec = spec_of(subject, "btin");
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
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = spec_of(subject, "bsr-2");
  spec.load_flits = 0.1;
  const auto count = std::make_shared<FlitCount>();
  spec.observers.push_back(count);
  const Recorded r = record(spec);
  const core::ChannelId channels = channels_of(subject.graph);
  CHECK(count->flits > 1000);
  CHECK(sum(*r.recording, run::LinkUse::Count::kFlits, channels) == count->flits);
  CHECK(count->pads > 0);
  CHECK(sum(*r.recording, run::LinkUse::Count::kPads, channels) == count->pads);
  CHECK(sum(*r.recording, run::LinkUse::Count::kWaits, channels) > 0);
}

TEST_CASE("the cuts of a recording are the preemptions of the result", "[run][page]") {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = spec_of(subject, "bsr-2");
  spec.load_flits = 0.1;
  const Recorded r = record(spec);
  const auto& marks = r.recording->marks;
  const auto cuts = std::count_if(marks.begin(), marks.end(),
                                  [](const auto& m) { return m.mark == run::Mark::kCut; });
  CHECK(cuts > 0);
  const preempt::Cost* const cost = r.result.parts.find<preempt::Cost>();
  REQUIRE(cost != nullptr);
  CHECK(static_cast<std::uint64_t>(cuts) == cost->preemptions);
}

TEST_CASE("messages cross links that retry in one row, and what is sent again is marked",
          "[run][page]") {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = spec_of(subject, "btin");
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
  CHECK(std::any_of(r.recording->marks.begin(), r.recording->marks.end(),
                    [](const auto& m) { return m.mark == run::Mark::kResent; }));
}

TEST_CASE("a link that is declared dead is marked in its cycle", "[run][page]") {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = spec_of(subject, "bsr-1");
  const topology::Link& link = subject.graph.links()[1];
  spec.killed.push_back({link.b, link.a, 150});
  const Recorded r = record(spec);
  const auto found = std::find_if(r.recording->marks.begin(), r.recording->marks.end(),
                                  [](const auto& m) { return m.mark == run::Mark::kLinkDead; });
  REQUIRE(found != r.recording->marks.end());
  CHECK(found->id == 1);
  CHECK(found->cycle == 150);
}
