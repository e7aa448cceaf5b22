// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "lockstep/lockstep.hpp"

namespace muster::verif {

/// Lockstep of blocks with settled outputs, boxes or policies. Settled outputs are compared after
/// settle(), registered ones after clock(). A difference throws BlockError with cycle, instance,
/// port, both values, both states and the last packets. `Kind` has, besides what lockstep.hpp says:
///
///   give(side)                 this cycle's inputs to one side
///   remember(cycle, see)       calls see(b, message) for what is offered
///   compare_settled(golden, rtl, same)  calls same(b, output, golden's value, RTL's), and
///                              returns the number of outputs compared
///   take_settled(rtl)          RTL's outputs are those of this bank
///   give_late(side)            inputs that are known after settling
///   compare_registered(golden, rtl, same), take_registered(rtl)  likewise after clock()
template <class Kind>
class LockstepSettledBank final : public Lockstep<Kind> {
 public:
  using Side = typename Kind::Side;

  /// `shape`: what Kind needs besides the device. REQUIRES: both have it.
  template <class... Shape>
  LockstepSettledBank(std::unique_ptr<Side> reference, std::unique_ptr<Side> device,
                      Shape&&... shape)
      : Lockstep<Kind>(std::move(reference), std::move(device), std::forward<Shape>(shape)...) {}

  void settle() override {
    for (Side* side : {this->reference_.get(), this->device_.get()}) {
      this->give(*side);
      side->settle();
    }
    this->remember(cycle_, [&](std::uint32_t b, const auto& message) { this->seen(b, message); });
    this->count(0, this->compare_settled(*this->reference_, *this->device_, same(cycle_, true)));
    this->take_settled(*this->device_);
  }

  void clock(std::uint64_t cycle) override {
    for (Side* side : {this->reference_.get(), this->device_.get()}) {
      this->give_late(*side);
      side->clock(cycle);
    }
    cycle_ = cycle + 1;
    this->count(0, this->compare_registered(*this->reference_, *this->device_, same(cycle, false)));
    this->take_registered(*this->device_);
  }

 protected:
  void reset_blocks(std::span<const std::uint16_t> seeds) override {
    this->reference_->reset(seeds);
    this->device_->reset(seeds);
    this->forget();
    cycle_ = 0;
  }

 private:
  auto same(std::uint64_t cycle, bool settled) {
    return [this, cycle, settled](std::uint32_t b, Output output, auto want, auto have) {
      if (want != have)
        this->differ({b, cycle, settled}, output.text(), Kind::show(want), Kind::show(have));
    };
  }

  std::uint64_t cycle_ = 0;  ///< of the next settle(), which is not told
};

}  // namespace muster::verif
