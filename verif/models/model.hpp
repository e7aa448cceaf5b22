// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "muster/core/error.hpp"

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
  const void* makers;  ///< the struct of the kind, such as SwitchMakers, which makes its banks
};

/// REQUIRES: Makers::kKind is the kind of the model.
template <class Makers>
const Makers& makers(const Model& model) {
  if (std::string_view(model.kind) != Makers::kKind)
    throw InternalError("model '" + std::string(model.name) + "' is a " + model.kind + ", no " +
                        std::string(Makers::kKind));
  return *static_cast<const Makers*>(model.makers);
}

}  // namespace muster::verif
