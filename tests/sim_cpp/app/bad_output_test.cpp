// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/app/shell.hpp"

using namespace muster::test;

TEST_CASE("a result file that cannot be written is refused before anything is",
          "[app][bad-input]") {
  const Folder folder;
  refuses(run("--group paper --json /nonexistent/x.json"), "/nonexistent/x.json");
  refuses(run("--group paper --json " + folder.file("")), "directory");
  for (const char* option : {"--json", "--wave", "--config"})
    refuses(run(std::string(option) + " ''"),
            std::string(option) + " '': is empty; give a value or omit the option");
  refuses("tree " + kFigure1 + " --dot ''", "--dot '': is empty");
  refuses("topo gen mesh --out ''", "--out '': is empty");
  refuses("bench --quick --json /nonexistent/x.json", "/nonexistent/x.json");
  refuses("tree " + kFigure1 + " --json /nonexistent/x.json --dot " + folder.file("t.dot"),
          "/nonexistent/x.json");
  refuses("tree " + kFigure1 + " --json /dev/full --dot " + folder.file("t.dot"), "/dev/full");
  refuses("topo gen mesh --json /dev/full --out " + folder.file("n.json"), "/dev/full");
  CHECK(folder.files() == 0);
}

TEST_CASE("no output takes the place of the input or of another", "[app][bad-input]") {
  const Folder folder;
  REQUIRE(
      muster_command("topo export " + kFigure1 + " --format json --out " + folder.file("net.json"))
          .status == 0);
  const std::string before = folder.read("net.json");
  std::filesystem::create_symlink(folder.file("net.json"), folder.file("link.json"));
  const std::string net = folder.file("net.json");
  for (const std::string& other : {net, folder.file("link.json"), folder.file("./net.json")}) {
    refuses("run " + net + " --json " + other, "is also an input file");
    refuses("topo info " + net + " --json " + other, "is also an input file");
    refuses("topo export " + net + " --out " + other, "is also an input file");
    refuses("tree " + net + " --dot " + other, "is also an input file");
  }
  const std::string t = folder.file("t");
  refuses("tree " + net + " --json " + t + " --dot " + t, "is already an output file");
  refuses("topo gen mesh --json " + t + " --out " + folder.file("./t"),
          "is already an output file");
  refuses("tree " + net + " --json - --dot -", "--dot -");
  CHECK(folder.read("net.json") == before);
  CHECK(folder.files() == 2);
}

TEST_CASE("a standard output that takes no more is reported", "[app][bad-input]") {
  for (const std::string& arguments :
       {"topo info " + kFigure1, std::string("topo gen mesh"), "tree " + kFigure1 + " --json -"}) {
    const Outcome got = muster_command(arguments, "/dev/full");
    CAPTURE(arguments, got.err);
    CHECK(got.status == 2);
    CHECK(got.err.starts_with("muster: standard output: cannot be written"));
  }
}

#if MUSTER_HAS_RTL
TEST_CASE("a run whose result cannot be written leaves no waveform", "[app][bad-input]") {
  const Folder folder;
  const std::string wave = run("--group paper --engine rtl --barriers 1 --wave ");
  refuses(wave + folder.file("no/a.fst"), "no/a.fst: cannot be written");
  refuses(wave + folder.file("a.fst") + " --json /nonexistent/x.json", "/nonexistent/x.json");
  refuses(wave + folder.file("a.fst") + " --json /dev/full", "/dev/full");  // found out at the end
  CHECK(folder.files() == 0);
  folder.write("a.fst", "an older one");
  refuses(wave + folder.file("a.fst") + " --json /dev/full", "/dev/full");
  CHECK(folder.read("a.fst") == "an older one");
  CHECK(folder.files() == 1);
}
#endif

// Files that cannot be completed. A limit on the size of files (ulimit -f) fails a write as a full
// disk does.

namespace {

const std::string kRun = run("--group paper ");

/// One line with status 2, which names the file; nothing is left but what was there.
void check_refused(const Outcome& got, const std::string& file, const std::string& reason) {
  CAPTURE(got.err, got.out);
  CHECK(got.status == 2);
  CHECK(got.out.empty());
  CHECK(std::ranges::count(got.err, '\n') == 1);
  CHECK_THAT(got.err, Contains(file) && Contains(reason));
}

}  // namespace

TEST_CASE("a result that a full disk does not take is one line", "[app][disk-full]") {
  const Folder folder;
  Running running(kRun + "--json " + folder.file("r.json"), "ulimit -f 1");
  check_refused(running.wait(), folder.file("r.json") + ": cannot be written", "File too large");
  CHECK(folder.files() == 0);
}

#if MUSTER_HAS_RTL
TEST_CASE("a waveform beyond the limit of a file is one line", "[app][disk-full][wave]") {
  for (const std::string engine : {"rtl", "lockstep"}) {
    CAPTURE(engine);
    const Folder folder;
    folder.write("r.json", "an older one");
    Running running(kRun + "--engine " + engine + " --wave " + folder.file("a.fst") + " --json " +
                        folder.file("r.json"),
                    "ulimit -f 4");
    check_refused(running.wait(), folder.file("a.fst") + ": the waveform cannot be written",
                  "File too large; free some space");
    CHECK(folder.read("r.json") == "an older one");
    CHECK(folder.files() == 1);
  }
}

#endif
