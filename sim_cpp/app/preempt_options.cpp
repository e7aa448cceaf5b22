// SPDX-License-Identifier: Apache-2.0
#include "app/preempt_options.hpp"

#include "app/option_values.hpp"

namespace muster::app {

void add_preempt(CLI::App& run, RunOptions& o) {
  run.add_option("--center", o.center,
                 "Member that the others report to: nearest (least distance from the farthest), "
                 "random or lowest")
      ->check(CLI::IsMember({"nearest", "random", "lowest"}));
  run.add_option("--gap", o.gap,
                 "Preempting switches: cycles after a barrier message in which an output takes "
                 "none; default 2")
      ->check(CLI::Range(0, 255));
  run.add_option("--idle", o.idle,
                 "Preempting switches: cycles for which a cut is kept after its last barrier flit; "
                 "default 16")
      ->check(CLI::Range(0, 255));
  run.add_option("--longest", o.longest,
                 "Preempting switches: cycles after which a cut takes no further message; default "
                 "256")
      ->check(CLI::Range(0, 65535));
  run.add_flag("--random", o.random,
               "Preempting switches: the channel to cut is drawn; default the last");
  run.add_option("--padding", o.padding,
                 "Preempting switches: pads behind a cut message, on (default) or off")
      ->check(CLI::IsMember({"on", "off"}));
  run.add_option("--congestion", o.congestion,
                 "M@TAU: in each barrier the links of M members of each group, drawn, are held for "
                 "TAU cycles (5@100)");
}

void set_preempt(const RunOptions& o, run::RunSpec& spec) {
  using preempt::CenterChoice;
  if (!o.center.empty())
    spec.center = o.center == "random"   ? CenterChoice::kRandom
                  : o.center == "lowest" ? CenterChoice::kLowest
                                         : CenterChoice::kNearest;
  if (!o.congestion.empty()) {
    const auto [members, cycles] = split_at(o.congestion, "--congestion");
    if (cycles > 1'000'000)
      throw InputError(fmt::format("--congestion '{}': at most 1000000 cycles", o.congestion));
    spec.congestion = {number32(members, "--congestion"), cycles};
  }
  if (!o.gap && !o.idle && !o.longest && !o.random && o.padding.empty()) return;
  run::PreemptSpec preempt;
  preempt.gap = o.gap.value_or(preempt.gap);
  preempt.idle = o.idle.value_or(preempt.idle);
  preempt.longest = o.longest.value_or(preempt.longest);
  preempt.random = o.random;
  preempt.padding = o.padding != "off";
  spec.preempt = preempt;
}

}  // namespace muster::app
