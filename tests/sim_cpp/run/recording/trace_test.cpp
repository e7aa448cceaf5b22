// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "run/recording/recorder.hpp"
#include "run/recording/trace_io.hpp"
#include "sim_cpp/run/run_fixture.hpp"

using namespace muster;

namespace {

struct Trace {
  test::Subject subject = test::Subject::figure1();
  std::shared_ptr<run::Recorder> recorder = std::make_shared<run::Recorder>(0, 100'000);
  run::RunResult result;
  const run::Recording* recording;
  nlohmann::json events;

  Trace() {
    run::RunSpec spec = subject.spec({"paper"});
    spec.barriers = 4;
    spec.load_flits = 0.05;
    spec.min_cycles = 1000;
    spec.watcher = recorder;
    const auto resolved = run::resolve(spec);
    result = run::run_barriers(*resolved);
    recording = &recorder->recording();
    const auto trace = nlohmann::json::parse(run::trace_events(*resolved, *recording));
    events = trace["traceEvents"];
  }

  /// A time of the trace in cycles of 10 ns.
  static std::uint64_t cycles(const nlohmann::json& time) {
    return static_cast<std::uint64_t>(std::llround(time.get<double>() * 100.0));
  }
  template <class Test>
  std::vector<nlohmann::json> all(Test test) const {
    std::vector<nlohmann::json> found;
    std::copy_if(events.begin(), events.end(), std::back_inserter(found), test);
    return found;
  }
};

}  // namespace

TEST_CASE("slices of members in a trace are the barriers of the result", "[run][page]") {
  const Trace trace;
  const auto slices = trace.all([](const auto& e) {
    return e["ph"] == "X" && e["pid"] == 1 && e["args"].contains("barrier");
  });
  REQUIRE(slices.size() == 4 * 14);
  for (const run::BarrierRecord& b : trace.result.barriers) {
    std::uint64_t arrival = 0, release = 0;
    for (const auto& slice : slices) {
      if (slice["args"]["barrier"] != b.number) continue;
      arrival = std::max(arrival, Trace::cycles(slice["ts"]));
      release = std::max(release, Trace::cycles(slice["ts"]) + Trace::cycles(slice["dur"]));
    }
    CHECK(release - arrival == b.latency_cycles + 1);  // through the cycle of the release
  }
}

TEST_CASE("a register has one slice for each barrier, which begins with its first child",
          "[run][page]") {
  const Trace trace;
  // Switch 7 has one member, at port 3: a slice begins when its reduction has come.
  const auto slices = trace.all([](const auto& e) {
    return e["ph"] == "X" && e["pid"] == 2 + 7 && e["args"].contains("expects");
  });
  REQUIRE(slices.size() == 4);
  std::vector<std::uint64_t> begins, arrivals;
  for (const auto& slice : slices) begins.push_back(Trace::cycles(slice["ts"]));
  for (const run::MessageRow& row : trace.recording->messages) {
    const fabric::Layout layout(trace.subject.graph);
    const fabric::End& to = layout.channels()[row.channel].to;
    if (!to.node && to.id == 7 && row.message.kind == run::SeenMessage::Kind::kUp)
      arrivals.push_back(row.cycle + row.duration);
  }
  CHECK(begins == arrivals);
}

TEST_CASE("every message has a slice and a flow, whose end lies in a slice of a register or node",
          "[run][page]") {
  const Trace trace;
  const auto starts = trace.all([](const auto& e) { return e["ph"] == "s"; });
  const auto ends = trace.all([](const auto& e) { return e["ph"] == "f"; });
  REQUIRE(starts.size() == ends.size());
  std::uint64_t hops = 0;
  for (const run::BarrierRecord& b : trace.result.barriers) hops += b.hops;
  CHECK(starts.size() == hops);
  unsigned inside = 0, notifications = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    CHECK(starts[i]["id"] == ends[i]["id"]);
    CHECK(starts[i]["ts"].get<double>() < ends[i]["ts"].get<double>());
    const auto message = trace.all([&](const auto& e) {
      return e["ph"] == "X" && e["pid"] == starts[i]["pid"] && e["tid"] == starts[i]["tid"] &&
             e["ts"] == starts[i]["ts"];
    });
    REQUIRE(message.size() == 1);
    // The root node may be told of all others before it arrives itself.
    if (message[0]["name"] == "up" && ends[i]["pid"] == 1) {
      ++notifications;
      continue;
    }
    const auto around = trace.all([&](const auto& e) {
      return e["ph"] == "X" && e["pid"] == ends[i]["pid"] && e["tid"] == ends[i]["tid"] &&
             e["ts"].template get<double>() <= ends[i]["ts"].template get<double>() &&
             e["ts"].template get<double>() + e["dur"].template get<double>() >=
                 ends[i]["ts"].template get<double>() - 1e-9;
    });
    inside += !around.empty();
  }
  CHECK(notifications == 4);
  CHECK(inside == starts.size() - notifications);
}

TEST_CASE("counters of a trace add up to the flits that switches sent", "[run][page]") {
  const Trace trace;
  std::map<int, std::pair<std::uint64_t, std::uint64_t>> last;  // by switch: window, flits
  std::uint64_t sum = 0, most = 0;
  const std::uint64_t windows =
      (trace.result.cycles + run::LinkUse::kWindow - 1) / run::LinkUse::kWindow;
  for (const auto& e : trace.all([](const auto& e) { return e["ph"] == "C"; })) {
    // A value holds until the next one of its switch.
    const std::uint64_t window = Trace::cycles(e["ts"]) / run::LinkUse::kWindow;
    auto& [since, flits] = last[e["pid"].get<int>()];
    sum += (window - since) * flits;
    since = window;
    flits = e["args"]["sent"].get<std::uint64_t>();
    most = std::max(most, e["args"]["queued"].get<std::uint64_t>());
  }
  for (const auto& [pid, value] : last) sum += (windows - value.first) * value.second;
  CHECK(sum == trace.result.flit_hops);
  CHECK(most > 3);
}
