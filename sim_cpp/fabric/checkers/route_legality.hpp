// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"

namespace muster::checkers {

/// Every head that leaves a switch leaves by a port of its route mask, in the virtual channel in
/// which it came, with the destination and opcode with which it came. (That the masks themselves
/// are legal and free of deadlock is the business of topology/.)
class RouteLegality final : public LinkChecker {
 public:
  explicit RouteLegality(const Subject& subject);
  Sees sees() const override { return {.heads = true, .cycles = true}; }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  /// The heads in a dead switch are gone.
  void lose(std::uint64_t cycle, const Loss& loss) override;
  /// After all flits of the cycle: those that came in it can not leave in it.
  void end_cycle(std::uint64_t cycle) override;

 private:
  /// A head inside a switch: bits 20..0 of its payload, destination and opcode; virtual channel
  /// above.
  using Head = std::uint32_t;
  static constexpr unsigned kVcShift = 21;
  static Head head_of(const core::Flit& flit) {
    return static_cast<Head>(flit.lo & ((1u << kVcShift) - 1)) | Head{flit.vc} << kVcShift;
  }
  /// A packet for this very switch ends there; its answers begin there.
  bool ends(const fabric::End& to, const core::Flit& head) const {
    return !to.node && fabric::Formats::destination(head) == subject_.graph.nodes() + to.id;
  }
  void leave(std::uint64_t cycle, const core::FlitEvent& event);

  struct Entry {
    topology::SwitchId sw;
    Head head;
  };
  std::vector<std::vector<Head>> inside_;  ///< by switch, in no order
  std::vector<std::uint8_t> dead_;         ///< by switch
  std::vector<Entry> entered_;             ///< in this cycle
};

}  // namespace muster::checkers
