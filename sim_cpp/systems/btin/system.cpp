// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "muster/fabric/checkers/link_checker.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/command.hpp"
#include "muster/run/run.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/result_parts.hpp"
#include "systems/all.hpp"
#include "systems/btin/checkers/barrier_safety.hpp"
#include "systems/btin/checkers/retry_safety.hpp"
#include "systems/btin/checkers/spill_messages.hpp"
#include "systems/btin/scheme/btin_plan.hpp"
#include "systems/btin/scheme/tree_traffic.hpp"
#include "systems/btin/tree.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::btin {

namespace {

/// `btin`, BTIN section 5.1: a message takes t_s + d t_p + (d + 1) t_r over d links, d - 1 switches
/// and two network interfaces. A hop of the RTL, 3 cycles over a link of one, is part of t_p + t_r;
/// the pipe in each of the d channels makes up the rest of it. The sending host has t_s and the
/// interface's t_r, less the cycle into the node's output register; the receiving one what t_p and
/// t_r leave over for the last link, behind which there is no switch.
///
/// `btin-occupied` is the same with a case that section 5.1 leaves open: how soon an input of a
/// switch takes the next header. There it has to pass the one before on first, which takes
/// t_r + t_p. Inputs of nodes are free.
std::vector<run::Profile> paper_profiles() {
  constexpr std::uint32_t kClockNs = 10;
  constexpr std::uint32_t kHop = 2;  // of a barrier message, cycles
  const BtinDelays delays;
  const auto cycles = [](std::uint64_t ns) { return static_cast<std::uint32_t>(ns / kClockNs); };
  const std::uint32_t hop = cycles(delays.link_ns + delays.router_ns);
  const run::Profile free{.name = "btin",
                          .clock_ns = kClockNs,
                          .pipe = hop - kHop,
                          .send = cycles(delays.startup_ns + delays.router_ns) - 1,
                          .receive = kHop};
  run::Profile occupied = free;
  occupied.name = "btin-occupied";
  occupied.occupancy = hop;
  return {free, occupied};
}

/// Adds the checkers of barriers along trees and of spill.
void add_checkers(checkers::CheckerList& list, const Checked& trees, bool applies) {
  using checkers::Concern;
  if (trees.repeated) {
    list.add(std::make_unique<checkers::RetrySafety>(list.subject(), trees.groups),
             Concern::kBarrierMessages, applies);
    return;
  }
  auto& barriers =
      list.add(std::make_unique<checkers::BarrierSafety>(list.subject(), trees.groups, trees.spill),
               Concern::kBarrierMessages, applies);
  list.watch(barriers);
  list.add(std::make_unique<checkers::SpillMessages>(list.subject(), trees.spill),
           Concern::kBarrierMessages, applies);
}

using run::Json;

/// Field `retries` of a result.
Json retries_to_json(const RetryCounts& counts) {
  return {{"messages", counts.messages},
          {"repeated", counts.repeated},
          {"dropped", counts.dropped},
          {"duplicated", counts.duplicated},
          {"inquiries", counts.inquiries}};
}

/// Its line of a run's summary; empty without registers that repeat.
std::string retries_text(const Result& result) {
  if (!result.retries) return {};
  const RetryCounts& counts = *result.retries;
  return fmt::format(
      "retries      {} barrier messages on links, {} of them repeated; {} lost, {} duplicated{}\n",
      counts.messages, counts.repeated, counts.dropped, counts.duplicated,
      counts.inquiries != 0 ? fmt::format("; {} queries for missing members", counts.inquiries)
                            : "");
}

Json request(const run::RunSpec& spec, const RequestResult& r) {
  return {{"group", spec.groups[r.request.group].name},
          {"node", topology::node_name(*spec.graph, r.request.node)},
          {"wish", r.request.join ? "join" : "leave"},
          {"barrier", r.request.barrier},
          {"first_barrier", run::or_null(r.first_barrier)},
          {"refused", r.refused.empty() ? Json(nullptr) : Json(r.refused)}};
}

Json change(const run::RunSpec& spec, const ChangeResult& c) {
  const ChangeRecord& r = c.record;
  const auto names = [&](const std::vector<topology::NodeId>& nodes) {
    return run::list_of(nodes,
                        [&](topology::NodeId n) { return topology::node_name(*spec.graph, n); });
  };
  const auto since = [&](std::uint64_t cycle) { return cycle - r.decided; };
  return {
      {"group", spec.groups[r.gid].name},
      {"joined", names(r.joined)},
      {"left", names(r.left)},
      {"dead_link", r.link},
      {"refused", c.refused.empty() ? Json(nullptr) : Json(c.refused)},
      {"first_barrier", r.first_barrier},
      {"registers",
       {{"added", r.added}, {"rewritten", r.rewritten}, {"freed", r.freed}, {"kept", r.kept}}},
      {"messages", r.messages},
      {"register_requests", r.requests},
      {"decided_in_cycle", r.decided},
      {"confirmed_cycles", since(r.finished)},
      {"first_barrier_cycles", c.first_release ? Json(since(*c.first_release)) : Json(nullptr)}};
}

/// `changes`: membership requests, changes of groups, dead links.
Json changes_to_json(const run::RunSpec& spec, const Result& result,
                     std::span<const run::LinkResult> links) {
  return {{"wishes",
           run::list_of(result.requests, [&](const RequestResult& r) { return request(spec, r); })},
          {"groups",
           run::list_of(result.changes, [&](const ChangeResult& c) { return change(spec, c); })},
          {"links", run::links_to_json(links)}};
}

/// `setup`: times of groups set up in band.
Json setup_to_json(const run::RunSpec& spec, const Result& result) {
  Json groups = Json::array();
  for (std::size_t g = 0; g < result.times.size(); ++g)
    groups.push_back({{"group", spec.groups[g].name},
                      {"creation_cycles", result.times[g].creation_cycles},
                      {"release_cycles", result.times[g].release_cycles}});
  Json out{{"groups", std::move(groups)}, {"repeated_requests", result.repeated_requests}};
  if (run::own<Spec>(spec).setup_drop != 0.0) {
    out["repeated_messages"] = result.repeated_messages;
    out["lost_packets"] = result.lost_packets;
  }
  return out;
}

/// `spill`. REQUIRES: `result.spill` is set.
Json spill_to_json(const run::RunSpec& spec, const Result& result) {
  const SpillCost& cost = *result.spill;
  Json groups = Json::array();
  for (std::size_t g = 0; g < spec.groups.size(); ++g) {
    const std::vector<topology::SwitchId> switches = result.spilled_switches(g);
    if (!switches.empty())
      groups.push_back({{"group", spec.groups[g].name}, {"switches", switches}});
  }
  const auto move = [&](const ChangeResult& m) -> Json {
    return {{"group", spec.groups[m.record.gid].name},
            {"switch", m.record.move->sw},
            {"to", m.record.move->to_memory ? "memory" : "register"},
            {"first_barrier", m.record.first_barrier},
            {"messages", m.record.messages},
            {"register_requests", m.record.requests},
            {"decided_in_cycle", m.record.decided},
            {"confirmed_cycles", m.record.finished - m.record.decided}};
  };
  const auto latency = [](std::uint64_t barriers, double mean) {
    return Json{{"barriers", barriers}, {"mean", barriers != 0 ? Json(mean) : Json(nullptr)}};
  };
  Json out{{"groups", std::move(groups)},
           {"messages_handed_over", cost.handed_over},
           {"messages_answered", cost.answered},
           {"messages_dropped", cost.dropped},
           {"latency_spilled_cycles", latency(cost.spilled_barriers, cost.spilled_latency_mean)},
           {"latency_others_cycles", latency(cost.other_barriers, cost.other_latency_mean)}};
  if (run::own<Spec>(spec).evict_after != 0) {
    out["moves"] = run::list_of(result.moves, move);
    out["moves_refused"] = result.moves_refused;
  }
  return out;
}

constexpr std::size_t kMaxNames = 8;  ///< groups listed for each switch

/// How often groups have moved between register and memory.
std::string moves_text(const run::RunSpec& spec, const Result& result) {
  if (run::own<Spec>(spec).evict_after == 0) return {};
  const auto out = std::count_if(result.moves.begin(), result.moves.end(),
                                 [](const ChangeResult& m) { return m.record.move->to_memory; });
  return fmt::format("moves        {} out of registers, {} back, {} refused\n", out,
                     static_cast<std::ptrdiff_t>(result.moves.size()) - out, result.moves_refused);
}

/// Which groups were spilled, by switch, and what it cost.
std::string spill_text(const run::RunSpec& spec, const Result& result) {
  const SpillCost& cost = *result.spill;
  std::map<topology::SwitchId, std::vector<std::string>> at;
  for (const RegisterSlot& r : result.registers)
    if (r.spilled)
      at[r.image.sw].push_back(fmt::format("{} ({})", r.group, spec.groups[r.group].name));
  if (at.empty()) return "spill        no group: all have registers\n";
  std::string text;
  for (auto& [sw, names] : at) {
    const std::size_t more = names.size() - std::min(names.size(), kMaxNames);
    names.resize(names.size() - more);
    text += fmt::format("spill        {}: groups {}{}\n", topology::switch_text(*spec.graph, sw),
                        fmt::join(names, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
  }
  const auto mean = [](std::uint64_t barriers, double latency) {
    return barriers == 0 ? "none" : fmt::format("{} of {:.1f} cycles", barriers, latency);
  };
  return text + fmt::format(
                    "spill        {} messages passed to nodes, {} answered, {} dropped; barriers "
                    "of spilled groups: {}, of others: {}\n",
                    cost.handed_over, cost.answered, cost.dropped,
                    mean(cost.spilled_barriers, cost.spilled_latency_mean),
                    mean(cost.other_barriers, cost.other_latency_mean));
}

std::string changes_text(const run::RunSpec& spec, const Result& result) {
  std::string text;
  for (const RequestResult& r : result.requests)
    if (!r.refused.empty())
      text += fmt::format("refused      n{} {} group {}: {}\n", r.request.node,
                          r.request.join ? "does not join" : "does not leave",
                          spec.groups[r.request.group].name, r.refused);
  for (const ChangeResult& c : result.changes) {
    const ChangeRecord& r = c.record;
    if (!c.refused.empty()) continue;
    text += fmt::format(
        "change       group {} before barrier {}: {} joined, {} left{}; registers {} added, {} "
        "rewritten, {} freed, {} kept; {} messages, confirmed in {} cycles\n",
        spec.groups[r.gid].name, r.first_barrier, r.joined.size(), r.left.size(),
        r.link ? ", away from a dead link" : "", r.added, r.rewritten, r.freed, r.kept, r.messages,
        r.finished - r.decided);
  }
  return text;
}

/// The lines of a run's summary about groups: set-up, spill, changes and dead links.
std::string groups_text(const run::RunSpec& spec, const Result& result) {
  std::string text;
  for (std::size_t g = 0; g < result.times.size(); ++g)
    text += fmt::format("set-up       group {}: created in {} cycles, released in {}\n",
                        spec.groups[g].name, result.times[g].creation_cycles,
                        result.times[g].release_cycles);
  if (run::own<Spec>(spec).setup_drop != 0.0)
    text += fmt::format("set-up       {} packets lost; {} messages and {} requests repeated\n",
                        result.lost_packets, result.repeated_messages, result.repeated_requests);
  if (result.spill) text += spill_text(spec, result) + moves_text(spec, result);
  return text + changes_text(spec, result);
}

/// Of a run of any system, whose fields say that it has no groups in switches.
template <class T, class Whole>
T own_or_default(const Whole& whole) {
  const T* const own = run::find_own<T>(whole);
  return own == nullptr ? T{} : *own;
}

std::unique_ptr<run::SchemePlan> plan(const run::ResolvedRun& run) {
  return std::make_unique<BtinPlan>(run);
}

class Btin final : public run::System {
 public:
  Btin()
      : System({.name = "btin",
                .switch_kinds = {&kBarrierSwitch},
                .schemes = {{.name = "btin",
                             .plan = plan,
                             .reroutes_dead_links = true,
                             .survives_deaths = true}},
                .profiles = paper_profiles()}) {}

  std::unique_ptr<run::SystemOptions> options() const override {
    return std::make_unique<Options>();
  }
  std::vector<std::unique_ptr<run::Command>> commands() const override {
    std::vector<std::unique_ptr<run::Command>> commands;
    commands.push_back(tree_command());
    return commands;
  }
  void check(const run::RunSpec& spec, const run::SchemeFactory& scheme) const override {
    check_spec(spec, scheme);
  }
  void report(const run::RunSpec& spec, const run::RunResult& result,
              run::Report& out) const override {
    const Spec choice = own_or_default<Spec>(spec);
    const Result own = own_or_default<Result>(result);
    run::put_fields(choice, out.parameters);
    const bool rooted = std::ranges::any_of(
        spec.groups, [](const run::RunGroup& group) { return group.members.size() > 1; });
    if (choice.root && rooted) out.parameters["root"] = *choice.root;
    if (choice.retry) run::put_fields(choice.retries, out.parameters["retry"]);
    out.result["setup"] = choice.in_band ? setup_to_json(spec, own) : Json(nullptr);
    if (own.retries) out.result["retries"] = retries_to_json(*own.retries);
    out.result["spill"] = own.spill ? spill_to_json(spec, own) : Json(nullptr);
    Json& changed = out.result["changes"];  // null, unless another system has spoken
    if (run::find_own<Result>(result) == nullptr) return;
    if (changes(spec)) changed = changes_to_json(spec, own, result.links);
    out.text = groups_text(spec, own) + retries_text(own);
  }
  void barrier_json(const run::RunResult& result, const run::BarrierRecord& barrier,
                    run::Json& out) const override {
    const Result* own = run::find_own<Result>(result);
    out["spilled_switches"] = own == nullptr ? 0 : own->spilled_in(barrier.group, barrier.number);
  }
  void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups) const override {
    const auto* const own = core::as<const Checked>(&groups);
    btin::add_checkers(list, own == nullptr ? Checked{} : *own, !groups.own_messages);
  }
  std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                       const fabric::Formats& formats) const override {
    return btin::seen(flits, formats);
  }
  void entries(core::Bank& switches, std::uint32_t sw, const fabric::SwitchConfig& config,
               std::vector<run::SwitchEntry>& out) const override {
    add_entries(switches, sw, config, out);
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<Btin>(); }

}  // namespace muster::btin
