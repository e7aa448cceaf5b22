// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "support/folder.hpp"

namespace muster::test {

struct Outcome {
  int status;
  std::string out, err;
};

/// Runs `muster ARGUMENTS` as a user would, standard output to `out` if given, standard input from
/// `in`; the time limit turns a hang into status 124.
inline Outcome muster_command(const std::string& arguments, const std::string& out = "",
                              const std::string& in = "/dev/null") {
  const Folder folder;
  const std::string line = std::string("timeout 100 ") + MUSTER_COMMAND + " " + arguments + " >" +
                           (out.empty() ? folder.file("out") : out) + " 2>" + folder.file("err") +
                           " <" + in;
  const int result = std::system(line.c_str());
  return {WIFEXITED(result) ? WEXITSTATUS(result) : -1, folder.read("out"), folder.read("err")};
}

/// `muster ARGUMENTS` ends with status 2, one line on standard error that says `reason`, nothing on
/// standard output.
inline void refuses(const std::string& arguments, const std::string& reason) {
  const Outcome got = muster_command(arguments);
  CAPTURE(arguments, got.err, got.out);
  CHECK(got.status == 2);
  CHECK(got.out.empty());
  CHECK(std::ranges::count(got.err, '\n') == 1);
  CHECK(got.err.starts_with("muster: "));
  CHECK(got.err.find(reason) != std::string::npos);
}

/// Arguments behind `before`, each with what the line of its refusal names.
inline void refuses_all(const std::string& before,
                        const std::vector<std::pair<std::string, std::string>>& list) {
  for (const auto& [arguments, reason] : list) refuses(before + arguments, reason);
}

inline const std::string kFigure1 = std::string(MUSTER_SOURCE_DIR) + "/topologies/figure1.json";
inline std::string run(const std::string& options) { return "run " + kFigure1 + " " + options; }

/// `muster ARGUMENTS` while it runs, in a process group of its own. Whatever happens, it is gone
/// with the object.
class Running {
 public:
  /// `before` is a command of the shell: "trap '' INT".
  explicit Running(const std::string& arguments, const std::string& before = ":") {
    const std::string line =
        fmt::format("{}; exec {} {} >{} 2>{} </dev/null", before, MUSTER_COMMAND, arguments,
                    files_.file("out"), files_.file("err"));
    const char* words[] = {"sh", "-c", line.c_str(), nullptr};
    // The shell that started the tests may ignore these.
    sigset_t ours;
    ::sigemptyset(&ours);
    ::sigaddset(&ours, SIGINT);
    ::sigaddset(&ours, SIGTERM);
    ::sigaddset(&ours, SIGHUP);
    posix_spawnattr_t how;
    ::posix_spawnattr_init(&how);
    ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    ::posix_spawnattr_setpgroup(&how, 0);
    ::posix_spawnattr_setsigdefault(&how, &ours);
    const int error = ::posix_spawn(&process_, "/bin/sh", nullptr, &how,
                                    const_cast<char* const*>(words), environ);
    ::posix_spawnattr_destroy(&how);
    if (error != 0) process_ = -1;
  }
  ~Running() {
    if (process_ > 0) wait(0);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  /// A handler of the program takes the signal. (Until it is there, the process has the name and
  /// the handlers of the tests, then those of the shell.)
  bool catches(int signal) const {
    const std::string status = read(fmt::format("/proc/{}/status", process_));
    if (!status.starts_with("Name:\tmuster\n")) return false;
    const auto at = status.find("SigCgt:");
    if (at == std::string::npos) return false;
    return std::stoull(status.substr(at + 7), nullptr, 16) >> (signal - 1) & 1;
  }
  /// Waits until it does.
  bool comes_to_catch(int signal) const {
    for (int tenths = 0; tenths < 600 && !catches(signal); ++tenths) pause(100);
    return catches(signal);
  }
  /// Waits until it has used so much processor time: on a machine with other work an amount of
  /// real time says nothing of how far it is.
  bool has_worked(int ms) const {
    for (int tenths = 0; tenths < 600 && processor_ms() < ms; ++tenths) pause(100);
    return processor_ms() >= ms;
  }
  void send(int signal) const { ::kill(process_, signal); }
  void send_to_group(int signal) const { ::kill(-process_, signal); }

  /// Its exit status, or minus the signal that ended it; after so many seconds it is killed.
  Outcome wait(int seconds = 60) {
    int status = 0;
    for (int tenths = 0; ::waitpid(process_, &status, WNOHANG) == 0; ++tenths) {
      if (tenths == 10 * seconds) ::kill(-process_, SIGKILL);
      pause(100);
    }
    process_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), files_.read("out"),
            files_.read("err")};
  }

  static void pause(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

 private:
  static std::string read(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// User and system time of its threads (proc(5): fields 14 and 15 of `stat`).
  long processor_ms() const {
    const std::string stat = read(fmt::format("/proc/{}/stat", process_));
    std::istringstream fields(stat.substr(stat.rfind(')') + 1));
    std::string skipped;
    for (int field = 3; field < 14; ++field) fields >> skipped;
    long user = 0, system = 0;
    fields >> user >> system;
    return (user + system) * 1000 / ::sysconf(_SC_CLK_TCK);
  }

  Folder files_;
  pid_t process_ = -1;
};

/// Sends the signal when something is done.
inline Outcome interrupted(Running& running, int signal) {
  REQUIRE(running.comes_to_catch(signal));
  REQUIRE(running.has_worked(1000));
  running.send(signal);
  return running.wait();
}

}  // namespace muster::test
