// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "fabric/golden/lanes.hpp"
#include "muster/core/error.hpp"

namespace muster::golden {

/// The credit counters of all output channels of a switch, each 0..depth, as what is missing: bit k
/// of what the counter of lane l lacks to `depth` is bit l of planes_[k]. So a cycle's changes on
/// all lanes are a few word operations and no branch depends on the traffic.
class Credits {
 public:
  explicit Credits(std::uint32_t depth) : depth_(depth), few_(depth < 1u << kFew) {
    for (std::uint32_t k = 0; k < kBits; ++k) all_[k] = has(depth, k) ? ~std::uint64_t{0} : 0;
  }

  /// Lanes whose counter is not 0.
  std::uint64_t at_least_one() const {
    const std::uint64_t low =
        (planes_[0] ^ all_[0]) | (planes_[1] ^ all_[1]) | (planes_[2] ^ all_[2]);
    return few_ ? low : low | (planes_[3] ^ all_[3]) | (planes_[4] ^ all_[4]);
  }
  std::uint32_t count(std::uint32_t lane) const {
    std::uint32_t missing = 0;
    for (std::uint32_t k = 0; k < kBits; ++k) missing += std::uint32_t{has(planes_[k], lane)} << k;
    return depth_ - missing;
  }

  /// Takes one credit of each lane of `spent`, which must have one, and adds one to those of
  /// `returned`. Throws InternalError if more come back than were spent before.
  void update(std::uint64_t spent, std::uint64_t returned) {
    if (few_)
      update_planes<kFew>(spent, returned);
    else
      update_planes<kBits>(spent, returned);
  }

 private:
  static constexpr std::uint32_t kBits = 5;  // counts to 16
  static constexpr std::uint32_t kFew = 3;   // enough for the usual depths
  template <std::uint32_t kUsed>
  void update_planes(std::uint64_t spent, std::uint64_t returned) {
    for (std::uint32_t k = 0; k < kUsed; ++k) {
      std::uint64_t plane = planes_[k] ^ returned;
      returned &= plane;  // borrow where the bit was 0
      plane ^= spent;
      spent &= ~plane;  // carry where the bit was 1
      planes_[k] = plane;
    }
    if (returned != 0) [[unlikely]]
      throw InternalError("a credit without a flit");
  }

  std::uint32_t depth_;
  bool few_;  // the first kFew planes are enough; the others stay 0
  std::array<std::uint64_t, kBits> planes_{}, all_{};
};

}  // namespace muster::golden
