// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/number_map.hpp"
#include "muster/fabric/endpoint_clients.hpp"
#include "muster/run/pattern.hpp"
#include "muster/run/traffic_statistics.hpp"
#include "run/backlog_trend.hpp"
#include "run/geometric.hpp"
#include "run/latency_histogram.hpp"

namespace muster::run {

/// Most flits of a data packet; fabric::kMinDataFlits is the least.
inline constexpr std::uint32_t kMostDataFlits = 65535;

struct TrafficSpec {
  std::uint32_t nodes = 0;
  double flits_per_node_cycle = 0.0;  ///< offered load, above 0, at most `packet_length`
  std::uint32_t packet_length = 8;    ///< flits, at least 3
  std::uint32_t vcs = 1;              ///< virtual channels that data may use, as numbered
  std::uint64_t seed = 0;
  std::uint64_t warmup = 0;  ///< packets generated before this cycle are carried and not counted
  bool losses = false;       ///< packets may be lost, or cut on their way
};

/// Bernoulli packets: in every cycle a node generates one with probability load / length. The
/// generation times are drawn as gaps, when they are needed: a second stream with the same numbers
/// runs ahead to count what is generated, and no queue is stored.
class DataTraffic : public fabric::PacketClient {
 public:
  /// Throws InputError if the specification is out of range. The pattern serves two or more nodes.
  DataTraffic(const TrafficSpec& spec, std::shared_ptr<const Pattern> pattern);

  std::uint64_t ready(std::uint32_t node) override { return sources_[node].sending.cycle; }
  fabric::Packet take(std::uint64_t cycle, std::uint32_t node, std::uint8_t vc) override;
  void deliver(std::uint64_t cycle, std::uint32_t node, const fabric::Packet& packet) override;

  /// To be called before every cycle; looks at the backlog now and then.
  void sample(std::uint64_t cycle) {
    if (trend_.due(cycle)) take_sample(cycle);
  }
  /// The node generates nothing from this cycle on.
  void die(std::uint64_t cycle, std::uint32_t node);
  /// Of them, in an empty network, those that are lost.
  std::uint64_t in_flight() const { return started_ - delivered_; }
  /// Before `cycle` is clocked. (A packet delivered that was never sent is an InternalError.)
  TrafficStatistics statistics(std::uint64_t cycle);

 private:
  /// The next packet of a node and the random numbers behind it.
  struct Generator {
    Rng rng;
    std::uint64_t cycle = 0;  ///< fabric::kNever: none
    std::uint32_t destination = 0;
  };
  struct InFlight {
    std::uint64_t generated;
    std::uint32_t destination;
    std::uint16_t sequence;
    std::uint8_t vc;
  };
  struct Source {
    Generator sending, counting;
    std::vector<InFlight> in_flight;
    core::NumberMap<std::uint16_t> sequence;  ///< next, by destination and virtual channel
  };
  void advance(std::uint32_t node, Generator& generator) const;
  void count_generated(std::uint64_t before);
  void take_sample(std::uint64_t cycle);

  TrafficSpec spec_;
  Geometric gap_;
  std::shared_ptr<const Pattern> pattern_;
  std::vector<Source> sources_;
  BacklogTrend trend_;
  LatencyHistogram latencies_;
  std::uint64_t generated_ = 0, generated_in_warmup_ = 0, started_ = 0, delivered_ = 0;
  std::uint64_t measured_ = 0, latency_sum_ = 0, latency_max_ = 0, flits_after_warmup_ = 0;
  std::uint64_t latency_min_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace muster::run
