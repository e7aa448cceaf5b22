// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/groups_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "muster/topology/names.hpp"

namespace muster::btin {
namespace {

constexpr std::size_t kMaxNames = 8;  ///< groups listed for each switch

/// How often groups have moved between register and memory.
std::string moves_text(const run::RunSpec& spec, const Result& result) {
  if (spec.parts.get<Spec>().evict_after == 0) return {};
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

}  // namespace

std::string groups_text(const run::RunSpec& spec, const Result& result) {
  std::string text;
  for (std::size_t g = 0; g < result.times.size(); ++g)
    text += fmt::format("set-up       group {}: created in {} cycles, released in {}\n",
                        spec.groups[g].name, result.times[g].creation_cycles,
                        result.times[g].release_cycles);
  if (spec.parts.get<Spec>().setup_drop != 0.0)
    text += fmt::format("set-up       {} packets lost; {} messages and {} requests repeated\n",
                        result.lost_packets, result.repeated_messages, result.repeated_requests);
  if (result.spill) text += spill_text(spec, result) + moves_text(spec, result);
  return text + changes_text(spec, result);
}

}  // namespace muster::btin
