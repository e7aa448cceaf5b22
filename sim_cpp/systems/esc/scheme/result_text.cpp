// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "systems/esc/scheme/result_io.hpp"

namespace muster::esc {
namespace {

std::string line(const char* name, const Estimate& e, const char* what) {
  if (!e.mean) return fmt::format("{:<15} none: {}\n", name, what);
  const std::string width = e.half_width ? fmt::format(" +- {:.2f}", *e.half_width) : "";
  return fmt::format("{:<15} {:.2f}{} cycles: {}\n", name, *e.mean, width, what);
}

std::string faults_text(const Spec& spec) {
  std::string text = "faults         ";
  for (const Fault& fault : spec.faults) text += fmt::format(" {}", fault_text(fault));
  const OuterStages stages = spec.stages();
  text += fmt::format(": input stage {}, output stage {}", stages.input ? "enabled" : "bypassed",
                      stages.output ? "enabled" : "bypassed");
  if (!spec.bypass && !spec.policy_acts()) text += ", so the policy does not act";
  return text + "\n";
}

}  // namespace

std::string batch_to_text(const Spec& spec, const BatchResult& result) {
  std::string text = fmt::format(
      "Extra Stage Cube: {} PEs, {}x{} boxes of {} packets, rate {}, sigma {}, policy {}\n",
      spec.pes, spec.box.size, spec.box.size, spec.box.depth, spec.rate, spec.sigma,
      policy_name(spec));
  if (!spec.faults.empty()) text += faults_text(spec);
  text += line("mu_SYN", result.mu_syn, "delay of a synchronization message");
  text += line("mu_BG(Tot)", result.mu_bg_total, "of a background message of the active session");
  text += line("mu_BG(HS)", result.mu_bg_hot, "of one for the hot spot");
  text += line("active session", result.active_session, "first generated to last arrived");
  text += fmt::format("sessions        {}, {}\n", result.sessions,
                      result.sessions < 2 ? "too few for a confidence interval"
                                          : "half-widths for 95 % confidence");
  if (result.interrupted)
    text +=
        fmt::format("interrupted     {} of {} sessions were run\n", result.sessions, spec.sessions);
  std::uint64_t passed = result.comparisons;
  for (const CheckCount& c : result.checks) passed += c.passed;
  text += fmt::format("checks          {} passed, {} violation{}\n", passed, result.violations,
                      result.violations == 1 ? "" : "s");
  for (const std::string& violation : result.violation_texts) text += "  " + violation + "\n";
  text += fmt::format(
      "simulated       {} cycles, {} packets, engine {}, {:.1f} s, {:.2e} "
      "box-cycles/s\n",
      result.cycles, result.packets, result.engine, result.seconds,
      static_cast<double>(result.box_cycles) / result.seconds);
  text += fmt::format("digest          {:016x}\n", result.digest);
  return text;
}

std::string capacity_warning(const Spec& spec) {
  const double rate = largest_rate(spec);
  if (rate > capacity_around_faults(spec))
    return fmt::format(
        "rate {} exceeds the capacity around the faults ({:.3f}): the queues of some sources grow "
        "without bound",
        rate, capacity_around_faults(spec));
  if (rate <= capacity(spec)) return {};
  return fmt::format(
      "rate {} exceeds the capacity of the input stage under {} while synchronizations are pending "
      "({:.3f}): the source queues grow without bound",
      rate, policy_name(spec), capacity(spec));
}

}  // namespace muster::esc
