// SPDX-License-Identifier: Apache-2.0
// Files that cannot be completed. A limit on the size of files (ulimit -f) fails a write as a full
// disk does.
#include <algorithm>
#include <catch2/catch.hpp>

#include "sim_cpp/app/running.hpp"

using namespace muster::test;
using Catch::Matchers::Contains;

namespace {

const std::string kRun = "run " + kFigure1 + " --group paper ";

/// One line with status 2, which names the file; nothing is left but what was there.
void check_refused(const Outcome& got, const std::string& file, const std::string& reason) {
  CAPTURE(got.err, got.out);
  CHECK(got.status == 2);
  CHECK(got.out.empty());
  CHECK(std::count(got.err.begin(), got.err.end(), '\n') == 1);
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

TEST_CASE("a waveform on a full file system is one line", "[app][disk-full][wave]") {
  const Folder folder, disk;
  const std::string mount = "mount -t tmpfs -o size=8k none " + disk.file("");
  if (std::system(("unshare -rm " + mount + " 2>/dev/null").c_str()) != 0) {
    WARN("no file system can be mounted here");
    return;
  }
  const std::string run = kRun + "--engine rtl --wave " + disk.file("a.fst");
  REQUIRE(std::system(("unshare -rm sh -c '" + mount + " && { timeout 60 " + MUSTER_COMMAND + " " +
                       run + " 2>" + folder.file("err") + " >" + folder.file("out") +
                       "; echo $? >" + folder.file("status") + "; ls -A " + disk.file("") + " >" +
                       folder.file("left") + "; }'")
                          .c_str()) == 0);
  check_refused({std::stoi(folder.read("status")), folder.read("out"), folder.read("err")},
                disk.file("a.fst") + ": the waveform cannot be written", "No space left on device");
  CHECK(folder.read("left").empty());
}
#endif
