// SPDX-License-Identifier: Apache-2.0
#include "muster/run/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "app/run_options.hpp"
#include "arrivals.hpp"
#include "network.hpp"
#include "result.hpp"
#include "unlocked.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace muster::python {

namespace {

/// `muster run` writes files of these, makes many runs, or is asked something else.
const std::vector<std::string> kLeftOut = {"help",        "repeat",  "json", "wave",
                                           "wave-only",   "wave-at", "page", "page-from",
                                           "page-cycles", "trace"};

/// The options of `muster run` as words.
struct RunWords {
  RunWords() { app::add_run_options(command, options, engines()); }
  CLI::App command;
  app::RunOptions options;
};

std::vector<Keyword> run_keywords() { return keywords_of(RunWords().command, kLeftOut); }

std::unique_ptr<RunWords> typed_words(const Network& network,
                                      const std::vector<std::string>& words) {
  auto typed = std::make_unique<RunWords>();
  check_keywords(words, keywords_of(typed->command, kLeftOut), "muster.run");
  std::vector<std::string> all{network.label()};
  all.insert(all.end(), words.begin(), words.end());
  parse_words(typed->command, all);
  typed->options.file = network.label();
  return typed;
}

/// A run's result, and what a signal raised meanwhile or None.
nb::tuple run_words(const Network& network, const std::vector<std::string>& words,
                    const nb::object& arrivals, std::shared_ptr<Stop> stop, nb::object progress) {
  std::shared_ptr<const run::Arrivals> own = arrivals_of(arrivals);
  Watch watch(std::move(stop), std::move(progress));
  std::shared_ptr<Result> result;
  {
    const Unlocked unlocked;
    const auto typed = typed_words(network, words);
    const app::RunOptions& options = typed->options;
    run::RunSpec spec =
        app::specify(options, network.with_routes(), engines(), options.common.seed);
    if (own) spec.arrivals = std::move(own);
    watch.look_after(spec);
    const auto resolved = app::resolve(options.file, std::move(spec));
    app::Context context = context_of(fmt::format("{}{}{}", network.command("run"),
                                                  words.empty() ? "" : " ", fmt::join(words, " ")));
    context.origin.seed = options.common.seed;
    result = std::make_shared<Result>(*resolved, run::run_barriers(*resolved),
                                      std::move(context.origin));
  }
  return nb::make_tuple(result, watch.raised());
}

}  // namespace

void bind_run(nb::module_& m) {
  nb::class_<Stop>(m, "Stop",
                   "A request to end runs: any thread may call set(), and the runs that were given "
                   "it end\nwith what was measured until then.")
      .def(nb::init<>())
      .def("set", &Stop::set, "Ends the runs that have it, those that begin later too.")
      .def("is_set", &Stop::is_set, "Whether set() was called.");
  m.def("run", &run_words, "network"_a, "words"_a, "arrivals"_a.none(), "stop"_a.none(),
        "progress"_a.none());
  m.def("run_options", [] { return as_dict(run_keywords()); });
}

}  // namespace muster::python
