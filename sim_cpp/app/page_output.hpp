// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/context.hpp"
#include "app/run_options.hpp"
#include "run/recording/recorder.hpp"

namespace muster::app {

/// The page of a run and its trace events, `--page` and `--trace`.
class PageOutput {
 public:
  /// Both outlive this. Throws InputError for options of a page without one.
  PageOutput(const RunOptions& options, const Context& context);

  /// Records the run. REQUIRES: it begins after this.
  void watch(run::RunSpec& spec, Outputs& outputs);
  /// Writes them; returns the lines that say where they are, or nothing without.
  std::string put(const run::ResolvedRun& run, const run::RunResult& result, Outputs& outputs);

 private:
  bool wanted() const { return !options_.page.empty() || !options_.trace.empty(); }

  const RunOptions& options_;
  const Context& context_;
  std::shared_ptr<run::Recorder> recorder_;
};

}  // namespace muster::app
