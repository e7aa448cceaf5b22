// SPDX-License-Identifier: Apache-2.0
#include "run/recording/page.hpp"

#include "run/recording/recorder.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/folder.hpp"

using namespace muster;

namespace {

struct Page {
  test::Subject subject = test::Subject::figure1();
  std::shared_ptr<run::Recorder> recorder = std::make_shared<run::Recorder>(0, 10'000);
  std::string text;

  explicit Page(const std::string& scheme,
                const std::map<topology::SwitchId, std::string>& switch_names = {},
                const std::map<topology::NodeId, std::string>& node_names = {}) {
    subject.graph.switch_names = switch_names;
    subject.graph.node_names = node_names;
    run::RunSpec spec = subject.by(scheme, {"paper", "random:5"});
    spec.barriers = 4;
    spec.load_flits = 0.05;
    spec.watcher = recorder;
    const auto resolved = run::resolve(spec);
    const run::RunResult result = run::run_barriers(*resolved);
    text = run::page_data(*resolved, result, recorder->recording(),
                          {"figure1", {"muster run x", "1", 1}, {"muster", "run", "x"}});
  }
};

/// What a digit of `use` counts, as docs/reference/formats.md says.
unsigned value_of(char digit) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return static_cast<unsigned>(digits.find(digit));
}

TEST_CASE("the data of a page are as their schema says, and have every row of the recording",
          "[run][page]") {
  for (const std::string scheme : {"btin", "bsr-2", "nic-gather"}) {
    CAPTURE(scheme);
    const Page page(scheme);
    const auto data = test::valid_json(page.text);
    const run::Recording& recording = page.recorder->recording();
    CHECK(data["cycles"] == recording.to);
    CHECK(data["network"]["nodes"].size() == 26);

    const auto& rows = data["messages"];
    REQUIRE(rows.size() == 5 * recording.messages.size());
    std::uint64_t cycle = 0;
    for (std::size_t i = 0; i < recording.messages.size(); ++i) {
      const run::MessageRow& row = recording.messages[i];
      cycle += rows[5 * i].get<std::uint64_t>();
      CHECK(cycle == row.cycle);
      CHECK(rows[5 * i + 1] == row.channel);
      CHECK(rows[5 * i + 3] == row.message.gid + 1);
    }
    CHECK(data["members"].size() == 3 * recording.members.size());
    CHECK(data["marks"].size() == 3 * recording.marks.size());
    std::size_t numbers = 0;
    for (const run::EntryRow& row : recording.entries) numbers += row.entry.flags == 0 ? 4 : 12;
    CHECK(data["entries"].size() == numbers);
    numbers = 0;
    for (const run::ContextRow& row : recording.contexts)
      numbers += row.context.flags == 0 ? 4 : 10;
    CHECK(data["contexts"].size() == numbers);
    CHECK((numbers > 0) == (scheme == "nic-gather"));
  }
}

TEST_CASE("the use of a channel is told window by window", "[run][page]") {
  const Page page("btin");
  const auto data = test::valid_json(page.text);
  const run::Recording& recording = page.recorder->recording();
  REQUIRE(data["use"]["window"] == run::LinkUse::kWindow);
  const auto& flits = data["use"]["flits"];
  REQUIRE(flits.size() == 2 * (12 + 26));
  for (core::ChannelId c = 0; c < flits.size(); ++c) {
    const auto digits = flits[c].get<std::string>();
    for (std::size_t w = 0; w < recording.use.windows(); ++w)
      CHECK((w < digits.size() ? value_of(digits[w]) : 0) ==
            recording.use.count(run::LinkUse::Count::kFlits, w, c));
  }
}

TEST_CASE("a page gives back the data that it was made of", "[run][page]") {
  const test::Folder folder;
  const std::string data = Page("btin").text;
  folder.write("a.html", run::page_of({&data, 1}));
  CHECK(run::data_of_page(folder.file("a.html")) == data);
  // Nothing from elsewhere, and nothing before the type of the document.
  const std::string page = folder.read("a.html");
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK_THAT(page, !Contains("src=") && !Contains("href=") && Contains("default-src 'none'"));
}

struct Trace {
  std::shared_ptr<run::Recorder> recorder = std::make_shared<run::Recorder>(0, 100'000);
  run::RunResult result;
  const run::Recording* recording;
  nlohmann::json events;

  Trace() {
    run::RunSpec spec = test::figure1().spec({"paper"});
    spec.barriers = 4;
    spec.load_flits = 0.05;
    spec.min_cycles = 1000;
    spec.watcher = recorder;
    const auto resolved = run::resolve(spec);
    result = run::run_barriers(*resolved);
    recording = &recorder->recording();
    events = nlohmann::json::parse(run::trace_events(*resolved, *recording))["traceEvents"];
  }
  /// A time of the trace in cycles of 10 ns.
  static std::uint64_t cycles(const nlohmann::json& time) {
    return static_cast<std::uint64_t>(std::llround(time.get<double>() * 100.0));
  }
  template <class Test>
  std::vector<nlohmann::json> all(Test test) const {
    std::vector<nlohmann::json> found;
    std::ranges::copy_if(events, std::back_inserter(found), test);
    return found;
  }
};

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

TEST_CASE("text that is not deflated, or too long, is refused by name", "[run][page]") {
  const std::string good = run::deflate_base64("a text");
  for (const std::string& bad : {std::string(), "!" + good, good.substr(0, 8)}) {
    CHECK_THROWS_WITH(run::inflate_base64(bad, 100, "a.html"), "a.html: its data are damaged");
    CHECK_THROWS_AS(run::inflate_base64(bad, 100, "a.html"), InputError);
  }
  CHECK_THROWS_WITH(run::inflate_base64(run::deflate_base64(std::string(5000, 'a')), 100, "a.html"),
                    "a.html: its data are too long");
}

}  // namespace
