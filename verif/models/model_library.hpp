// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <vector>

#include "fabric/configurations.hpp"
#include "models/model.hpp"

namespace muster::verif {

/// A model of this block is known: linked, listed in rtl/configurations.json, or described by a
/// file that scripts/model wrote. It may not be built.
bool knows(const fabric::Block& block);

/// The model of this block, loaded if need be; it stays for the life of the process. Several
/// threads may call it. REQUIRES: knows(block). Throws InputError if its file is not there or does
/// not fit, with the command that builds it.
const Model& load(const fabric::Block& block);

/// What a test of "every model" runs: the models that the program was linked with, if any,
/// otherwise those of rtl/configurations.json.
std::vector<fabric::BlockEntry> listed_models();

/// Models that the program is linked with, taken before those in files. One object of this type for
/// each static library of models, made before main().
struct LinkedModels {
  LinkedModels(std::initializer_list<const Model*> models);
};

}  // namespace muster::verif
