// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/context.hpp"
#include "app/sweep/plan.hpp"

namespace muster::app::sweep {

/// What a plan's command is like.
struct CommandShape {
  bool reads_network = false;  ///< takes FILE
  bool has_threads = false;    ///< takes --threads, of which the plan says nothing
};

/// Holds the plan against the command line: its command and generator are there, have these
/// options and take each of their values. Throws InputError "FILE: place: reason; how to fix it".
CommandShape check_plan(const Plan& plan, const Context& context);

}  // namespace muster::app::sweep
