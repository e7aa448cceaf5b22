// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "fabric/sharing.hpp"
#include "systems/nic/blocks/nic_factory.hpp"

namespace muster::nic {

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

/// The NICs of an engine, clocked by several processes.
class SharedNics final : public NicFactory {
 public:
  SharedNics(std::shared_ptr<const fabric::BankFactory> engine, fabric::Sharing sharing)
      : engine_(std::move(engine)), sharing_(std::move(sharing)) {}
  bool supports(const NicConfig& config) const override { return nics().supports(config); }
  std::unique_ptr<NicBank> make_nics(const NicConfig& config, std::uint32_t count,
                                     const fabric::BankOptions& options) const override {
    return sharing_.bank<NicBank, SharedHosts>(
        sharing_.division().devices, options,
        [&](const fabric::BankOptions& own) { return nics().make_nics(config, count, own); },
        count);
  }

 private:
  const NicFactory& nics() const { return *nics_of(*engine_); }
  std::shared_ptr<const fabric::BankFactory> engine_;
  fabric::Sharing sharing_;
};

}  // namespace muster::nic
