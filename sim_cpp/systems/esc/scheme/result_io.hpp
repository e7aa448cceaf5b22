// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/core/provenance.hpp"
#include "systems/esc/scheme/batch.hpp"
#include "systems/esc/scheme/generated.hpp"

namespace muster::esc {

/// Schema muster-esc-1, docs/systems/esc.md; with `generated` if there is one.
std::string batch_to_json(const Spec& spec, const BatchResult& result, const Provenance& origin,
                          const std::optional<Generated>& generated = {});
/// For people; several lines.
std::string batch_to_text(const Spec& spec, const BatchResult& result);

/// One line, empty if all is well: the rate is more than the input stage, or what a fault leaves,
/// carries.
std::string capacity_warning(const Spec& spec);

}  // namespace muster::esc
