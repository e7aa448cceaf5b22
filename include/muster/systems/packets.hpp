// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Barriers of packets: what a run may ask of switches with a barrier unit.

#include <cstdint>
#include <string_view>

#include "muster/run/fields.hpp"
#include "muster/run/own.hpp"

namespace muster::packets {

/// When a barrier unit takes messages.
enum class UnitTakes : std::uint8_t {
  kAlways,
  kIdle,    ///< while it has none to send
  kInOrder  ///< each when it is next in the order of combining
};

/// How the switches of scheme `tree-units` are built. RunSpec::own; without it as here.
struct Spec : run::Own<run::SystemSpec, Spec> {
  static constexpr std::string_view kSystem = "packets";  ///< System::name()

  std::uint32_t unit_buffer = 1;        ///< messages of room in each input queue, 1..5
  UnitTakes unit = UnitTakes::kAlways;  ///< when a unit takes a message
};

/// The options of scheme `tree-units` and the parameters in JSON.
void describe(run::Fields& f, Spec& s);

}  // namespace muster::packets
