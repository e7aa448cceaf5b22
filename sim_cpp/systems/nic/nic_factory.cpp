// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/nic_factory.hpp"

#include <fmt/format.h>

#include <tuple>

namespace muster::nic {
namespace {

constexpr fabric::BlockField<NicConfig> kFields[] = {
    {"Contexts", &NicConfig::contexts}, {"Steps", &NicConfig::steps},
    {"Conns", &NicConfig::conns},       {"Records", &NicConfig::records},
    {"SeqW", &NicConfig::seq_w},        {"Vcs", &NicConfig::vcs},
    {"Depth", &NicConfig::depth},       {"FlitW", &NicConfig::flit_w},
    {"Chained", &NicConfig::chained}};

std::vector<NicConfig> configs_of(const std::vector<fabric::BlockEntry>& entries) {
  std::vector<NicConfig> list;
  for (const fabric::BlockEntry& entry : entries)
    if (entry.kind == kBlockKind) list.push_back(nic_config(entry));
  return list;
}

}  // namespace

NicConfig nic_config(const fabric::BlockEntry& entry) {
  NicConfig config;
  config.name = entry.name;
  take_fields(config, kFields, entry);
  return validate(config);
}

fabric::Block block_of(const NicConfig& config) {
  return fabric::give_fields("muster_nic_engine", config, kFields);
}

const std::vector<NicConfig>& nic_configurations() {
  static const auto list = configs_of(fabric::listed_blocks());
  return list;
}

const std::vector<NicConfig>& own_nic_configurations() {
  static const auto list = configs_of(fabric::own_blocks());
  return list;
}

NicConfig choose_nic(const NicConfig& need, const fabric::BankFactory& engine) {
  const NicFactory* const factory = nics_of(engine);
  const auto supports = [&](const NicConfig& c) {
    return factory != nullptr && factory->supports(c);
  };
  const auto fits = [&](const NicConfig& c, std::uint32_t vcs) {
    return c.chained == need.chained && c.vcs == vcs && c.depth == need.depth &&
           c.flit_w == need.flit_w && c.addr_w >= need.addr_w && c.seq_w == need.seq_w &&
           c.contexts >= need.contexts && c.steps >= need.steps && c.conns >= need.conns &&
           c.records >= need.records;
  };
  const auto order = [](const NicConfig& c) {
    return std::tuple{c.contexts * c.steps, c.conns, c.records};
  };
  const auto smallest = [&](const std::vector<NicConfig>& list) {
    const NicConfig* best = nullptr;
    for (const NicConfig& c : list)
      if (supports(c) && fits(c, need.vcs) && (best == nullptr || order(c) < order(*best)))
        best = &c;
    return best;
  };
  if (const NicConfig* const best = smallest(nic_configurations())) return *best;
  if (supports(validate(need))) return need;
  if (const NicConfig* const best = smallest(own_nic_configurations())) return *best;
  std::string other = "engine golden takes any";
  for (const NicConfig& c : nic_configurations())
    if (supports(c) && fits(c, c.vcs))
      other += fmt::format(", and there is one for switches with {} virtual channel{} (--config)",
                           c.vcs, c.vcs == 1 ? "" : "s");
  throw InputError(
      "engine '{}' has no NIC with {} contexts of {} {}, {} connections, {} send records, {} "
      "virtual channels of {} places and {} bits; {}",
      engine.name(), need.contexts, need.steps, need.chained != 0 ? "events" : "entries",
      need.conns, need.records, need.vcs, need.depth, need.flit_w, other);
}

}  // namespace muster::nic
