// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/deflate.hpp"
#include "muster/core/error.hpp"
#include "run/recording/page_data_io.hpp"
#include "run/recording/page_file.hpp"
#include "run/recording/recorder.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/folder.hpp"
#include "support/valid_json.hpp"

using namespace muster;
using Catch::Matchers::Contains;

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
    run::RunSpec spec = subject.spec({"paper", "random:5"});
    spec.scheme = scheme;
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

}  // namespace

TEST_CASE("a page has the names of the network's file", "[run][page]") {
  const auto data = test::valid_json(Page("btin", {{3, "top"}}, {{17, "host"}}).text);
  CHECK(data["network"]["switch_names"] == nlohmann::json{{"3", "top"}});
  CHECK(data["network"]["node_names"] == nlohmann::json{{"17", "host"}});
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
    for (const run::EntryRow& row : recording.entries) numbers += row.entry.flags == 0 ? 4 : 9;
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

TEST_CASE("what is not a page of one run is refused by name", "[run][page]") {
  const test::Folder folder;
  const std::string data = "{}\n";
  const std::vector<std::string> two{data, data};
  folder.write("two.html", run::page_of(two));
  folder.write("none.html", "<!DOCTYPE html>");
  std::string damaged = run::page_of({&data, 1});
  damaged.insert(damaged.find("x-muster\">") + 12, "AAAA");
  folder.write("damaged.html", damaged);
  const auto trouble = [&](const std::string& name) {
    try {
      run::data_of_page(folder.file(name));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  CHECK_THAT(trouble("two.html"), Contains("two.html: has several runs"));
  CHECK_THAT(trouble("none.html"), Contains("none.html: is not a page"));
  CHECK_THAT(trouble("damaged.html"), Contains("damaged.html: its data are damaged"));
  CHECK_THAT(trouble("nowhere.html"), Contains("nowhere.html: "));
}
