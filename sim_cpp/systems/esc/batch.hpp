// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ratio_estimate.hpp"
#include "muster/run/result.hpp"
#include "systems/esc/session.hpp"

namespace muster::esc {

using core::RatioEstimate;  ///< has no mean without a message, no half-width with one session

/// Averages over the sessions that were run of a spec (section 4.1); delays and lengths in cycles.
struct BatchResult {
  std::string engine;
  RatioEstimate mu_syn, mu_bg_total, mu_bg_hot, active_session;
  RatioEstimate height;                ///< of the saturation tree, links, mean over cycles
  std::uint32_t sessions = 0;          ///< that were run, the first ones
  std::vector<std::uint64_t> lengths;  ///< of their active sessions
  bool interrupted = false;            ///< fewer than the spec has
  std::uint64_t packets = 0;           ///< delivered
  std::uint64_t cycles = 0;            ///< simulated, all sessions
  std::uint64_t box_cycles = 0;        ///< cycles times boxes of the enabled stages
  std::uint64_t comparisons = 0;       ///< outputs compared with a reference
  std::uint64_t digest = 0;
  std::uint64_t violations = 0;
  std::vector<std::string> violation_texts;
  std::vector<run::CheckCount> checks;
  double seconds = 0.0;  ///< wall clock
};

/// Sessions done so far, cycle of one that runs. Called from any thread, one call at a time, now
/// and then.
using Progress = std::function<void(std::uint32_t done, std::uint64_t cycle)>;

/// Runs all sessions of a spec, `spec.threads` at a time. Results do not depend on the number of
/// threads. `interrupted` is asked every 256 cycles; once it says true, and it must go on to say
/// so, the sessions under way are dropped and no further one is started. Throws InputError for a
/// spec that is not valid or that the engine cannot do.
BatchResult run_batch(const Spec& spec, const fabric::BankFactory& engine,
                      const Progress& progress = {}, const std::function<bool()>& interrupted = {});

/// Schema muster-esc-1, docs/systems/esc.md; with `generated` if there is one.
std::string batch_to_json(const Spec& spec, const BatchResult& result, const Provenance& origin,
                          const std::optional<Generated>& generated = {});
run::Json batch_schema();  ///< that schema
/// For people; several lines.
std::string batch_to_text(const Spec& spec, const BatchResult& result);

/// One line, empty if all is well: the rate is more than the input stage, or what a fault leaves,
/// carries.
std::string capacity_warning(const Spec& spec);

}  // namespace muster::esc
