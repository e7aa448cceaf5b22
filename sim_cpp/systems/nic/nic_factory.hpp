// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <tuple>

#include "fabric/configurations.hpp"
#include "fabric/sharing.hpp"
#include "systems/nic/nic_bank.hpp"

namespace muster::nic {

/// What an engine offers for NICs (BankFactory::makers).
class NicFactory : public fabric::BlockMaker {
 public:
  /// If such NICs can be made: golden any, Verilated ones those built.
  virtual bool supports(const NicConfig& config) const = 0;
  /// REQUIRES: supports(config).
  virtual std::unique_ptr<NicBank> make_nics(const NicConfig& config, std::uint32_t nics,
                                             const fabric::BankOptions& options) const = 0;
};

/// nullptr if the engine has no such blocks.
inline const NicFactory* nics_of(const fabric::BankFactory& engine) {
  return engine.makers().find<NicFactory>();
}

/// The host's side of NICs that several processes clock, see core::WiresAlone.
struct SharedHosts {
  static void give(NicBank& from, NicBank& to, std::uint32_t n) {
    to.host(n) = from.host(n);
    forget(from, n);
  }
  static void forget(NicBank& bank, std::uint32_t n) {
    HostWires& host = bank.host(n);
    host.access = host.write = host.ready = false;
  }
  static void take(NicBank& from, NicBank& to, std::uint32_t n) {
    to.host(n).event = from.host(n).event;
    to.host(n).word = from.host(n).word;
  }
  static bool given(const NicBank& bank, std::uint32_t n) {
    return bank.host(n).access || bank.host(n).ready;
  }
  static void put_given(const NicBank& bank, std::uint32_t n, core::RankMessage& message) {
    message.put(bank.host(n));
  }
  static void get_given(NicBank& bank, std::uint32_t n, core::RankReader& message) {
    bank.host(n) = message.get<HostWires>();
  }
  static void put(const NicBank& bank, std::uint32_t n, core::RankMessage& message) {
    message.put(bank.host(n).event);
    message.put(bank.host(n).word);
  }
  static void get(NicBank& bank, std::uint32_t n, core::RankReader& message) {
    bank.host(n).event = message.get<bool>();
    bank.host(n).word = message.get<std::uint32_t>();
  }
};

/// What block lists call these blocks.
inline constexpr std::string_view kBlockKind = "nic";

inline constexpr fabric::BlockField<NicConfig> kNicFields[] = {
    {"Contexts", &NicConfig::contexts}, {"Steps", &NicConfig::steps},
    {"Conns", &NicConfig::conns},       {"Records", &NicConfig::records},
    {"SeqW", &NicConfig::seq_w},        {"Vcs", &NicConfig::vcs},
    {"Depth", &NicConfig::depth},       {"FlitW", &NicConfig::flit_w},
    {"Chained", &NicConfig::chained}};

// Between block lists and configurations.
/// Throws InputError if a parameter is out of range.
inline NicConfig nic_config(const fabric::BlockEntry& entry) {
  NicConfig config;
  config.name = entry.name;
  take_fields(config, kNicFields, entry);
  return validate(config);
}
inline fabric::Block block_of(const NicConfig& config) {
  return fabric::give_fields("muster_nic_engine", config, kNicFields);
}

inline std::vector<NicConfig> configs_of(const std::vector<fabric::BlockEntry>& entries) {
  std::vector<NicConfig> list;
  for (const fabric::BlockEntry& entry : entries)
    if (entry.kind == kBlockKind) list.push_back(nic_config(entry));
  return list;
}

/// The smallest NIC of rtl/configurations.json that `engine` supports, with the link of `need`
/// (vcs, depth, flit_w), its seq_w, and at least its contexts, steps, connections, records. If none
/// does, golden makes `need` itself, another engine the smallest of scripts/model's that does;
/// without any it throws InputError naming what is needed.
inline NicConfig choose_nic(const NicConfig& need, const fabric::BankFactory& engine) {
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
    std::optional<NicConfig> best;
    for (const NicConfig& c : list)
      if (supports(c) && fits(c, need.vcs) && (!best || order(c) < order(*best))) best = c;
    return best;
  };
  const std::vector<NicConfig> listed = configs_of(fabric::listed_blocks());
  if (const auto best = smallest(listed)) return *best;
  if (supports(validate(need))) return need;
  if (const auto best = smallest(configs_of(fabric::own_blocks()))) return *best;
  std::string other = "engine golden takes any";
  for (const NicConfig& c : listed)
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
