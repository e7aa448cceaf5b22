// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/run.hpp"
#include "support/test.hpp"
#include "sw/muster.h"
#include "systems/switch_kinds.hpp"

/// What the driver is tested on: golden switches, and words in memory.
namespace muster::driven {

inline std::uint32_t bank_read(void* bank, std::uint32_t address) {
  return static_cast<core::Bank*>(bank)->read_register(0, address);
}
inline void bank_write(void* bank, std::uint32_t address, std::uint32_t word) {
  static_cast<core::Bank*>(bank)->write_register(0, address, word);
}
inline muster_bus bus_of(core::Bank& bank) { return {&bank_read, &bank_write, &bank, 0}; }

inline fabric::SwitchConfig config() {
  fabric::SwitchConfig all{.name = "driven", .kind = &btin::kBarrierSwitch};
  all.ports = 4;
  all.dests = 64;
  return all;
}

/// A golden switch, opened.
struct Driven {
  explicit Driven(const fabric::SwitchConfig& config)
      : bank(run::make_golden_engine()->make_switches(config, 1, {})) {
    const muster_bus bus = bus_of(*bank);
    REQUIRE(muster_switch_open(&sw, &bus) == MUSTER_OK);
  }
  std::unique_ptr<core::Bank> bank;
  muster_switch sw{};
};

/// Words in memory.
struct Words {
  std::map<std::uint32_t, std::uint32_t> words;
  static std::uint32_t read(void* at, std::uint32_t address) {
    return static_cast<Words*>(at)->words[address];
  }
  static void write(void* at, std::uint32_t address, std::uint32_t word) {
    static_cast<Words*>(at)->words[address] = word;
  }
  muster_bus bus() { return {&read, &write, this, 0}; }
};

/// A switch whose registers are words in memory, opened.
struct SwitchWords : Words {
  /// Of four ports, with these words besides or instead.
  explicit SwitchWords(std::map<std::uint32_t, std::uint32_t> registers = {}) {
    registers.merge(
        std::map<std::uint32_t, std::uint32_t>{{0, 0x4D530107}, {1, 0x04040204}, {2, 0x00402010}});
    words = std::move(registers);
    const muster_bus at = bus();
    REQUIRE(muster_switch_open(&sw, &at) == MUSTER_OK);
  }
  muster_switch sw{};
};

inline constexpr muster_group kGroup{5, 0b0011, 3, MUSTER_OPERATION_SUM, false};

}  // namespace muster::driven
