// SPDX-License-Identifier: Apache-2.0
// mutation_check FAULT...: runs the lockstep tests of one netlist with faults (scripts/netlist),
// once for each fault named by its number, and prints a line for each: the number, `killed` or
// `survived`, and what found it. Exit status 1 if the netlist differs from golden with no fault on,
// 2 on bad use.
#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "fault_numbers.hpp"
#include "models/instrumented.hpp"
#include "models/model_library.hpp"
#include "muster/core/error.hpp"
#include "support/box_exercise.hpp"
#include "support/nic_exercise.hpp"
#include "support/preempt_exercise.hpp"
#include "support/switch_exercise.hpp"
#include "systems/nic/nic_factory.hpp"
#include "systems/preempt/bsr_message.hpp"
#include "systems/switch_kinds.hpp"

using namespace muster;

namespace {

void exercise_switch(const fabric::SwitchConfig& config) {
  std::uint64_t seed = 0;
  testing::DriverMix broken = testing::busy();  // links go down in the middle of packets
  broken.broken = 0.1;
  for (const testing::DriverMix& mix :
       {broken, testing::barriers(), testing::crowded(), testing::piled(), testing::light(),
        testing::busy(), testing::starved(), testing::sparse(), testing::meeting(),
        testing::pressed(), testing::crossed()}) {
    // Counters saturate at 15: many short runs see what long ones hide.
    for (int run = 0; run < 100; ++run) testing::exercise({config, mix, ++seed, 2, 60});
    for (const double writing : {0.0, 0.0, 0.02, 0.02, 0.5})
      testing::exercise({config, mix, ++seed, 2, 6000, writing});
  }
}

void exercise_preempting(const fabric::SwitchConfig& config) {
  std::uint64_t seed = 0;
  for (const testing::PreemptMix& mix : testing::kPreemptMixes)
    for (int run = 0; run < 36; ++run)  // some long enough for cuts of a thousand cycles
      testing::exercise(config, mix, ++seed, run % 6 == 0 ? 8000 : 2000);
}

/// The first line of what differed, or nothing.
std::optional<std::string> difference() {
  try {
    for (const fabric::SwitchConfig& config : verif::listed_switches(btin::kBarrierSwitch))
      exercise_switch(config);
    for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2, &preempt::kBsr3})
      for (const fabric::SwitchConfig& config : verif::listed_switches(*kind))
        exercise_preempting(config);
    for (const esc::BoxConfig& config : verif::listed("box", esc::box_config))
      for (std::uint64_t seed = 1; seed <= 3; ++seed) testing::exercise(config, seed, 400);
    for (const nic::NicConfig& config : verif::listed("nic", nic::nic_config))
      for (std::uint64_t seed = 1; seed <= 20; ++seed)
        for (const testing::NicConditions& world : testing::kNicConditions)
          testing::exercise(config, world, seed, 2500);
  } catch (const InternalError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::uint32_t> faults = fault_numbers(argc, argv, "mutation_check");
  if (faults.empty()) return 2;
  if (const auto text = difference()) {
    fmt::print(stderr, "mutation_check: differs from golden without a fault: {}\n", *text);
    return 1;
  }
  for (const std::uint32_t fault : faults) {
    verif::active_mutant = fault;
    const auto text = difference();
    fmt::print("{}\t{}\t{}\n", fault, text ? "killed" : "survived", text.value_or(""));
    std::fflush(stdout);
  }
  return 0;
}
