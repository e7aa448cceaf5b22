// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "app/run_options.hpp"
#include "run/run_spec.hpp"

namespace muster::app {

/// The options of `muster run` about NIC barriers and faults of their packets, and what they say of
/// the run. Whether the scheme has any use for them is the scheme's to say.
void add_nic(CLI::App& run, RunOptions& options);
/// Throws InputError naming the option that is wrong.
void set_nic(const RunOptions& options, run::RunSpec& spec);

}  // namespace muster::app
