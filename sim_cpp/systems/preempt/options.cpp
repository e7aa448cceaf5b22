// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/options.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"
#include "muster/systems/preempt.hpp"

namespace muster::preempt {

void Options::add(run::OptionList& options) {
  options.number("--gap", gap_,
                 "Preempting switches: cycles after a barrier message in which an output takes no "
                 "other; default 2",
                 0, 255);
  options.number("--idle", idle_,
                 "Preempting switches: cycles for which a cut is kept after its last barrier flit; "
                 "default 16",
                 0, 255);
  options.number("--longest", longest_,
                 "Preempting switches: cycles after which a cut takes no further message; default "
                 "256",
                 0, 65535);
  options.flag("--random", random_, "Preempting switches: cut a random channel; default: the last");
  options.choice("--padding", padding_, {"on", "off"},
                 "Preempting switches: pads behind a cut message, on (default) or off");
}

void Options::apply(run::RunSpec& spec) const {
  const char* const typed = gap_                ? "--gap"
                            : idle_             ? "--idle"
                            : longest_          ? "--longest"
                            : random_           ? "--random"
                            : !padding_.empty() ? "--padding"
                                                : nullptr;
  if (typed == nullptr) return;
  if (run::find_scheme(spec.scheme).system.name() != "preempt")
    throw InputError(fmt::format("{}: scheme '{}' has no preempting switches", typed, spec.scheme));
  Spec& own = spec.parts.make<Spec>();
  own.gap = gap_.value_or(own.gap);
  own.idle = idle_.value_or(own.idle);
  own.longest = longest_.value_or(own.longest);
  own.random = random_;
  own.padding = padding_ != "off";
}

}  // namespace muster::preempt
