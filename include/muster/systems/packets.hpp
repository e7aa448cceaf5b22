// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Barriers of packets: what a run may ask of switches with a barrier unit.

#include <cstdint>
#include <string_view>

#include "muster/run/fields.hpp"
#include "muster/run/own.hpp"

namespace muster::packets {

/// How the switches of scheme `tree-units` are built. RunSpec::own; without it as here.
struct Spec : run::Own<run::SystemSpec, Spec> {
  static constexpr std::string_view kSystem = "packets";  ///< System::name()

  std::uint32_t unit_buffer = 1;  ///< messages of room in each input queue, 1..5
  bool unit_waits = false;        ///< a unit takes no message while it has one to send
};

/// The options of scheme `tree-units` and the parameters in JSON.
void describe(run::Fields& f, Spec& s);

}  // namespace muster::packets
