// SPDX-License-Identifier: Apache-2.0
#include "workload/scheme_registry.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "workload/bsr_scheme.hpp"
#include "workload/btin_scheme.hpp"
#include "workload/multicast_scheme.hpp"
#include "workload/nic_scheme.hpp"
#include "workload/star_scheme.hpp"
#include "workload/tree_scheme.hpp"
#include "workload/unicast_scheme.hpp"

namespace muster::workload {

namespace {

template <class Plan>
std::unique_ptr<SchemePlan> plan(const RunSpec& spec) {
  return std::make_unique<Plan>(spec);
}

template <network::SwitchKind kind>
std::unique_ptr<SchemePlan> plan_bsr(const RunSpec& spec) {
  return std::make_unique<BsrPlan>(spec, kind);
}

template <barrier::StepAlgorithm algorithm>
std::unique_ptr<SchemePlan> plan_nic(const RunSpec& spec) {
  return std::make_unique<NicPlan>(spec, algorithm);
}

}  // namespace

const std::vector<SchemeFactory>& schemes() {
  using barrier::StepAlgorithm;
  static const std::vector<SchemeFactory> all{
      {"btin", plan<BtinPlan>},
      {"unicast", plan<UnicastPlan>},
      {"multicast", plan<MulticastPlan>},
      {"tree", plan<TreePlan>, true},
      {"star", plan<StarPlan>, true},
      {"bsr-1", plan_bsr<network::SwitchKind::kBsr1>, true, true},
      {"bsr-2", plan_bsr<network::SwitchKind::kBsr2>, true, true},
      {"bsr-3", plan_bsr<network::SwitchKind::kBsr3>, true, true},
      {"nic-dissemination", plan_nic<StepAlgorithm::kDissemination>, false, false, true},
      {"nic-pairwise", plan_nic<StepAlgorithm::kPairwise>, false, false, true},
      {"nic-gather", plan_nic<StepAlgorithm::kGatherBroadcast>, false, false, true},
  };
  return all;
}

const SchemeFactory& find_scheme(const std::string& name) {
  for (const SchemeFactory& scheme : schemes())
    if (name == scheme.name) return scheme;
  throw InputError(
      fmt::format("scheme '{}' is not in this program; it has: {}", name, scheme_names()));
}

std::unique_ptr<SchemePlan> plan_scheme(const RunSpec& spec) {
  const SchemeFactory& scheme = find_scheme(spec.scheme);
  if (spec.center && !scheme.centered)
    throw InputError(fmt::format("--center: scheme '{}' has no center", scheme.name));
  if (spec.preempt && !scheme.preempts)
    throw InputError(fmt::format(
        "--gap, --idle, --longest, --random, --padding: scheme '{}' has no preempting switches",
        scheme.name));
  if (spec.nic && !scheme.nics)
    throw InputError(fmt::format(
        "--nic and its options (--degree, --chained, --timeout, --retries, faults of packets): "
        "scheme '{}' has no NICs",
        scheme.name));
  return scheme.plan(spec);
}

std::string scheme_names() {
  std::string names;
  for (const SchemeFactory& scheme : schemes())
    names += (names.empty() ? "" : ", ") + std::string(scheme.name);
  return names;
}

}  // namespace muster::workload
