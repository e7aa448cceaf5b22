// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP: docs/reference/commands.md.

#include "app/process.hpp"
#include "sim_cpp/app/shell.hpp"

using namespace muster::test;

namespace {

/// Goes on for a minute of processor time, and needs little of it before the first barrier: the
/// memory of all barriers is taken at the start.
const std::string kLong = "run " + kFigure1 + " --group paper --barriers 1000000 --load 0.1 ";

void check_result(const Outcome& got, const std::string& json, const std::string& signal) {
  CAPTURE(got.err);
  CHECK(got.err == "muster: interrupted by " + signal + ": the result has the complete barriers\n");
  auto result = nlohmann::json::parse(json);
  CHECK(result["interrupted"] == true);
  CHECK(result["end"] == "interrupted");
  CHECK(result["violations"] == 0);
  REQUIRE(result["barriers"].size() > 1);
  CHECK(result["barriers"].size() < 1000000);
  auto& barriers = result["barriers"];
  barriers.erase(barriers.begin() + 2, barriers.end());  // all would take the schema seconds
  valid_json(result.dump());
}

}  // namespace

TEST_CASE("a run that is interrupted keeps its barriers", "[app][interruption]") {
  const Folder folder;
  Running running(kLong + "--json " + folder.file("r.json"));
  const Outcome got = interrupted(running, SIGINT);
  CHECK(got.status == 130);
  check_result(got, folder.read("r.json"), "SIGINT");
  CHECK_THAT(got.out, Contains(" of 1000000 barriers were done"));
  CHECK(folder.files() == 1);
}

TEST_CASE("a signal to process and group is one request", "[app][interruption]") {
  const Folder folder;
  Running running(kLong + "--json " + folder.file("r.json"));
  REQUIRE(running.comes_to_catch(SIGTERM));
  REQUIRE(running.has_worked(1000));
  running.send(SIGTERM);
  running.send_to_group(SIGTERM);
  const Outcome got = running.wait();
  CHECK(got.status == 143);
  check_result(got, folder.read("r.json"), "SIGTERM");
  CHECK(folder.files() == 1);
}

TEST_CASE("a second signal ends the program at once", "[app][interruption]") {
  // A process that never asks for the request.
  const auto sent_twice = [](int pause_ms) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGINT, SIG_DFL);
      const muster::app::Interruption interruption;
      ::raise(SIGINT);
      Running::pause(pause_ms);
      ::raise(SIGINT);
      ::_exit(interruption.end(interruption.requested(), false, "a test"));
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  };
  CHECK(sent_twice(0) == 130);
  CHECK(sent_twice(muster::app::Interruption::kSameRequest + 100) == -SIGINT);
}

TEST_CASE("a signal that is ignored from outside stays ignored", "[app][interruption]") {
  Running running(kLong + "--json -", "trap '' INT");
  REQUIRE(running.comes_to_catch(SIGTERM));
  CHECK_FALSE(running.catches(SIGINT));
  running.send(SIGINT);
  const Outcome got = interrupted(running, SIGTERM);
  CHECK(got.status == 143);
  check_result(got, got.out, "SIGTERM");
}

TEST_CASE("sessions that are interrupted are averaged up to there", "[app][interruption][esc]") {
  const Folder folder;
  Running running("esc --pes 16 --sessions 1000000 --threads 2 --json " + folder.file("r.json"));
  const Outcome got = interrupted(running, SIGINT);
  CAPTURE(got.err, got.out);
  CHECK(got.status == 130);
  CHECK_THAT(got.out, Contains(" of 1000000 sessions were run"));
  const auto result = valid_json(folder.read("r.json"));
  CHECK(result["interrupted"] == true);
  const auto sessions = result["sessions"].get<std::uint32_t>();
  CHECK(sessions > 1);
  CHECK(sessions < 1000000);
  // The same as if so many had been asked for.
  const Outcome whole =
      muster_command("esc --pes 16 --json - --sessions " + std::to_string(sessions));
  const auto expected = valid_json(whole.out);
  CHECK(result["digest"] == expected["digest"]);
  CHECK(result["mu_syn"] == expected["mu_syn"]);
  CHECK(expected["interrupted"] == false);
}

#if MUSTER_HAS_RTL
TEST_CASE("a run that is interrupted, or whose terminal is closed, closes its waveform",
          "[app][interruption][wave]") {
  const auto& [engine, signal, name, status] = GENERATE(table<std::string, int, std::string, int>(
      {{"rtl", SIGHUP, "SIGHUP", 129}, {"lockstep", SIGTERM, "SIGTERM", 143}}));
  CAPTURE(engine);
  const Folder folder;
  Running running(kLong + "--engine " + engine + " --wave " + folder.file("a.fst") +
                  " --wave-only sw3 --json " + folder.file("r.json"));
  const Outcome got = interrupted(running, signal);
  CHECK(got.status == status);
  check_result(got, folder.read("r.json"), name);
  CHECK(folder.files() == 4);
  for (const char* file : {"a.fst", "a.gtkw", "a.messages.txt", "r.json"}) CHECK(folder.has(file));
  const auto cycles = valid_json(folder.read("r.json"))["cycles"].get<std::uint64_t>();
  REQUIRE(std::system(
              ("fst2vcd " + folder.file("a.fst") + " | grep '^#' | tail -1 >" + folder.file("end"))
                  .c_str()) == 0);
  CHECK(std::stoull(folder.read("end").substr(1)) == 10 * (cycles - 1) + 5);
}
#endif
