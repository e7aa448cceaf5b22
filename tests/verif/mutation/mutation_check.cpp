// SPDX-License-Identifier: Apache-2.0
// mutation_check FAULT...: runs the lockstep tests of one netlist with faults (scripts/netlist) as
// try_faults.hpp says.

#include "models/instrumented.hpp"
#include "models/model_library.hpp"
#include "support/exercises.hpp"
#include "systems/esc/box_factory.hpp"
#include "systems/nic/nic_factory.hpp"
#include "systems/switch_kinds.hpp"
#include "try_faults.hpp"

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

/// The first line of what differs from golden with a fault on, or nothing.
std::optional<std::string> difference(std::uint32_t fault) {
  verif::active_mutant = fault;
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

int main(int argc, char** argv) { return try_faults(argc, argv, &difference); }
