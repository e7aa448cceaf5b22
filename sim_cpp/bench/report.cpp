// SPDX-License-Identifier: Apache-2.0
#include "bench/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/groups.hpp"

namespace muster::bench {
namespace {

struct Group {
  const char* name;
  std::vector<std::string> engines;  // that it needs
  void (*measure)(const Setting&, Report&);
};

}  // namespace

bool Measure::met() const {
  if (!goal) return true;
  switch (goal->sense) {
    case Goal::Sense::kAtMost:
      return value <= goal->value;
    case Goal::Sense::kAtLeast:
      return value >= goal->value;
    case Goal::Sense::kExactly:
      return value == goal->value;
  }
  return false;
}

Report measure_all(const Setting& setting) {
  const Group groups[] = {
      {"engine speed", {"rtl", "lockstep"}, measure_engine_speed},
      {"harness overhead", {"rtl"}, measure_harness_overhead},
      {"golden speed", {}, measure_golden_speed},
      {"golden size", {}, measure_golden_size},
      {"box speed", {}, measure_box_speed},
      {"scaling", {"rtl"}, measure_scaling},
      {"threads", {"rtl"}, measure_thread_speed},
      {"hop latency", {}, measure_hop_latency},
      {"link throughput", {}, measure_link_throughput},
  };
  Report report;
  report.quick = setting.quick;
  report.machine = this_machine(*setting.engines);
  const std::vector<std::string> present = setting.engines->names();
  for (const Group& group : groups) {
    const auto missing =
        std::find_if(group.engines.begin(), group.engines.end(), [&](const std::string& name) {
          return std::find(present.begin(), present.end(), name) == present.end();
        });
    if (missing != group.engines.end()) {
      report.omitted.push_back(
          fmt::format("{}: this program was built without the engine '{}'", group.name, *missing));
      continue;
    }
    if (setting.progress) setting.progress(group.name);
    group.measure(setting, report);
  }
  return report;
}

}  // namespace muster::bench
