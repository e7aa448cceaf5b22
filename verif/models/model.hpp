// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
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

/// A kind of models, of the header verif/models/KIND_model.hpp.
template <class Kind>
concept ModelKind = requires {
  { Kind::kName } -> std::convertible_to<std::string_view>;  // as in Model::kind
  typename Kind::Bank;                                       // the contract of its banks
  typename Kind::Config;   // of a block, for which block_of(config) finds the model
  typename Kind::Blocks;   // their number, or where each of them stands
  typename Kind::Options;  // how a bank is built
};

template <ModelKind Kind>
using MakeBank = std::unique_ptr<typename Kind::Bank> (*)(const typename Kind::Config& config,
                                                          typename Kind::Blocks blocks,
                                                          const typename Kind::Options& options);

/// Makes a bank of the class `Verilated`: the MakeBank of one model.
template <ModelKind Kind, class Verilated>
std::unique_ptr<typename Kind::Bank> make_verilated(const typename Kind::Config& config,
                                                    typename Kind::Blocks blocks,
                                                    const typename Kind::Options& options) {
  return std::make_unique<Verilated>(config, std::move(blocks), options);
}

}  // namespace muster::verif
