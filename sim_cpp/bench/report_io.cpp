// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "bench/report.hpp"

namespace muster::bench {
namespace {

using Json = nlohmann::ordered_json;

Json measure_json(const Measure& measure) {
  Json out = {{"id", measure.id},      {"measure", measure.what}, {"value", measure.value},
              {"unit", measure.unit},  {"goal", nullptr},         {"met", nullptr},
              {"method", measure.note}};
  if (measure.goal) {
    const char* sense = measure.goal->sense == Goal::Sense::kAtMost    ? "at_most"
                        : measure.goal->sense == Goal::Sense::kAtLeast ? "at_least"
                                                                       : "exactly";
    out["goal"] = {{"sense", sense}, {"value", measure.goal->value}};
    out["met"] = measure.met();
  }
  return out;
}

}  // namespace

std::string report_to_json(const Report& report, const Setting& setting, const Provenance& origin) {
  Json out;
  out["schema"] = "muster-bench-1";
  out["command"] = origin.command;
  out["version"] = origin.version;
  out["seed"] = setting.seed;
  out["quick"] = report.quick;
  out["machine"] = {{"cpu", report.machine.cpu},
                    {"cores", report.machine.cores},
                    {"compiler", report.machine.compiler},
                    {"tools", report.machine.tools}};
  out["measures"] = Json::array();
  for (const Measure& measure : report.measures) out["measures"].push_back(measure_json(measure));
  out["link_throughput"] = Json::array();
  for (const LinkThroughput& row : report.link_throughput) {
    out["link_throughput"].push_back({{"latency_cycles", row.latency},
                                      {"depth_flits", row.depth},
                                      {"flits_per_cycle", row.measured},
                                      {"expected_flits_per_cycle", row.expected}});
  }
  out["omitted"] = report.omitted;
  return out.dump(2) + "\n";
}

}  // namespace muster::bench
