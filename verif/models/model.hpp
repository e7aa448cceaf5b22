// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace muster::verif {

struct ModelParameter {
  const char* name;  ///< as in the RTL
  std::uint32_t value;
};

/// A Verilated block of one size: what a model file exports, docs/reference/models.md.
struct Model {
  const char* interface;  ///< the tag kModelInterface of the headers that it was compiled with
  const char* name;
  const char* kind;  ///< of entries in rtl/configurations.json
  const char* top;
  std::span<const ModelParameter> parameters;
  const void* make;  ///< a MakeBank of its kind
};

/// A kind of models, of the header verif/models/KIND_model.hpp: the contract of its banks; the
/// configuration of a block, for which block_of(config) finds the model; the number of blocks, or
/// where each of them stands; how a bank is built. It has `kName` besides, as in Model::kind.
template <class BankType, class ConfigType, class BlocksType, class OptionsType>
struct Models {
  using Bank = BankType;
  using Config = ConfigType;
  using Blocks = BlocksType;
  using Options = OptionsType;
};

/// What makes a bank of one model: KIND_maker<V, P>, of the class `V` that Verilator made with the
/// parameters `P`.
template <class Kind>
using MakeBank = std::unique_ptr<typename Kind::Bank> (*)(const typename Kind::Config& config,
                                                          typename Kind::Blocks blocks,
                                                          const typename Kind::Options& options);

/// Makes a bank of the class `Verilated`: the MakeBank of one model.
template <class Kind, class Verilated>
std::unique_ptr<typename Kind::Bank> make_verilated(const typename Kind::Config& config,
                                                    typename Kind::Blocks blocks,
                                                    const typename Kind::Options& options) {
  return std::make_unique<Verilated>(config, std::move(blocks), options);
}

}  // namespace muster::verif
