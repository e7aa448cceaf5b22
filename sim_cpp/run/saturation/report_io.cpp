// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "run/results/result_parts_io.hpp"
#include "run/saturation/report.hpp"

namespace muster::run {
namespace {

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSaturates:
      return "saturates";
    case Verdict::kSustained:
      return "sustained";
    case Verdict::kInterrupted:
      return "interrupted";
  }
  return "";
}

Json saturation_parameters(const SaturationReport& report) {
  const RunSpec& spec = report.spec;
  return {{"network", spec.graph->name},  {"switches", spec.graph->switches()},
          {"nodes", spec.graph->nodes()}, {"config", config_json(report.config)},
          {"pattern", report.pattern},    {"packet_length_flits", spec.packet_length},
          {"warmup_cycles", spec.warmup}, {"cycles", spec.min_cycles - spec.warmup},
          {"repeat", report.repeat},      {"tolerance", report.tolerance}};
}

}  // namespace

std::string saturation_to_json(const SaturationReport& report, const Provenance& origin) {
  const Saturation& found = report.found;
  const auto or_null = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  Json out;
  out["schema"] = "muster-saturation-1";
  out["command"] = origin.command;
  out["version"] = origin.version;
  out["scheme"] = report.spec.scheme;
  out["seed"] = report.spec.seed;
  out["parameters"] = saturation_parameters(report);
  out["verdict"] = verdict_name(found.verdict);
  out["interrupted"] = found.verdict == Verdict::kInterrupted;
  out["route_bound_flits_per_node_cycle"] = report.route_bound;
  out["sustained_flits_per_node_cycle"] = found.sustained;
  out["unsustained_flits_per_node_cycle"] = or_null(found.unsustained);
  out["most_accepted_flits_per_node_cycle"] = found.most_accepted();
  out["probes"] = Json::array();
  for (const Probe& probe : found.probes)
    out["probes"].push_back({{"load_flits_per_node_cycle", probe.load},
                             {"runs", probe.runs},
                             {"saturated", probe.saturated},
                             {"accepted_flits_per_node_cycle", probe.accepted},
                             {"packet_latency_mean_cycles", probe.packet_latency}});
  out["violations"] = report.violations.size();
  out["violation_texts"] = report.violations;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace muster::run
