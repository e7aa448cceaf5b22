// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <tuple>
#include <vector>

#include "muster/run/scheme.hpp"

namespace muster::test {

/// Counts what a test tells it to; sees nothing of a network.
class CountedTraffic : public run::BarrierTraffic {
 public:
  using BarrierTraffic::BarrierTraffic;
  using BarrierTraffic::count;
  void observe(std::uint64_t, std::span<const core::FlitEvent>,
               std::span<const core::CreditEvent>) override {}
};

/// A scheme without messages: it notes the arrivals, and the test releases the members.
class FakeScheme : public run::Scheme {
 public:
  using Arrival =
      std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;  ///< cycle, group, member

  using Scheme::Scheme;
  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    arrivals.emplace_back(cycle, group, member);
  }
  bool holds(std::uint32_t group, std::uint32_t member, std::uint32_t barrier) const override {
    return held && held(group, member, barrier);
  }
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(std::uint32_t group) const override {
    return fmt::format("group {} waits at barrier {}", group, members_.current(group));
  }

  std::vector<Arrival> arrivals;
  std::function<bool(std::uint32_t group, std::uint32_t member, std::uint32_t barrier)> held;

 private:
  CountedTraffic traffic_{0, 0};
};

/// Members whose scheme is a FakeScheme and that arrive at the times of a list, [group][barrier]
/// [member] in cycles.
struct FakeRun {
  FakeRun(const run::ListedArrivals::List& list, std::uint64_t split = 0,
          const run::HostTimes& host = {})
      : FakeRun(list, std::make_shared<run::ListedArrivals>(list), split, host) {}
  FakeRun(const run::ListedArrivals::List& list, std::shared_ptr<const run::Arrivals> when,
          std::uint64_t split = 0, const run::HostTimes& host = {})
      : arrivals(std::move(when)),
        members(groups_of(list), *arrivals, static_cast<std::uint32_t>(list.at(0).size()), split, 1,
                host) {}

  /// Begins, and goes on up to and with this cycle.
  void start(std::uint64_t cycle) {
    members.begin(0);
    clock_to(cycle);
  }
  /// Cycles up to and with this one.
  void clock_to(std::uint64_t cycle) {
    for (; now <= cycle; ++now) scheme.clock(now);
  }

  std::shared_ptr<const run::Arrivals> arrivals;
  run::Members members;
  FakeScheme scheme{members};
  std::uint64_t now = 0;

 private:
  static std::vector<run::RunGroup> groups_of(const run::ListedArrivals::List& list) {
    std::vector<run::RunGroup> groups;
    for (const auto& group : list) {
      groups.push_back({fmt::format("g{}", groups.size()), {}});
      for (std::uint32_t m = 0; m < group.at(0).size(); ++m) groups.back().members.push_back(m);
    }
    return groups;
  }
};

}  // namespace muster::test
