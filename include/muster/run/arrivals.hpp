// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "muster/core/rng.hpp"
#include "muster/fabric/endpoint_clients.hpp"

namespace muster::run {

/// When members arrive at their barriers: a function of its arguments, the same whenever it is
/// asked. Groups, their members and barriers count from 0.
class Arrivals {
 public:
  virtual ~Arrivals() = default;
  /// The cycle in which a member arrives at a barrier, not before `earliest`, the cycle of its own
  /// release from the one before (of the start, for barrier 0). kNever: not at all.
  virtual std::uint64_t next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                             std::uint64_t earliest) const = 0;
};

/// A gap after the own release, uniform in 0..spread cycles, that depends on seed, group, member
/// and barrier alone.
class UniformArrivals : public Arrivals {
 public:
  /// `spread` in cycles.
  UniformArrivals(std::uint64_t spread, std::uint64_t seed) : spread_(spread), seed_(seed) {}
  std::uint64_t next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                     std::uint64_t earliest) const override {
    const std::uint64_t who = (std::uint64_t{group} << 32) | member;
    return earliest + Rng(mix64(seed_) ^ barrier, who).below(spread_ + 1);
  }

 private:
  std::uint64_t spread_, seed_;
};

/// Times from a list: [group][barrier][member], in cycles; a time that has passed is `earliest`.
/// next() throws InputError for a barrier or member that is not in the list.
class ListedArrivals : public Arrivals {
 public:
  /// [group][barrier][member], cycles.
  using List = std::vector<std::vector<std::vector<std::uint64_t>>>;
  /// Of these times.
  explicit ListedArrivals(List list) : list_(std::move(list)) {}
  std::uint64_t next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                     std::uint64_t earliest) const override;

 private:
  List list_;
};

/// A fault: one member stops arriving at some barrier.
struct Absence {
  std::uint32_t group = 0;    ///< of the run
  std::uint32_t member = 0;   ///< of the group
  std::uint32_t barrier = 0;  ///< from this one on
};

/// Arrivals of which some members stop.
class WithAbsence : public Arrivals {
 public:
  /// `inner` for those that are not absent.
  WithAbsence(std::shared_ptr<const Arrivals> inner, std::vector<Absence> absent)
      : inner_(std::move(inner)), absent_(std::move(absent)) {}
  std::uint64_t next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                     std::uint64_t earliest) const override {
    for (const Absence& a : absent_) {
      if (a.group == group && a.member == member && barrier >= a.barrier) return fabric::kNever;
    }
    return inner_->next(group, member, barrier, earliest);
  }

 private:
  std::shared_ptr<const Arrivals> inner_;
  std::vector<Absence> absent_;
};

}  // namespace muster::run
