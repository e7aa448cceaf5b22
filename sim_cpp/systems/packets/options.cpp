// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/options.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"
#include "muster/systems/packets.hpp"
#include "systems/packets/scheme/unit_scheme.hpp"

namespace muster::packets {

void Options::add(run::OptionList& options) {
  options.number("--unit-buffer", buffer_,
                 "Scheme tree-units: room of each input queue, in messages; default 1", 1,
                 kMostUnitBuffer);
  options.choice("--unit", unit_, {"absorb", "wait"},
                 "Scheme tree-units: a unit takes messages at any time (default), or none while it "
                 "has one to send");
}

void Options::apply(run::RunSpec& spec) const {
  const char* const typed = buffer_ ? "--unit-buffer" : !unit_.empty() ? "--unit" : nullptr;
  if (typed == nullptr) return;
  if (run::find_scheme(spec.scheme).scheme.name != kUnitScheme)
    throw InputError(fmt::format("{}: scheme '{}' has no barrier units that send packets; use {}",
                                 typed, run::find_scheme(spec.scheme).scheme.name, kUnitScheme));
  Spec& own = spec.parts.make<Spec>();
  own.unit_buffer = buffer_.value_or(own.unit_buffer);
  own.unit_waits = unit_ == "wait";
}

}  // namespace muster::packets
