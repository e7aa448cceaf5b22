// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/result_io.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace muster::esc {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
Json estimate(const Estimate& e) {
  return {{"mean", number(e.mean)}, {"half_width", number(e.half_width)}};
}

Json parameters(const Spec& spec) {
  Json out;
  out["pes"] = spec.pes;
  out["box"] = spec.box.size;
  out["buffer_packets"] = spec.box.depth;
  out["rate_messages_per_pe_cycle"] = spec.rate;
  if (spec.rate_change)
    out["rate_change"] = {{"cycle", spec.rate_change->cycle},
                          {"rate_messages_per_pe_cycle", spec.rate_change->rate}};
  out["sigma_cycles"] = spec.sigma;
  out["mean_cycle"] = spec.mean;
  out["policy"] = policy_name(spec);
  out["sections"] = spec.sections;
  out["hot"] = spec.hot ? Json(*spec.hot) : Json(nullptr);
  out["hot_spots"] = spec.hot_spots;
  out["pattern"] = pattern_name(spec.pattern);
  out["release"] = spec.release == Release::kNetwork ? "network" : "direct";
  out["checkers"] = spec.checkers;
  out["faults"] = Json::array();
  for (const Fault& fault : spec.faults) out["faults"].push_back(fault_text(fault));
  out["input_stage_enabled"] = spec.stages().input;
  out["output_stage_enabled"] = spec.stages().output;
  out["policy_acts"] = spec.policy_acts();
  return out;
}

}  // namespace

std::string batch_to_json(const Spec& spec, const BatchResult& result, const Provenance& origin,
                          const std::optional<Generated>& generated) {
  Json out;
  out["schema"] = "muster-esc-1";
  out["command"] = origin.command;
  out["version"] = origin.version;
  out["engine"] = result.engine;
  out["seed"] = spec.seed;
  out["units"] = {{"mu_*", "cycles of delay, traversal excluded"},
                  {"active_session_cycles", "clock cycles"},
                  {"half_width", "of the 95 % confidence interval"},
                  {"packets", "delivered"},
                  {"box_cycles", "one box clocked once"}};
  out["parameters"] = parameters(spec);
  out["mu_syn"] = estimate(result.mu_syn);
  out["mu_bg_total"] = estimate(result.mu_bg_total);
  out["mu_bg_hot"] = estimate(result.mu_bg_hot);
  out["active_session_cycles"] = estimate(result.active_session);
  if (generated)
    out["generated"] = {{"synchronization", generated->synchronization},
                        {"hot_background", generated->hot_background}};
  out["sessions"] = result.sessions;
  out["interrupted"] = result.interrupted;
  out["packets"] = result.packets;
  out["cycles"] = result.cycles;
  out["box_cycles"] = result.box_cycles;
  out["digest"] = fmt::format("{:016x}", result.digest);
  out["violations"] = result.violations;
  out["violation_texts"] = result.violation_texts;
  out["checks"] = Json::object();
  for (const CheckCount& c : result.checks) out["checks"][c.name] = c.passed;
  out["comparisons"] = result.comparisons;
  const std::string warning = capacity_warning(spec);
  out["warnings"] = Json::array();
  if (!warning.empty()) out["warnings"].push_back(warning);
  out["seconds"] = result.seconds;
  return out.dump(2) + "\n";
}

}  // namespace muster::esc
