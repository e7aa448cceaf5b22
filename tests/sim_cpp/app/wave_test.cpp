// SPDX-License-Identifier: Apache-2.0
#include "run/recording/page.hpp"
#include "sim_cpp/app/shell.hpp"

using namespace muster::test;

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

TEST_CASE("options of a page without effect are refused", "[app][page]") {
  const Folder folder;
  refuses(run("--page-cycles 5"), "need --page");
  refuses_all("",
              {{run("--page -"), "use the suffix .html"}, {"esc --page a.htm", "suffix .html"}});
  refuses(run("--page " + kFigure1), "figure1.json");
  refuses(run("--page /nowhere/a.html"), "/nowhere");
  refuses(run("--repeat 2 --page " + folder.file("a.html")), "a page shows one run");
  refuses(run("--trace -"), "a trace is a file");
  refuses(run("--wave-at 5"), "--wave-at: there is no waveform");
  refuses("esc --pes 4096 --page " + folder.file("a.html"), "up to 1024 PEs");
  CHECK(folder.files() == 0);
}

#if MUSTER_HAS_RTL
namespace {

/// Full names, such as sw3.muster_barrier_switch.unit.served_q[7:0], from the $scope and $var
/// lines.
std::set<std::string> signals_of_vcd(const std::string& vcd) {
  std::set<std::string> names;
  std::vector<std::string> scopes;
  std::istringstream lines(vcd);
  for (std::string line; std::getline(lines, line) && line.find("$enddefinitions");) {
    std::istringstream words(line);
    std::string word, kind, name;
    words >> word;
    if (word == "$scope" && words >> kind >> name) scopes.push_back(name);
    if (word == "$upscope") scopes.pop_back();
    if (word != "$var") continue;
    std::string width, code, range;
    words >> kind >> width >> code >> name >> range;
    std::string full;
    for (const std::string& scope : scopes) full += scope + ".";
    names.insert(full + name + (range == "$end" ? "" : range));
  }
  return names;
}

/// The signals that a GTKWave save file shows: "+{alias} name", and of "#{alias} name (bit)name.."
/// every one.
std::set<std::string> signals_of_view(const std::string& view) {
  std::set<std::string> names;
  std::istringstream lines(view);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("+{") && !line.starts_with("#{")) continue;
    std::istringstream words(line.substr(line.find('}') + 1));
    for (std::string name; words >> name;)
      names.insert(name.front() == '(' ? name.substr(name.find(')') + 1) : name);
  }
  return names;
}

/// Every signal of the view is in the waveform.
void check_signals(const Folder& folder, const std::string& view) {
  REQUIRE(std::system(("fst2vcd " + folder.file("a.fst") + " >" + folder.file("a.vcd")).c_str()) ==
          0);
  const std::string vcd = folder.read("a.vcd");
  CHECK(vcd.find("1ns") != std::string::npos);
  const std::set<std::string> there = signals_of_vcd(vcd);
  const std::set<std::string> shown = signals_of_view(view);
  CHECK(there.size() > 100);
  CHECK(shown.size() > 10);
  for (const std::string& name : shown) {
    CAPTURE(name);
    CHECK(there.contains(name));
  }
}

/// A run of Figure 1 with a waveform, whose view and words have all these texts and none of switch
/// 0, and whose view names signals that there are.
void check_view(const std::string& options, const std::vector<std::string>& in_view,
                const std::vector<std::string>& in_words) {
  const Folder folder;
  const Outcome got = muster_command(run(options + " --wave " + folder.file("a.fst")));
  CAPTURE(options, got.err);
  REQUIRE(got.status == 0);
  CHECK_THAT(got.out, Contains("0 violations") && !Contains("it shows nothing"));
  const std::string view = folder.read("a.gtkw"), words = folder.read("a.messages.txt");
  for (const std::string& text : in_view) CHECK_THAT(view, Contains(text));
  for (const std::string& text : in_words) CHECK_THAT(words, Contains(text));
  CHECK_THAT(view, !Contains("sw0."));
  check_signals(folder, view);
}

}  // namespace

