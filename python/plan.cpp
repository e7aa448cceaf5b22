// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/sweep/row.hpp"
#include "app/sweep/study.hpp"
#include "bindings.hpp"
#include "muster/topology/load_file.hpp"
#include "network.hpp"
#include "unlocked.hpp"

namespace muster::python {

namespace {

namespace sweep = app::sweep;

constexpr std::string_view kArrivals = "--arrivals=";

sweep::Plan checked(sweep::Plan plan) {
  if (plan.command != std::vector<std::string>{"run"})
    throw InputError(
        fmt::format("{}: command: only \"run\" is possible here; use muster sweep on the command "
                    "line for the others",
                    plan.file));
  return plan;
}

/// A plan of `muster sweep` and the rows of its runs, which are made elsewhere.
class PlanRows {
 public:
  explicit PlanRows(sweep::Plan plan)
      : context_(context_of("muster sweep " + plan.file)),
        study_(checked(std::move(plan)), context_) {}

  std::uint64_t size() const { return study_.runs.size(); }

  /// The options of a row, as words. Files are found from the plan's folder.
  std::vector<std::string> words(std::uint64_t row) const {
    std::vector<std::string> words = study_.runs.at(row).options;
    for (std::string& word : words)
      if (word.starts_with(kArrivals))
        word = std::string(kArrivals) + in_folder(word.substr(kArrivals.size()));
    if (study_.shape.has_threads) words.push_back("--threads=1");
    return words;
  }
  /// Rows of one network have one key.
  std::string network_key(std::uint64_t row) const { return network_of(row).dump(); }
  std::shared_ptr<Network> network(std::uint64_t row) const {
    const sweep::Json network = network_of(row);
    if (!sweep::Networks::is_generated(network)) {
      const std::string file = network.get<std::string>();
      return std::make_shared<Network>(topology::read_topology(in_folder(file)), file);
    }
    std::vector<std::string> words;
    for (const auto& [name, value] : network.items())
      if (name != "generate")
        for (std::string& word : sweep::typed_option(name, value)) words.push_back(std::move(word));
    return generate(network["generate"].get<std::string>(), words, sweep::Networks::label(network));
  }

  /// The row in a file of `muster sweep`. Throws InputError if it lacks a field of the plan.
  std::string made(std::uint64_t row, int status, const std::string& json, const std::string& error,
                   double seconds) const {
    const sweep::ChildOutcome outcome{status, json, error, seconds};
    std::vector<std::string> missing;
    const sweep::Json made =
        sweep::make_row(study_.runs.at(row), outcome, study_.plan.keep, 0, {}, missing);
    sweep::check_kept(study_.plan, made, missing, outcome);
    return made.dump(-1, ' ', false, sweep::Json::error_handler_t::replace);
  }

 private:
  sweep::Json network_of(std::uint64_t row) const {
    return study_.runs.at(row).parameters.at("network");
  }
  std::string in_folder(const std::string& file) const {
    return (study_.plan.folder / file).string();
  }

  app::Context context_;
  sweep::Study study_;
};

}  // namespace

void bind_plan(nb::module_& m) {
  nb::class_<PlanRows>(m, "Plan")
      .def_static("read",
                  [](const std::string& file) {
                    return std::make_unique<PlanRows>(sweep::read_plan(file));
                  })
      .def_static("parse",
                  [](const std::string& text, const std::string& file) {
                    return std::make_unique<PlanRows>(sweep::parse_plan(text, file));
                  })
      .def("__len__", &PlanRows::size)
      .def("words", &PlanRows::words, "row"_a)
      .def("network_key", &PlanRows::network_key, "row"_a)
      .def("network", &PlanRows::network, "row"_a, nb::call_guard<Unlocked>())
      .def("row", &PlanRows::made, "row"_a, "status"_a, "json"_a, "error"_a, "seconds"_a,
           nb::call_guard<Unlocked>());
}

}  // namespace muster::python
