// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "bench/bench.hpp"
#include "mpi/result.hpp"
#include "run/comparison.hpp"
#include "run/configurations.hpp"
#include "run/result_parts.hpp"
#include "run/saturation.hpp"
#include "topology/info.hpp"

namespace muster::app {

void add_schema(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "schema",
      "Print a JSON object with the JSON Schema of each kind of result and file, by its name");
  command->callback([] {
    run::RunSpec spec;
    spec.graph = std::make_shared<topology::Graph>(topology::generate_mesh(2, 2));
    spec.groups = {{"group", {0}}};
    run::RunResult result;
    result.config = run::configurations().front();
    result.planned_hops = {0};
    run::Json schemas = {{"muster-run-1", run::run_schema(spec, result)},
                         {"muster-profile-1", run::profile_schema()},
                         {"muster-repeat-1", run::repeated_schema(spec, result)}};
    schemas["muster-comparison-1"] = core::json_schema(
        "Result of muster compare",
        "Schemes beside each other on one network; docs/how-to/compare.md.",
        [&](core::Record& r) { run::describe(r, run::Comparison{.spec = spec}, {}); });
    schemas["muster-saturation-1"] = core::json_schema(
        "Result of muster saturate",
        "The load of data at which a network saturates; docs/reference/runs.md.",
        [&](core::Record& r) {
          run::describe(r, run::SaturationReport{.spec = spec, .config = result.config}, {});
        });
    schemas["muster-mpi-1"] =
        core::json_schema("A program of MPI on a simulated network",
                          "What `muster mpi` reports; docs/how-to/mpi.md.", [](core::Record& r) {
                            mpi::describe(r, {}, {"", "x", 0});
                          });
    schemas["muster-bench-1"] =
        core::json_schema("Result of muster bench",
                          "Speeds and latencies with their goals; docs/reference/performance.md.",
                          [](core::Record& r) { bench::describe(r, {}, 0, {}); });
    schemas["muster-topology-info-1"] = topology::info_schema();
    for (const auto& system : run::systems())
      for (const auto& each : system->commands()) each->add_schemas(schemas);
    print(schemas.dump(1) + "\n");
  });
}

}  // namespace muster::app
