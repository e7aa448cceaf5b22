// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fabric/configurations.hpp"
#include "models/model.hpp"
#include "muster/core/error.hpp"

namespace muster::verif {

/// A model of this block is known: linked, listed in rtl/configurations.json, or described by a
/// file that scripts/model wrote. It may not be built.
bool knows(const fabric::Block& block);

/// The model of this block, loaded if need be; it stays for the life of the process. Several
/// threads may call it. REQUIRES: knows(block). Throws InputError if its file is not there or does
/// not fit, with the command that builds it.
const Model& load(const fabric::Block& block);

/// A bank of the model of this configuration. REQUIRES and throws: as load().
template <class Kind>
std::unique_ptr<typename Kind::Bank> make_bank(const typename Kind::Config& config,
                                               typename Kind::Blocks blocks,
                                               const typename Kind::Options& options) {
  const Model& model = load(block_of(config));
  if (model.kind != Kind::kName)
    throw InternalError("model '" + std::string(model.name) + "' is a " + model.kind + ", no " +
                        std::string(Kind::kName));
  return (*static_cast<const MakeBank<Kind>*>(model.make))(config, std::move(blocks), options);
}

/// What a test of "every model" runs: the models that the program was linked with, if any,
/// otherwise those of rtl/configurations.json, without those that the soak run alone tests.
std::vector<fabric::BlockEntry> listed_models();

/// The switches of one kind among them.
std::vector<fabric::SwitchConfig> listed_switches(const fabric::SwitchKind& kind);

/// config_of(entry) of the models of a kind among them.
template <class ConfigOf>
auto listed(std::string_view kind, ConfigOf config_of) {
  std::vector<decltype(config_of(fabric::BlockEntry{}))> configs;
  for (const fabric::BlockEntry& entry : listed_models())
    if (entry.kind == kind) configs.push_back(config_of(entry));
  return configs;
}

/// Models that the program is linked with, taken before those in files. One object of this type for
/// each static library of models, made before main().
struct LinkedModels {
  LinkedModels(std::initializer_list<const Model*> models);
};

}  // namespace muster::verif
