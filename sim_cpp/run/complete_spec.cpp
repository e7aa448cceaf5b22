// SPDX-License-Identifier: Apache-2.0
#include "run/complete_spec.hpp"

#include <utility>

#include "muster/core/error.hpp"
#include "muster/run/golden_engine.hpp"
#include "run/division.hpp"
#include "run/shared_engine.hpp"

namespace muster::run {

RunSpec complete_spec(RunSpec spec) {
  if (!spec.graph) throw InputError("RunSpec::graph: a run needs a network");
  for (const auto& observer : spec.observers)
    if (!observer) throw InputError("RunSpec::observers: one of them is null");
  if (!spec.routes)
    spec.routes = std::make_shared<topology::Routes>(topology::routes_for(*spec.graph));
  if (!spec.engine) spec.engine = make_golden_engine();
  if (spec.ranks) {
    fabric::Division division = divide_network(spec);
    spec.engine = share_engine(std::move(spec.engine), *spec.ranks, std::move(division));
  }
  return spec;
}

}  // namespace muster::run
