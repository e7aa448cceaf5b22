// SPDX-License-Identifier: Apache-2.0
#include "run/scheme_registry.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "systems/btin/scheme/btin_scheme.hpp"
#include "systems/nic/scheme/nic_scheme.hpp"
#include "systems/packets/scheme/multicast_scheme.hpp"
#include "systems/packets/scheme/star_scheme.hpp"
#include "systems/packets/scheme/tree_scheme.hpp"
#include "systems/packets/scheme/unicast_scheme.hpp"
#include "systems/preempt/scheme/bsr_scheme.hpp"

namespace muster::run {

namespace {

template <class Plan>
std::unique_ptr<SchemePlan> plan(const RunSpec& spec) {
  return std::make_unique<Plan>(spec);
}

template <fabric::SwitchKind kind>
std::unique_ptr<SchemePlan> plan_bsr(const RunSpec& spec) {
  return std::make_unique<preempt::BsrPlan>(spec, kind);
}

template <nic::StepAlgorithm algorithm>
std::unique_ptr<SchemePlan> plan_nic(const RunSpec& spec) {
  return std::make_unique<nic::NicPlan>(spec, algorithm);
}

}  // namespace

const std::vector<SchemeFactory>& schemes() {
  using nic::StepAlgorithm;
  static const std::vector<SchemeFactory> all{
      {"btin", plan<btin::BtinPlan>},
      {"unicast", plan<packets::UnicastPlan>},
      {"multicast", plan<packets::MulticastPlan>},
      {"tree", plan<packets::TreePlan>, true},
      {"star", plan<packets::StarPlan>, true},
      {"bsr-1", plan_bsr<fabric::SwitchKind::kBsr1>, true, true},
      {"bsr-2", plan_bsr<fabric::SwitchKind::kBsr2>, true, true},
      {"bsr-3", plan_bsr<fabric::SwitchKind::kBsr3>, true, true},
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

}  // namespace muster::run
