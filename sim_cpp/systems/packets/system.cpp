// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/system.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "muster/core/error.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/run/system.hpp"
#include "muster/run/watcher.hpp"
#include "muster/systems/packets.hpp"
#include "systems/packets/checkers/worms.hpp"
#include "systems/packets/packet_schemes.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::packets {

/// The options of switches with a barrier unit, as typed.
class Options : public run::SystemOptions {
 public:
  void add(run::OptionList& options) override;
  void apply(run::RunSpec& spec) const override;
  void refuse(const run::RunSpec& spec) const override;

 private:
  std::string unit_;
  std::optional<std::uint32_t> buffer_;
};

void Options::add(run::OptionList& options) {
  options.number("--unit-buffer", buffer_,
                 "Scheme tree-units: room of each input queue, in messages; default 1", 1,
                 kMostUnitBuffer);
  options.choice("--unit", unit_, {"absorb", "wait"},
                 "Scheme tree-units: a unit takes messages at any time (default), or none while it "
                 "has one to send");
}

void Options::refuse(const run::RunSpec& spec) const {
  const char* const typed = buffer_ ? "--unit-buffer" : !unit_.empty() ? "--unit" : nullptr;
  if (typed != nullptr)
    throw InputError(fmt::format("{}: scheme '{}' has no barrier units that send packets; use {}",
                                 typed, spec.scheme, kUnitScheme));
}

void Options::apply(run::RunSpec& spec) const {
  if (spec.scheme != kUnitScheme) return refuse(spec);
  Spec& own = run::own<Spec>(spec);
  own.unit_buffer = buffer_.value_or(own.unit_buffer);
  own.unit_waits = unit_ == "wait";
}

namespace {

class Packets final : public run::System {
 public:
  std::string_view name() const override { return "packets"; }
  std::vector<const fabric::SwitchKind*> switch_kinds() const override {
    return {&kMulticastSwitch, &kUnitSwitch};
  }
  std::vector<run::SchemeFactory> schemes() const override {
    return {{.name = "unicast", .plan = plan_unicast, .survives_deaths = true},
            {.name = "multicast", .plan = plan_multicast},
            {.name = "tree", .plan = plan_tree, .centered = true, .survives_deaths = true},
            {.name = kUnitScheme, .plan = plan_units, .centered = true},
            {.name = "star", .plan = plan_star, .centered = true, .survives_deaths = true}};
  }
  std::unique_ptr<run::SystemOptions> options() const override {
    return std::make_unique<Options>();
  }
  void check(const run::RunSpec& spec, const run::SchemeFactory& scheme) const override {
    if (run::find_own<Spec>(spec) != nullptr && scheme.name != kUnitScheme)
      throw InputError(fmt::format(
          "packets::Spec: scheme '{}' has no barrier units that send packets", scheme.name));
  }
  void parameters_json(const run::RunSpec& spec, const run::RunResult&,
                       const run::SchemeFactory& scheme, run::Json& out) const override {
    if (scheme.name != kUnitScheme) return;
    const Spec& choice = run::own<Spec>(spec);
    out["units"] = {{"buffer_messages", choice.unit_buffer}, {"waits", choice.unit_waits}};
  }
  void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups) const override {
    packets::add_checkers(list, groups);
  }
  std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                       const fabric::Formats& formats) const override {
    using Kind = run::SeenMessage::Kind;
    if (flits.front().sync()) return std::nullopt;
    const auto message = [&](Kind kind) {
      return run::SeenMessage{kind, formats.barrier_of(flits.back()).gid};
    };
    switch (fabric::Formats::opcode(flits.front())) {
      case fabric::kOpcodeArrival:
      case fabric::kOpcodeUnitArrival:
        return message(Kind::kUp);
      case fabric::kOpcodeRelease:
      case fabric::kOpcodeWorm:
      case fabric::kOpcodeUnitRelease:
        return message(Kind::kDown);
      case fabric::kOpcodeAck:
      case fabric::kOpcodeUnitAck:
        return message(Kind::kAck);
      default:
        return std::nullopt;
    }
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<Packets>(); }

}  // namespace muster::packets
