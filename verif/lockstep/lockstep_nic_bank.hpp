// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lockstep/difference.hpp"
#include "systems/nic/blocks/nic_bank.hpp"

namespace muster::verif {

/// Two banks of the same NIC barrier engines, given the same inputs; what network and host see is
/// the device's outputs. After every clock all outputs of every clocked NIC are compared: flit,
/// returned credits, event, quiescence; register reads as well. A difference throws InternalError
/// with cycle, NIC, both values, both states and the last flits and register requests that came in.
class LockstepNicBank final : public nic::NicBank {
 public:
  /// REQUIRES: both have the same number of NICs and are in their reset state.
  LockstepNicBank(std::unique_ptr<nic::NicBank> reference, std::unique_ptr<nic::NicBank> device);

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override;
  void write_register(std::uint32_t nic, std::uint32_t address, std::uint32_t value) override;
  std::uint32_t read_register(std::uint32_t nic, std::uint32_t address) override;
  std::string describe(std::uint32_t nic) const override;

  /// Output words compared so far: a NIC and cycle counts 4, a flit or event 1 more.
  std::uint64_t comparisons() const override { return comparisons_; }

 private:
  static constexpr unsigned kRemembered = 16;
  struct Seen {
    std::uint64_t cycle;
    bool comes;  ///< the flit
    core::Flit flit;
    nic::HostWires host;
  };

  void give_inputs(std::uint32_t nic, std::uint64_t cycle);
  void compare(std::uint32_t nic, std::uint64_t cycle);
  [[noreturn]] void differ(std::uint32_t nic, std::uint64_t cycle, const std::string& what) const;

  std::unique_ptr<nic::NicBank> reference_, device_;
  std::vector<LastInputs<Seen, kRemembered>> history_;
  std::uint64_t comparisons_ = 0;
};

}  // namespace muster::verif
