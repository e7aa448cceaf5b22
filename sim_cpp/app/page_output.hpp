// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "app/context.hpp"
#include "app/run_options.hpp"
#include "run/page/recorder.hpp"

namespace muster::app {

/// The page of a run, `--page`.
class PageOutput {
 public:
  /// Throws InputError for options of a page without one.
  PageOutput(const RunOptions& options, const Context& context);

  /// Records the run. REQUIRES: it begins after this.
  void watch(run::RunSpec& spec, Outputs& outputs);
  /// Writes the page; returns the line that says where it is, or nothing without one.
  std::string put(const run::ResolvedRun& run, const run::RunResult& result, Outputs& outputs);

 private:
  const RunOptions& options_;
  const Context& context_;
  std::shared_ptr<run::Recorder> recorder_;
};

/// `muster run ... --engine rtl --wave barrier.fst`, from a command that was typed: without what
/// writes other files or says how models are clocked.
std::vector<std::string> wave_words(const std::vector<std::string>& typed);

}  // namespace muster::app
