// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/core/error.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/run/spec.hpp"
#include "muster/run/system.hpp"
#include "muster/run/watcher.hpp"
#include "muster/systems/nic.hpp"
#include "muster/topology/graph.hpp"
#include "systems/nic/checkers/nic_barriers.hpp"
#include "systems/nic/golden/nic_engine.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_factory.hpp"
#include "systems/nic/nic_plan.hpp"
#include "systems/nic/nic_ports.hpp"
#include "systems/nic/nic_registers.hpp"

namespace muster::nic {

/// The options of NIC barriers and of faults of their packets, as typed.
class Options : public run::SystemOptions {
 public:
  void add(run::OptionList& options) override;
  void apply(run::RunSpec& spec) const override;
  void refuse(const run::RunSpec& spec) const override;

 private:
  /// The options with values. Throws InputError for one that needs another.
  std::vector<const char*> typed() const;

  std::string level_;
  std::optional<std::uint32_t> degree_, host_step_, data_passes_, timeout_, retries_;
  std::optional<std::uint32_t> longest_delay_, bus_, pass_;
  std::optional<double> drop_, duplicate_, delay_, reorder_, corrupt_;
  bool chained_ = false;
};

namespace {

/// The profile with other cycles for a crossing of the host bus.
run::Profile with_crossing(run::Profile profile, std::uint32_t cycles) {
  profile.send = profile.receive = profile.bus = cycles;
  return profile;
}

/// The profile with other cycles for a pass through a queue of the NIC, also by a message that a
/// doorbell starts if it passes one in the profile.
run::Profile with_pass(run::Profile profile, std::uint32_t cycles) {
  if (profile.interface_launch != 0) profile.interface_launch = cycles;
  profile.interface_pass = cycles;
  return profile;
}

// Cycles; from the fitted equations at N = 2 and 4, see docs/systems/nic-figures.md.
constexpr std::uint32_t kXpBus = 442, kXpPass = 384, kElanBus = 52, kElanPass = 107;

run::Profile lanai_xp() {
  const run::Profile profile{.name = "lanai-xp",
                             .clock_ns = 1000.0 / 225.0,
                             .interface_pass = kXpPass,
                             .interface_launch = kXpPass};
  return with_crossing(profile, kXpBus);
}

/// The firmware's cycles and the time of a crossing are those of lanai-xp: no small point is
/// printed.
run::Profile lanai9() {
  const run::Profile xp = lanai_xp();
  run::Profile profile = xp;
  profile.name = "lanai9";
  profile.clock_ns = 1000.0 / 133.0;
  return with_crossing(
      profile, static_cast<std::uint32_t>(std::lround(xp.bus * xp.clock_ns / profile.clock_ns)));
}

/// A descriptor that a doorbell starts waits for no event.
run::Profile elan3() {
  return with_crossing({.name = "elan3", .clock_ns = 10.0, .interface_pass = kElanPass}, kElanBus);
}

}  // namespace

void Options::add(run::OptionList& options) {
  options.choice("--nic", level_, {"rdma", "host", "direct", "collective"},
                 "NIC barriers: the host walks the step list, by remote writes (rdma) or messages "
                 "(host), or the NIC does, through its point-to-point path (direct) or without it "
                 "(collective); default collective");
  options.number("--degree", degree_,
                 "NIC barriers: degree of gather-broadcast's tree, default 4; radix of "
                 "dissemination, default 2",
                 1, 32);
  options.flag("--chained", chained_,
               "NIC barriers: remote writes count events, which fire descriptors, as on Quadrics");
  options.number("--host-step", host_step_,
                 "NIC barriers walked by hosts: cycles of the program before each of its sends", 0,
                 1000000);
  options.number("--data-passes", data_passes_,
                 "NIC barriers, point-to-point path: queues that a DATA message passes; default 6",
                 2, 6);
  options.number("--bus-cycles", bus_,
                 "NIC barriers: cycles of a crossing of the host bus; default that of the profile",
                 0, 1000000);
  options.number("--pass-cycles", pass_,
                 "NIC barriers: cycles of a pass through a queue of the NIC; default that of the "
                 "profile",
                 0, 1000000);
  options.number("--timeout", timeout_,
                 "NIC barriers: cycles before a NACK or a repetition, 0 for never; default derived "
                 "from network and profile",
                 0, 65535);
  options.number(
      "--retries", retries_,
      "NIC barriers: timeouts without an answer before a peer is declared dead; default 15", 0, 15);
  options.real("--drop", drop_, "Fault: share of NIC packets that are lost");
  options.real("--duplicate", duplicate_, "Fault: share of NIC packets that are duplicated");
  options.real("--delay", delay_,
               "Fault: share of NIC packets that are delayed, with those behind them");
  options.real("--reorder", reorder_, "Fault: share of NIC packets that are reordered");
  options.real("--corrupt", corrupt_, "Fault: share of NIC packets with 1 to 3 bits flipped");
  options.number("--longest-delay", longest_delay_,
                 "Fault: longest delay of --delay and --reorder, in cycles; default 1000", 1,
                 1000000);
}

std::vector<const char*> Options::typed() const {
  if (longest_delay_ && !delay_ && !reorder_)
    throw InputError("--longest-delay: needs --delay or --reorder");
  std::vector<const char*> typed;
  for (const auto& [name, given] :
       {std::pair{"--bus-cycles", bus_.has_value()}, std::pair{"--pass-cycles", pass_.has_value()},
        std::pair{"--nic", !level_.empty()}, std::pair{"--degree", degree_.has_value()},
        std::pair{"--chained", chained_}, std::pair{"--host-step", host_step_.has_value()},
        std::pair{"--data-passes", data_passes_.has_value()},
        std::pair{"--timeout", timeout_.has_value()}, std::pair{"--retries", retries_.has_value()},
        std::pair{"--drop", drop_.has_value()}, std::pair{"--duplicate", duplicate_.has_value()},
        std::pair{"--delay", delay_.has_value()}, std::pair{"--reorder", reorder_.has_value()},
        std::pair{"--corrupt", corrupt_.has_value()}})
    if (given) typed.push_back(name);
  return typed;
}

void Options::refuse(const run::RunSpec& spec) const {
  if (const auto names = typed(); !names.empty())
    throw InputError(fmt::format("{}: scheme '{}' has no NICs", names.front(), spec.scheme));
}

void Options::apply(run::RunSpec& spec) const {
  const bool faults = drop_ || duplicate_ || delay_ || reorder_ || corrupt_;
  const std::size_t options = typed().size();
  if (bus_) spec.profile = with_crossing(spec.profile, *bus_);
  if (pass_) spec.profile = with_pass(spec.profile, *pass_);
  if (options == std::size_t{bus_.has_value()} + std::size_t{pass_.has_value()}) return;
  auto& nic = run::own<NicSpec>(spec);
  if (level_ == "host") nic.level = NicLevel::kHost;
  if (level_ == "direct") nic.level = NicLevel::kDirect;
  if (level_ == "rdma") nic.level = NicLevel::kRdma;
  nic.host_step = host_step_.value_or(nic.host_step);
  nic.data_passes = data_passes_.value_or(nic.data_passes);
  nic.degree = degree_;
  if (chained_) nic.form = ListForm::kChained;
  nic.timeout = timeout_;
  if (timeout_ == 0u && point_to_point(nic.level))
    throw InputError(
        "--timeout 0: a message that is dropped for lack of room would never be repeated; it needs "
        "--nic collective");
  nic.retries = retries_.value_or(nic.retries);
  if (faults) {
    nic.faults = FaultRates{drop_.value_or(0.0), duplicate_.value_or(0.0), delay_.value_or(0.0),
                            reorder_.value_or(0.0), corrupt_.value_or(0.0)};
    nic.faults->longest_delay = longest_delay_.value_or(nic.faults->longest_delay);
    validate(*nic.faults);
    if (timeout_ == 0u && (drop_ || corrupt_))
      throw InputError("--timeout 0: lost packets would never be requested again");
  }
}

namespace {

namespace regs = registers;

using run::Json;

template <StepAlgorithm algorithm>
std::unique_ptr<run::SchemePlan> plan(const run::ResolvedRun& run) {
  return std::make_unique<NicPlan>(run, algorithm);
}

const char* level_name(NicLevel level) {
  if (level == NicLevel::kRdma) return "rdma";
  if (level == NicLevel::kHost) return "host";
  return level == NicLevel::kDirect ? "direct" : "collective";
}

Json parameters(const run::RunSpec& spec, const NicCost& cost) {
  const NicSpec n = run::own<NicSpec>(spec);
  Json faults;
  if (n.faults)
    faults = {{"drop", n.faults->drop},       {"duplicate", n.faults->duplicate},
              {"delay", n.faults->delay},     {"reorder", n.faults->reorder},
              {"corrupt", n.faults->corrupt}, {"longest_delay_cycles", n.faults->longest_delay}};
  return {{"level", level_name(n.level)},
          {"degree", n.degree ? Json(*n.degree) : Json(nullptr)},
          {"chained", n.form == ListForm::kChained},
          {"timeout_cycles", cost.timeout},
          {"retries", n.retries},
          {"nack_gap_cycles", n.gap},
          {"host_step_cycles", n.host_step},
          {"data_passes", n.data_passes},
          {"launch_pass_cycles", spec.profile.interface_launch},
          {"faults", std::move(faults)}};
}

Json cost_json(const NicCost& c) {
  return {{"steps_sent", c.steps},
          {"nacks_sent", c.nacks},
          {"not_yets_sent", c.not_yets},
          {"acks_sent", c.acks},
          {"data_sent", c.data},
          {"messages_planned", c.messages_planned},
          {"bus_crossings", {{"doorbells", c.doorbells}, {"events", c.events}}},
          {"messages_dropped",
           {{"malformed", c.malformed},
            {"unknown", c.unknown},
            {"stale", c.stale},
            {"limited", c.limited}}},
          {"faults",
           {{"packets", c.faults.packets},
            {"dropped", c.faults.dropped},
            {"duplicated", c.faults.duplicated},
            {"delayed", c.faults.delayed},
            {"reordered", c.faults.reordered},
            {"corrupted", c.faults.corrupted}}}};
}

class Nic final : public run::System {
 public:
  std::string_view name() const override { return "nic"; }
  void add_golden_makers(fabric::BlockMakers& makers) const override {
    makers.add(golden::make_golden_nics());
  }
  void share_makers(const std::shared_ptr<const fabric::BankFactory>& engine,
                    const fabric::Sharing& sharing, fabric::BlockMakers& makers) const override {
    if (nics_of(*engine) != nullptr)
      makers.add<NicFactory>(std::make_shared<SharedNics>(engine, sharing));
  }
  std::vector<run::SchemeFactory> schemes() const override {
    return {scheme("nic-dissemination", plan<StepAlgorithm::kDissemination>),
            scheme("nic-pairwise", plan<StepAlgorithm::kPairwise>),
            scheme("nic-gather", plan<StepAlgorithm::kGatherBroadcast>),
            {.name = kBroadcastScheme, .plan = plan_broadcast}};
  }
  /// The NICs of the paper (section 8; docs/systems/nic-figures.md has the derivation). A step of a
  /// collective barrier passes two queues, so a trigger takes two passes and the RTL's own cycles;
  /// a barrier of two nodes takes what its host-launched message does, a doorbell and an event.
  /// Messages of schemes without a NIC cross the bus between host and link.
  std::vector<run::Profile> profiles() const override { return {lanai9(), lanai_xp(), elan3()}; }
  std::unique_ptr<run::SystemOptions> options() const override {
    return std::make_unique<Options>();
  }
  void parameters_json(const run::RunSpec& spec, const run::RunResult& result,
                       const run::SchemeFactory&, Json& out) const override {
    const NicCost* cost = run::find_own<NicCost>(result);
    out["nic"] = cost != nullptr ? parameters(spec, *cost) : Json(nullptr);
    out["profile"]["nic_pass_cycles"] = spec.profile.interface_pass;
  }
  void result_json(const run::RunSpec&, const run::RunResult& result, Json& out) const override {
    const NicCost* cost = run::find_own<NicCost>(result);
    out["nic"] = cost != nullptr ? cost_json(*cost) : Json(nullptr);
  }
  std::string result_text(const run::RunSpec&, const run::RunResult& result) const override {
    const NicCost* cost = run::find_own<NicCost>(result);
    if (cost == nullptr) return {};
    std::string text = fmt::format(
        "nic          {} steps, {} nacks, {} not-yets, {} data, {} acks; {} doorbells, {} events; "
        "timeout {} cycles\n",
        cost->steps, cost->nacks, cost->not_yets, cost->data, cost->acks, cost->doorbells,
        cost->events, cost->timeout);
    if (const FaultCounts& f = cost->faults; f.packets != 0)
      text += fmt::format(
          "faults       of {} packets {} dropped, {} duplicated, {} delayed, {} reordered, {} "
          "corrupted\n",
          f.packets, f.dropped, f.duplicated, f.delayed, f.reordered, f.corrupted);
    return text;
  }
  void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups) const override {
    nic::add_checkers(list, groups);
  }
  std::string packet_text(std::span<const core::Flit> flits) const override {
    if (fabric::Formats::opcode(flits.front()) != fabric::kOpcodeDevice) return {};
    const auto m = nic_message(flits);
    if (!m) return "not a NIC message: length, CRC or type";
    return fmt::format("{} from {} to {}, slot {}, group {}, barrier {}, packet {}",
                       kNicTypeNames[static_cast<unsigned>(m->type)], m->source, m->destination,
                       m->slot, m->group, m->barrier, m->packet);
  }
  std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                       const fabric::Formats&) const override {
    using Kind = run::SeenMessage::Kind;
    if (flits.front().sync() || fabric::Formats::opcode(flits.front()) != fabric::kOpcodeDevice)
      return std::nullopt;
    const std::optional<NicMessage> message = nic_message(flits);
    if (!message) return std::nullopt;
    switch (message->type) {
      case NicType::kStep:
        return run::SeenMessage{Kind::kStep, message->group};
      case NicType::kNack:
      case NicType::kNotYet:
        return run::SeenMessage{Kind::kRetry, message->group};
      case NicType::kAck:
        return run::SeenMessage{Kind::kAck, message->group};
      case NicType::kData:
        return run::SeenMessage{Kind::kDown, message->group};
    }
    return std::nullopt;
  }
  void contexts(core::Bank& devices, topology::NodeId node,
                std::vector<run::NodeContext>& out) const override {
    using Context = run::NodeContext;
    const std::uint32_t sizes = devices.read_register(node, regs::kSizes);
    const bool events = regs::kSizesChained.of(sizes) != 0;
    for (std::uint32_t c = 0; c < regs::kSizesContexts.of(sizes); ++c) {
      const std::uint32_t control = devices.read_register(node, regs::control(c));
      if (regs::kContextsControlValid.of(control) == 0) continue;
      std::uint32_t flags = Context::kValid | (events ? Context::kEvents : 0);
      if (regs::kContextsControlDirect.of(control) != 0) flags |= Context::kDirect;
      out.push_back({.place = c,
                     .gid = regs::kContextsControlGid.of(control),
                     .flags = static_cast<std::uint16_t>(flags),
                     .phase = static_cast<Context::Phase>(regs::kContextsControlPhase.of(control)),
                     .number = regs::kContextsControlSeq.of(control),
                     .entry = regs::kContextsControlPc.of(control),
                     .received = devices.read_register(node, regs::received(c)),
                     .sent = devices.read_register(node, regs::sent(c))});
    }
  }

 private:
  static run::SchemeFactory scheme(const char* name, decltype(run::SchemeFactory::plan) plan) {
    return {.name = name, .plan = plan, .survives_deaths = true, .waves_of_nodes = true};
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<Nic>(); }

}  // namespace muster::nic
