// SPDX-License-Identifier: Apache-2.0
#pragma once

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

// Between block lists and configurations.
/// Throws InputError if a parameter is out of range.
NicConfig nic_config(const fabric::BlockEntry& entry);
fabric::Block block_of(const NicConfig& config);

/// The NIC barrier engines of rtl/configurations.json, in its order.
const std::vector<NicConfig>& nic_configurations();

/// Those that scripts/model built.
const std::vector<NicConfig>& own_nic_configurations();

/// The smallest of nic_configurations() that `engine` supports, with the link of `need` (vcs,
/// depth, flit_w), its seq_w, and at least its contexts, steps, connections, records. If none does,
/// golden makes `need` itself, another engine the smallest of own_nic_configurations() that does;
/// without any it throws InputError naming what is needed.
NicConfig choose_nic(const NicConfig& need, const fabric::BankFactory& engine);

}  // namespace muster::nic
