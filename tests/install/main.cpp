// SPDX-License-Identifier: Apache-2.0
// The smallest program that uses the installed library: Theorem 1's subject, the height of a tree.
#include <cstdio>
#include <systems/btin/tree/tree.hpp>
#include <topology/generate.hpp>

using namespace muster;

int main() {
  const auto graph = muster::topology::generate_mesh(3, 3);
  const auto tree = btin::plan_tree(graph, std::vector<unsigned>{0, 4, 8});
  std::printf("root switch %u, height %u\n", tree.root_switch, tree.height);
  return tree.root_switch == 4 && tree.height == 2 ? 0 : 1;
}