TEST_CASE("the demo's run writes a waveform and a view that names its signals", "[app][wave]") {
  check_view(
      "--group paper --engine lockstep --wave-only sw3,sw1",
      {"@c00200\n-Group paper: members (arrival in, release out)",
       "@800200\n-Group paper: switch 3 (root), barrier register 0",
       "@800200\n-Group paper: switch 1, barrier register 0",
       "@c00200\n-Group paper: links of the tree",
       "sw3.muster_barrier_switch.messages.gen_parallel.unit.gen_register[0].register.arrived_"
       "o[7:0]"},
      {"c0000 reduction_g0\n", "c4000 distribution_g0\n"});
}

TEST_CASE("a creation by messages and a spilled barrier have their rows in the view",
          "[app][wave][spill]") {
  check_view(
      "--group paper --group paper --group paper --group paper --group paper --setup in-band "
      "--spill --barriers 2 --config sw8s --engine rtl --wave-only sw3,sw1",
      {"spilled to node", "sw3.muster_barrier_switch.messages.gen_spill.spill.hand_q",
       "Set-up of switch 3 by packets", "claimed"},
      {" place_port2_reduction_g4\n", " spilled_g4_d7\n", " request_to_switch1\n",
       " group_to_n3\n"});
}

TEST_CASE("a run of preempting switches shows their messages, tables and cuts",
          "[app][wave][preempt]") {
  // {scheme, switches, the last of their channels}
  const std::tuple<const char*, const char*, int> runs[] = {
      {"1", "bsr1k8v3", 2}, {"2", "bsr2k8", 1}, {"3", "bsr3k8", 1}};
  for (const auto& [scheme, config, last] : runs) {
    const std::string shared = "sw3.muster_bsr_switch.shared.";
    // {valid 1, kind 5, type 2, group 1, source high 1}; {valid, kind 4, any, node 12};
    // {valid, kind 7, end, channel}
    check_view(
        fmt::format("--group paper --group random:5 --barriers 2 --engine rtl --scheme bsr-{} "
                    "--config {} --wave-only sw3,sw1",
                    scheme, config),
        {"Switch 3: in the tree of paper", shared + "unit.status.gen_entry[0].entry.arrived_q[7:0]",
         fmt::format("{}outputs.gen_output[0].control.cut_q[{}:0]", shared, last)},
        {"\nd8041 first_message_g1\n", "\nc000c n12\n",
         fmt::format("\nf400{0} padding_end_vc{0}\n", last)});
  }
}

TEST_CASE("a run with NIC barriers has the waveform of the NICs, with their messages decoded",
          "[app][wave][nic]") {
  const std::string nics = "--group random:4 --barriers 2 --engine rtl --scheme nic-dissemination";
  check_view(nics, {"contexts.walk.gen_context[0].received_word[31:0]", "message out: barrier"},
             {" STEP_n", "\n24 running\n"});
  refuses(run(nics + " --wave x.fst --wave-only sw3"), "named by their nodes");
}

TEST_CASE("an empty view says whose fault it is", "[app][wave]") {
  const Folder folder;
  const std::string wave =
      " --barriers 1 --engine rtl --wave-at 999 --wave " + folder.file("a.fst");
  for (const auto& [options, reason] :
       {std::pair{"--group paper --scheme star", "scheme 'star'"},
        {"--group 0:3,0:4 --wave-only sw8", "no block of --wave-o"}}) {
    const Outcome got = muster_command(run(options + wave));
    CHECK(got.status == 0);
    CHECK_THAT(got.out, Contains(std::string("it shows nothing: ") + reason));
    CHECK_THAT(got.err, Contains("muster: --wave-at 999: is after the run, which has "));
  }
}
#endif
