// SPDX-License-Identifier: Apache-2.0
// mutation_part FAULT...: runs the tests of a part whose model is a netlist with faults
// (scripts/netlist), once for each fault named by its number, and prints a line for each: the
// number, and `killed` or `survived`. Exit status 1 if they fail with no fault on, 2 on bad use.
// Each run is a process of its own: a fault may stop it, or keep it from coming to an end.
#define CATCH_CONFIG_RUNNER
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "fault_numbers.hpp"
#include "models/instrumented.hpp"

namespace {

constexpr rlimit kLimit{60, 60};  // seconds of a run, however busy the machine is

/// Whether all tests pass with a fault on.
bool passes(std::uint32_t fault) {
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
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::uint32_t> faults = fault_numbers(argc, argv, "mutation_part");
  if (faults.empty()) return 2;
  if (!passes(0)) {
    std::fprintf(stderr, "mutation_part: the tests fail without a fault\n");
    return 1;
  }
  for (const std::uint32_t fault : faults) {
    std::printf("%u\t%s\n", fault, passes(fault) ? "survived" : "killed");
    std::fflush(stdout);
  }
  return 0;
}
