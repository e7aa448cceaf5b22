// SPDX-License-Identifier: Apache-2.0
// One barrier of a mesh, on the library that this project has as a part of it.
#include <memory>
#include <muster/run.hpp>

int main() {
  muster::run::RunSpec spec;
  spec.graph = std::make_shared<muster::topology::Graph>(muster::topology::generate_mesh(3, 3));
  spec.groups = {{"all", muster::topology::parse_group(*spec.graph, "all", spec.seed)}};
  const muster::run::RunResult result = muster::run::run_barriers(spec);
  return result.violations.empty() && result.barriers.size() == spec.barriers ? 0 : 1;
}
