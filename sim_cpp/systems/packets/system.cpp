// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/record.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/systems/packets.hpp"
#include "systems/all.hpp"
#include "systems/golden_switches.hpp"
#include "systems/packets/checkers/worms.hpp"
#include "systems/packets/packet_schemes.hpp"

namespace muster::packets {

constinit const fabric::SwitchKind kMulticastSwitch = {
    .name = "multicast",
    .module = "muster_multicast_switch",
    .number = 2,
    .min_vcs = 2,
    .min_regs = 0,
    .max_regs = 0,
    .variants = fabric::kCountersAlone,
    .last_channel = fabric::LastChannel::kWorms,
    .golden =
        golden::by_ports<golden::narrow::multicast_switches, golden::wide::multicast_switches>,
    .sync_text = fabric::barrier_message_text};

constinit const fabric::SwitchKind kUnitSwitch = {
    .name = "unit",
    .module = "unit_switch",  // there is none
    .number = 7,
    .min_depth = fabric::kBarrierPacketFlits,
    .units = true,
    .golden = golden::by_ports<golden::narrow::unit_switches, golden::wide::unit_switches>,
    .sync_text = fabric::barrier_message_text};

void describe(run::Fields& f, Spec& s) {
  f.unlike(fmt::format("has no barrier units that send packets; use {}", kUnitScheme));
  f.number({"--unit-buffer", "buffer_messages"}, s.unit_buffer, 1, kMostUnitBuffer,
           "Scheme tree-units: room of each input queue, in messages");
  f.choice(
      "--unit", s.unit,
      {{"absorb", UnitTakes::kAlways}, {"wait", UnitTakes::kIdle}, {"hold", UnitTakes::kInOrder}},
      "Scheme tree-units: a unit takes messages at any time, none while it has one to send, or "
      "each when it is next in the order of combining");
}

namespace {

/// Of the schemes here only one has units.
class Options : public run::SpecOptions<Spec> {
 public:
  void apply(run::RunSpec& spec) const override {
    spec.scheme == kUnitScheme ? SpecOptions::apply(spec) : refuse(spec);
  }
};

class Packets final : public run::System {
 public:
  Packets()
      : System(
            {.name = "packets",
             .switch_kinds = {&kMulticastSwitch, &kUnitSwitch},
             .schemes = {{.name = "unicast",
                          .about = "packets from all nodes to the root node and back",
                          .plan = plan_unicast,
                          .survives_deaths = true},
                         {.name = "multicast",
                          .about = "packets to the root node; multicast switches copy the release",
                          .plan = plan_multicast},
                         {.name = "tree",
                          .about = "packets along a binomial tree of nodes",
                          .plan = plan_tree,
                          .centered = true,
                          .survives_deaths = true},
                         {.name = kUnitScheme,
                          .about = "packets along a tree of units in the switches (golden only)",
                          .plan = plan_units,
                          .centered = true},
                         {.name = "star",
                          .about = "unicast whose root node is the center, --center",
                          .plan = plan_star,
                          .centered = true,
                          .survives_deaths = true}}}) {}

  std::unique_ptr<run::SystemOptions> options() const override {
    return std::make_unique<Options>();
  }
  void check(const run::RunSpec& spec, const run::SchemeFactory& scheme) const override {
    if (run::find_own<Spec>(spec) != nullptr && scheme.name != kUnitScheme)
      throw InputError("packets::Spec: scheme '{}' has no barrier units that send packets",
                       scheme.name);
    run::check_fields(run::own<Spec>(spec));
  }
  void report(const run::RunSpec& spec, const run::RunResult&, run::Report& out) const override {
    const auto own = run::own_or_default<Spec>(spec);
    out.parameters.only(spec.scheme == kUnitScheme)
        .add("units", "barrier units in the switches, only with scheme tree-units",
             [&](core::Record& units) {
               run::put_fields(own, units);
               units.add("waits", "a unit accepts no message while it has one to send",
                         own.unit == UnitTakes::kIdle);
               units.add("holds", "a unit accepts messages in the order of combining",
                         own.unit == UnitTakes::kInOrder);
             });
  }
  void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups) const override {
    using checkers::Concern, checkers::PacketKind;
    const auto* const own = core::as<const checkers::PacketTrees>(&groups);
    // Before the checkers of barriers, which rely on whole worms.
    list.add(std::make_unique<checkers::Worms>(list.subject(), list.bounds().packet),
             Concern::kOtherPackets);
    const auto add = [&](PacketKind kind, bool applies) {
      const bool here = own != nullptr && own->kind == kind;
      list.add(std::make_unique<checkers::PacketBarriers>(
                   list.subject(), kind, here ? own->groups : std::vector<checkers::PacketTree>{},
                   list.bounds().packet),
               Concern::kBarrierPackets, applies);
    };
    const bool trees = own != nullptr && own->kind == PacketKind::kTrees;
    add(PacketKind::kStars, !trees);
    if (list.subject().units) add(PacketKind::kUnits, true);
    add(PacketKind::kTrees, trees);
  }
  std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                       const fabric::Formats& formats) const override {
    using Kind = run::SeenMessage::Kind;
    const std::uint8_t opcode = fabric::Formats::opcode(flits.front());
    if (flits.front().sync() ||
        !(fabric::is_barrier_opcode(opcode) || fabric::is_unit_opcode(opcode)))
      return std::nullopt;
    const bool up = opcode == fabric::kOpcodeArrival || opcode == fabric::kOpcodeUnitArrival;
    const bool ack = opcode == fabric::kOpcodeAck || opcode == fabric::kOpcodeUnitAck;
    return run::SeenMessage{up    ? Kind::kUp
                            : ack ? Kind::kAck
                                  : Kind::kDown,
                            formats.barrier_of(flits.back()).gid};
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<Packets>(); }

}  // namespace muster::packets
