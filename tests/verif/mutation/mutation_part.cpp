// SPDX-License-Identifier: Apache-2.0
// mutation_part FAULT...: runs the tests of a part whose model is a netlist with faults
// (scripts/netlist) as try_faults.hpp says. Each run is a process of its own: a fault may stop it,
// or keep it from coming to an end.
#define CATCH_CONFIG_RUNNER
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "models/instrumented.hpp"
#include "try_faults.hpp"

namespace {

constexpr rlimit kLimit{60, 60};  // seconds of a run, however busy the machine is

/// A word if a test fails with a fault on.
std::optional<std::string> failure(std::uint32_t fault) {
  const pid_t child = fork();
  if (child == 0) {
    setrlimit(RLIMIT_CPU, &kLimit);
    muster::verif::active_mutant = fault;
    const char* const arguments[] = {"mutation_part", "~[soak]", "--abort"};
    std::fclose(stdout);
    std::fclose(stderr);
    _exit(Catch::Session().run(3, arguments) == 0 ? 0 : 1);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    std::perror("mutation_part");
    std::exit(2);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
  return "a test fails";
}

}  // namespace

int main(int argc, char** argv) { return try_faults(argc, argv, &failure); }
