// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "muster/fabric/engine_registry.hpp"

namespace muster::app {

/// The command line of `muster`, with the systems of run::systems() and the engines golden and
/// `engines`. A program of its own adds its systems first (run::add_system) and returns what this
/// returns: 0 if all checks have passed, 1 if one failed, 2 for bad input, with one line on
/// standard error. `argv[0]` is the program's name in messages. Throws InternalError if two engines
/// have one name.
int main(int argc, const char* const* argv,
         const std::vector<std::shared_ptr<const fabric::BankFactory>>& engines = {});

}  // namespace muster::app
