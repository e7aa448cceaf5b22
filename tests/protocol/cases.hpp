// SPDX-License-Identifier: Apache-2.0
// Trees and searches of the tests.
#pragma once

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "protocol/search.hpp"

namespace muster::protocol {

/// A root switch with so many members.
inline Tree star(unsigned members) { return {1, std::vector<unsigned>(1 + members, 0)}; }

/// Switch S1 below the root S0. Members are numbered from the root on: m0, ...
inline Tree chain(unsigned at_root, unsigned below) {
  Tree tree{2, {0, 0}};
  tree.parent.insert(tree.parent.end(), at_root, 0);
  tree.parent.insert(tree.parent.end(), below, 1);
  return tree;
}

/// S2 below S1 below S0.
inline Tree line(unsigned at_root, unsigned at_middle, unsigned below) {
  Tree tree{3, {0, 0, 1}};
  tree.parent.insert(tree.parent.end(), at_root, 0);
  tree.parent.insert(tree.parent.end(), at_middle, 1);
  tree.parent.insert(tree.parent.end(), below, 2);
  return tree;
}

/// S1 and S2 below the root.
inline Tree branch(unsigned at_root, unsigned below_1, unsigned below_2) {
  Tree tree{3, {0, 0, 0}};
  tree.parent.insert(tree.parent.end(), at_root, 0);
  tree.parent.insert(tree.parent.end(), below_1, 1);
  tree.parent.insert(tree.parent.end(), below_2, 2);
  return tree;
}

constexpr std::uint8_t kAll = 0xff;
inline std::uint8_t mask(unsigned node) { return static_cast<std::uint8_t>(1u << node); }

struct Case {
  std::string name;
  Tree tree;
  Surroundings around;
  std::uint64_t states;  ///< as measured
  Rules rules = {};
};

/// REQUIRES: at least one case.
inline void check_safe(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    INFO(c.name);
    const Result result = search({c.tree, c.rules, c.around}, {.states = 200'000'000});
    INFO(fmt::format("{} stuck, first by:\n{}", result.stuck, fmt::join(result.trace, "\n")));
    CHECK(result.violation.empty());
    CHECK(result.complete);
    CHECK(result.stuck == 0);
    CHECK(result.states == c.states);
  }
}

}  // namespace muster::protocol
