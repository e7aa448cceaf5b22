// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
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
  /// In results; empty if there is nothing to say.
  virtual std::string name() const { return {}; }
};

/// A gap after the own release, uniform in 0..spread cycles, that depends on seed, group, member
/// and barrier only.
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

/// Times that members work between barriers, as a program did when it was recorded; the same for
/// every group.
class RecordedArrivals : public Arrivals {
 public:
  /// [barrier][member], cycles between the release from the barrier before and the arrival.
  using Work = std::vector<std::vector<std::uint64_t>>;
  /// REQUIRES: every barrier has as many members.
  RecordedArrivals(std::string name, Work work) : name_(std::move(name)), work_(std::move(work)) {}
  std::string name() const override { return name_; }
  std::uint64_t next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                     std::uint64_t earliest) const override;
  std::size_t members() const { return work_.empty() ? 0 : work_.front().size(); }  ///< of a group
  std::size_t barriers() const { return work_.size(); }                             ///< recorded

 private:
  std::string name_;
  Work work_;
};

/// Reads what a program's recording says (schema muster-arrivals-1, docs/how-to/mpi.md), with
/// cycles of `clock_ns`. Throws InputError "file: place: reason".
std::shared_ptr<const RecordedArrivals> read_arrivals(const std::string& file, double clock_ns);

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
  std::string name() const override { return inner_->name(); }
  std::uint64_t next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                     std::uint64_t earliest) const override {
    for (const Absence& a : absent_)
      if (a.group == group && a.member == member && barrier >= a.barrier) return fabric::kNever;
    return inner_->next(group, member, barrier, earliest);
  }

 private:
  std::shared_ptr<const Arrivals> inner_;
  std::vector<Absence> absent_;
};

}  // namespace muster::run
