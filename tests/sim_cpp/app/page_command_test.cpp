// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "run/recording/page_file.hpp"
#include "sim_cpp/app/shell.hpp"
#include "support/valid_json.hpp"

using namespace muster::test;
using Catch::Matchers::Contains;

TEST_CASE("option --page writes a page beside the result, and says which cycles it shows",
          "[app][page]") {
  const Folder folder;
  const std::string options = "--group paper --barriers 3 --json " + folder.file("a.json");
  const Outcome got = muster_command(run(options + " --page " + folder.file("a.html")));
  CAPTURE(got.err);
  REQUIRE(got.status == 0);
  const auto result = valid_json(folder.read("a.json"));
  const auto data = valid_json(muster::run::data_of_page(folder.file("a.html")));
  const auto cycles = result["cycles"].get<unsigned>();
  CHECK_THAT(got.out, Contains(fmt::format("a.html, cycles 0 to {}: open it", cycles - 1)));
  CHECK(data["command"] == result["command"]);
  CHECK(data["title"] == "figure1");
  REQUIRE(data["barriers"].size() == result["barriers"].size());
  for (std::size_t i = 0; i < data["barriers"].size(); ++i)
    CHECK(data["barriers"][i][2] == result["barriers"][i]["latency_cycles"]);
}

TEST_CASE("the command for a waveform is the typed one, without other files", "[app][page]") {
  const Folder folder;
  const Outcome got =
      muster_command(run("--group paper --barriers 2 --threads=1 --no-skip --json " +
                         folder.file("a.json") + " --page " + folder.file("a.html")));
  REQUIRE(got.status == 0);
  auto words = valid_json(muster::run::data_of_page(folder.file("a.html")))["wave"];
  words.erase(words.begin());
  const auto wanted = nlohmann::json::array({"run", kFigure1, "--group", "paper", "--barriers", "2",
                                             "--engine", "rtl", "--wave", "barrier.fst"});
  CHECK(words == wanted);
}

TEST_CASE("options --page-from and --page-cycles choose the cycles", "[app][page]") {
  const Folder folder;
  const Outcome got =
      muster_command(run("--group paper --barriers 5 --page-from 100 --page-cycles 50 --page " +
                         folder.file("a.html")));
  REQUIRE(got.status == 0);
  CHECK_THAT(got.out, Contains("cycles 100 to 149 of "));
  const auto data = valid_json(muster::run::data_of_page(folder.file("a.html")));
  CHECK(data["from"] == 100);
  CHECK(data["to"] == 150);
}

TEST_CASE("muster view puts two pages into one", "[app][page]") {
  const Folder folder;
  for (const std::string scheme : {"btin", "star"})
    REQUIRE(muster_command(run("--group paper --barriers 2 --scheme " + scheme + " --page " +
                               folder.file(scheme + ".html")))
                .status == 0);
  const std::string both = folder.file("btin.html") + " " + folder.file("star.html");
  const Outcome got = muster_command("view " + both + " --out " + folder.file("both.html"));
  CHECK(got.status == 0);
  CHECK_THAT(got.out, Contains("2 runs side by side"));
  CHECK(folder.read("both.html").size() > folder.read("btin.html").size() + 1000);
  refuses("view " + both + " --out " + folder.file("btin.html"), "btin.html");
  refuses("view " + folder.file("both.html") + " " + folder.file("btin.html") + " --out x.html",
          "both.html: has several runs");
  refuses("view " + kFigure1 + " " + folder.file("btin.html") + " --out x.html", "is not a page");
}

TEST_CASE("muster esc --page shows session 0", "[app][page][esc]") {
  const Folder folder;
  const Outcome got =
      muster_command("esc --pes 16 --mean 200 --sessions 2 --page " + folder.file("a.html"));
  REQUIRE(got.status == 0);
  const auto data = valid_json(muster::run::data_of_page(folder.file("a.html")));
  CHECK(data["pes"] == 16);
  CHECK(data["occupancy"].size() > 300);
  std::uint64_t cycle = 0;
  for (std::size_t i = 0; i < data["occupancy"].size(); i += 3) {
    cycle += data["occupancy"][i].get<std::uint64_t>();
    CHECK(data["occupancy"][i + 2] <= data["depth"]);
  }
  CHECK(cycle < data["to"].get<std::uint64_t>());
}

TEST_CASE("options of a page without effect are refused", "[app][page]") {
  const Folder folder;
  refuses(run("--page-cycles 5"), "need --page");
  refuses(run("--page -"), "a page is a file");
  refuses(run("--page " + kFigure1), "figure1.json");
  refuses(run("--page /nowhere/a.html"), "/nowhere");
  refuses(run("--repeat 2 --page " + folder.file("a.html")), "a page shows one run");
  refuses(run("--trace -"), "a trace is a file");
  refuses(run("--wave-at 5"), "needs --wave");
  refuses("esc --pes 4096 --page " + folder.file("a.html"), "up to 1024 PEs");
  CHECK(folder.files() == 0);
}
