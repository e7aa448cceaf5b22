// SPDX-License-Identifier: Apache-2.0
// own_checker LOAD: barriers on a 3x3 mesh with LOAD flits of background data a node and cycle,
// watched by a checker of this project beside Muster's own.
#include <charconv>
#include <cstdio>
#include <memory>
#include <muster/core/error.hpp>
#include <muster/run.hpp>
#include <string>

#include "power_budget.hpp"

using namespace muster;

namespace {

double load_of(const std::string& text) {
  double load = 0.0;
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, load);
  if (error != std::errc{} || behind != end)
    throw InputError("LOAD '" + text + "' is not a number, such as 0.5");
  return load;
}

}  // namespace

int main(int argc, char** argv) try {
  run::RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(topology::generate_mesh(3, 3));
  spec.groups = {{"all", topology::parse_group(*spec.graph, "all", spec.seed)}};
  spec.load_flits = argc > 1 ? load_of(argv[1]) : 0.0;
  spec.add_checkers = [](checkers::CheckerList& list) {
    list.add(std::make_unique<PowerBudget>(list.subject()));
  };
  const run::RunResult result = run::run_barriers(spec);
  for (const run::CheckCount& check : result.checks)
    std::printf("%s: held %llu times\n", check.name.c_str(),
                static_cast<unsigned long long>(check.passed));
  for (const std::string& violation : result.violations) std::printf("%s\n", violation.c_str());
  return result.ok() ? 0 : 1;
} catch (const InputError& error) {
  std::fprintf(stderr, "own_checker: %s\n", error.what());
  return 2;
}
