// SPDX-License-Identifier: Apache-2.0
#include "muster/run/system.hpp"

#include <map>

#include "core/text.hpp"
#include "muster/run/checker_list.hpp"

namespace muster::run {

void check_names(const System& added) {
  std::map<std::string, std::string_view> owners;  // of schemes
  const auto add = [&](const System& system) {
    for (const SchemeFactory& scheme : system.schemes()) {
      const auto [at, is_new] = owners.emplace(scheme.name, system.name());
      if (!is_new)
        throw InternalError(
            "system '{}': scheme '{}' is taken by {}", system.name(), scheme.name,
            at->second == system.name() ? "itself" : fmt::format("system '{}'", at->second));
    }
  };
  for (const auto& system : systems()) {
    if (system->name() == added.name())
      throw InternalError("system '{}': another system has this name", added.name());
    add(*system);
  }
  add(added);
}

std::vector<topology::PortRef> SchemePlan::ports(std::uint32_t group,
                                                 const topology::Routes& /*routes*/) const {
  std::vector<topology::PortRef> ports;
  for (const fabric::RegisterImage& image : waiting()) {
    if (image.gid != group) continue;
    core::PortMask mask = image.child_mask;
    if (!image.reflect) mask |= core::port_bit(image.parent_port);
    core::for_each_bit(mask, [&](std::uint32_t p) { ports.push_back({image.sw, p}); });
  }
  return ports;
}

FaultHandler& Scheme::fault_handler() {
  static FaultHandler none;
  return none;
}

Hosts& Scheme::hosts() {
  static Hosts none;
  return none;
}

void Scheme::receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) {
  throw InternalError("cycle {}, node {}: barrier message {:#x} that it does not wait for", cycle,
                      node, flit.lo);
}

void Scheme::receive_message(std::uint64_t cycle, std::uint32_t node,
                             std::span<const core::Flit> flits) {
  throw InternalError(
      "cycle {}, node {}: barrier message {:#x} of {} flits that it does not wait for", cycle, node,
      flits.front().lo, flits.size());
}

void Scheme::receive_packet(std::uint64_t cycle, std::uint32_t node,
                            std::span<const core::Flit> flits) {
  throw InternalError(
      "cycle {}, node {}: packet of {} flits with opcode {} that it does not wait for", cycle, node,
      flits.size(), fabric::Formats::opcode(flits.front()));
}

std::unique_ptr<checkers::CheckerList> make_checkers(const checkers::Subject& subject,
                                                     const checkers::Bounds& bounds,
                                                     const CheckedGroups& groups) {
  return std::make_unique<checkers::CheckerList>(subject, bounds, [&](checkers::CheckerList& list) {
    for (const auto& system : systems()) system->add_checkers(list, groups);
  });
}

void refuse_own(std::string_view given, std::string_view wanted) {
  throw InputError("RunSpec::own, RunResult::own: of system '{}', not of '{}'", given, wanted);
}

FoundScheme find_scheme(const std::string& name) {
  for (const auto& system : systems())
    for (const SchemeFactory& scheme : system->schemes())
      if (name.empty() || name == scheme.name) return {*system, scheme};
  throw unknown_name("--scheme", name, {scheme_names()});
}

std::string scheme_table() {
  std::string table;
  for (const auto& system : systems())
    for (const SchemeFactory& scheme : system->schemes())
      table += fmt::format("  {:<18} {}\n", scheme.name, scheme.about);
  return table;
}

std::string scheme_names(bool SchemeFactory::*which) {
  std::string names;
  for (const auto& system : systems())
    for (const SchemeFactory& scheme : system->schemes())
      if (which == nullptr || scheme.*which) names += (names.empty() ? "" : ", ") + scheme.name;
  return names;
}

}  // namespace muster::run
