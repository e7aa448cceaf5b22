// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/system.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "muster/core/error.hpp"
#include "muster/fabric/formats.hpp"
#include "systems/nic/blocks/nic_message.hpp"
#include "systems/nic/blocks/shared_nics.hpp"
#include "systems/nic/checkers/add_checkers.hpp"
#include "systems/nic/golden/golden_nics.hpp"
#include "systems/nic/options.hpp"
#include "systems/nic/profiles.hpp"
#include "systems/nic/scheme/broadcast_plan.hpp"
#include "systems/nic/scheme/nic_plan.hpp"
#include "systems/nic/scheme/watched.hpp"

namespace muster::nic {

namespace {

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
  const NicSpec n = spec.parts.get<NicSpec>();
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

std::string packet_text(std::span<const core::Flit> flits) {
  static constexpr const char* kTypes[] = {"STEP", "NACK", "NOT-YET", "ACK", "DATA"};
  if (fabric::Formats::opcode(flits.front()) != fabric::kOpcodeDevice) return {};
  const auto m = nic_message(flits);
  if (!m) return "not a NIC message: length, CRC or type";
  return fmt::format("{} from {} to {}, slot {}, group {}, barrier {}, packet {}",
                     kTypes[static_cast<unsigned>(m->type)], m->source, m->destination, m->slot,
                     m->group, m->barrier, m->packet);
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
            {.name = kBroadcastScheme, .plan = [](const run::ResolvedRun& run) {
               return std::unique_ptr<run::SchemePlan>(std::make_unique<BroadcastPlan>(run));
             }}};
  }
  std::vector<run::Profile> profiles() const override { return paper_profiles(); }
  std::unique_ptr<run::SystemOptions> options() const override {
    return std::make_unique<Options>();
  }
  void check(const run::RunSpec& spec, const run::SchemeFactory& scheme, bool own) const override {
    if (spec.parts.find<NicSpec>() != nullptr && !own)
      throw InputError(fmt::format("nic::NicSpec: scheme '{}' has no NICs", scheme.name));
  }
  void parameters_json(const run::RunSpec& spec, const run::RunResult& result,
                       const run::SchemeFactory&, Json& out) const override {
    const NicCost* cost = result.parts.find<NicCost>();
    out["nic"] = cost != nullptr ? parameters(spec, *cost) : Json(nullptr);
    out["profile"]["nic_pass_cycles"] = spec.profile.interface_pass;
  }
  void result_json(const run::RunSpec&, const run::RunResult& result, Json& out) const override {
    const NicCost* cost = result.parts.find<NicCost>();
    out["nic"] = cost != nullptr ? cost_json(*cost) : Json(nullptr);
  }
  std::string result_text(const run::RunSpec&, const run::RunResult& result) const override {
    const NicCost* cost = result.parts.find<NicCost>();
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
  void add_checkers(checkers::CheckerList& list, const core::Parts& groups) const override {
    nic::add_checkers(list, groups);
  }
  std::string packet_text(std::span<const core::Flit> flits) const override {
    return nic::packet_text(flits);
  }
  std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                       const fabric::Formats& formats) const override {
    return nic::seen(flits, formats);
  }
  void contexts(core::Bank& devices, topology::NodeId node,
                std::vector<run::NodeContext>& out) const override {
    add_contexts(devices, node, out);
  }

 private:
  static run::SchemeFactory scheme(const char* name, decltype(run::SchemeFactory::plan) plan) {
    return {.name = name, .plan = plan, .bears_deaths = true, .waves_of_nodes = true};
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<Nic>(); }

}  // namespace muster::nic
