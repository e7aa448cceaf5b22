// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <unordered_map>

#include "muster/core/error.hpp"
#include "muster/fabric/endpoint_clients.hpp"
#include "muster/run/result.hpp"

namespace muster::run {

/// Draws the number of trials up to and including the first success, each succeeding with
/// probability p in (0, 1]: the gap between the events of a Bernoulli process, without drawing
/// every cycle of it. The number of failures is geometric, and the binary digits of a geometric
/// variable are independent: digit k is 1 with probability q^(2^k) / (1 + q^(2^k)), q = 1 - p. So
/// it takes no logarithm, whose last bit differs between machines.
class Geometric {
 public:
  explicit Geometric(double p) {
    double power = 1.0 - p;  // q^(2^k)
    for (int digit = 0; digit < 40; ++digit) {
      const auto threshold = static_cast<std::uint64_t>(power / (1.0 + power) * 0x1.0p63) * 2;
      if (threshold == 0) break;
      thresholds_.push_back(threshold);
      power *= power;
    }
  }
  std::uint64_t operator()(Rng& rng) const {
    std::uint64_t failures = 0;
    for (std::size_t k = 0; k < thresholds_.size(); ++k)
      failures |= std::uint64_t{rng.next() < thresholds_[k]} << k;
    return failures + 1;
  }

 private:
  std::vector<std::uint64_t> thresholds_;
};

/// How often each latency came: single cycles below 8192, above that 4096 ranges for each doubling,
/// so that a saturated run of any length needs no more than some hundred thousand counts.
class LatencyHistogram {
 public:
  void add(std::uint64_t latency) {
    const std::size_t at = place(latency);
    if (at >= counts_.size()) counts_.resize(at + kRanges, 0);
    ++counts_[at];
    ++all_;
  }

  /// The least latency that `percent` of all do not exceed, or the greatest of its range. REQUIRES:
  /// one was added; `percent` is 1 to 100.
  std::uint64_t percentile(std::uint64_t percent) const {
    std::uint64_t missing = (all_ * percent + 99) / 100;
    std::size_t at = 0;
    while (counts_[at] < missing) missing -= counts_[at++];
    return last_of(at);
  }

 private:
  static constexpr unsigned kBits = 12;
  static constexpr std::size_t kRanges = std::size_t{1} << kBits;

  static std::size_t place(std::uint64_t latency) {
    if (latency < 2 * kRanges) return latency;
    const unsigned doublings = static_cast<unsigned>(std::bit_width(latency)) - kBits - 1;
    return doublings * kRanges + (latency >> doublings);
  }
  static std::uint64_t last_of(std::size_t place) {
    if (place < 2 * kRanges) return place;
    const std::size_t doublings = place / kRanges - 1;
    return ((place - doublings * kRanges + 1) << doublings) - 1;
  }

  std::vector<std::uint64_t> counts_;
  std::uint64_t all_ = 0;
};

/// Decides if source queues still grow. It keeps at most kSamples samples of the backlog (packets
/// generated and not yet started, all nodes together) at equal distances over the whole run,
/// thinned out as the run gets longer.
///
/// Rule: a run is saturated if the mean backlog of the last quarter exceeds that of the third by
/// more than is seen of N packets generated in a quarter, the lesser of 3 % and 3 sqrt(N), and by
/// more than one packet for every four nodes. So the share of the load that may be left without
/// being seen is 3 % in short runs and falls with the length of the run: arrivals are random, and N
/// of them differ by sqrt(N). The second bound keeps the noise of short queues out. A run with
/// fewer than 16 samples is never called saturated.
class BacklogTrend {
 public:
  static constexpr std::uint64_t kFirstPeriod = 64;  ///< cycles between samples of a short run
  static constexpr std::size_t kSamples = 256;

  bool due(std::uint64_t cycle) const { return cycle >= next_; }
  void add(std::uint64_t cycle, std::uint64_t backlog, std::uint64_t generated) {
    samples_.push_back({backlog, generated});
    next_ = cycle + period_;
    if (samples_.size() < kSamples) return;
    for (std::size_t i = 0; 2 * i < samples_.size(); ++i) samples_[i] = samples_[2 * i];
    samples_.resize(samples_.size() / 2);
    period_ *= 2;
    next_ = cycle + period_ / 2;  // the last sample kept is one old period back
  }
  bool saturated(std::uint32_t nodes) const {
    const std::size_t quarter = samples_.size() / 4;
    if (quarter < 4) return false;
    const auto mean = [&](std::size_t first) {
      double sum = 0;
      for (std::size_t i = first; i < first + quarter; ++i)
        sum += static_cast<double>(samples_[i].backlog);
      return sum / static_cast<double>(quarter);
    };
    const std::size_t last = samples_.size() - quarter;
    const double growth = mean(last) - mean(last - quarter);
    const double offered =
        static_cast<double>(samples_.back().generated - samples_[last - 1].generated);
    const double seen = std::min(0.03 * offered, 3.0 * std::sqrt(offered));
    return growth > std::max(seen, nodes / 4.0);
  }

 private:
  struct Sample {
    std::uint64_t backlog, generated;
  };
  std::vector<Sample> samples_;
  std::uint64_t period_ = kFirstPeriod, next_ = 0;
};

/// Node n sends to `to[n]`.
class Permutation final : public Pattern {
 public:
  explicit Permutation(std::vector<topology::NodeId> to) : to_(std::move(to)) {}
  std::uint32_t destination(std::uint32_t source, Rng& /*rng*/) const override {
    return to_[source];
  }

 private:
  std::vector<topology::NodeId> to_;
};

/// Patterns by name: `uniform`, every other node alike; `opposite`, node n sends to n + N / 2
/// (modulo N); `reverse`, to N - 1 - n; `next-group`, of a dragonfly, to the node at its place in
/// the next group. Where a pattern makes a node send to itself, it does.
inline const std::vector<std::string>& pattern_names() {
  static const std::vector<std::string> names{"uniform", "opposite", "reverse", "next-group"};
  return names;
}

/// That of a run.
inline std::string pattern_of(const RunSpec& spec) {
  return spec.pattern_name.value_or(pattern_names().front());
}
/// Where each node sends, by a pattern that draws nothing; empty: of `uniform`. Throws InputError
/// if the network has no such pattern. REQUIRES: the name is one of pattern_names().
std::vector<topology::NodeId> permutation(const std::string& name, const topology::Graph& graph);
std::shared_ptr<const Pattern> find_pattern(const std::string& name, const topology::Graph& graph);

/// Most flits of a data packet; fabric::kMinDataFlits is the least.
inline constexpr std::uint32_t kMostDataFlits = 65535;

/// Reads lines "CYCLE SOURCE DESTINATION FLITS" in any order, nodes by number or name, and # for
/// the rest of a line that is a comment. Throws InputError "file: line N: reason; how to fix it".
std::shared_ptr<const PacketTrace> read_packets(const std::string& file,
                                                const topology::Graph& graph);
/// What they are on average, flits per node and cycle, until the cycle of the last.
double offered_flits(const PacketTrace& trace);

/// "4:3,64:1". Throws InputError naming --packet-mix.
std::vector<PacketShare> parse_mix(const std::string& text);
std::string mix_text(const std::vector<PacketShare>& mix);

/// Flits of a data packet on average.
inline double mean_flits(const RunSpec& spec) {
  double flits = 0, shares = 0;
  if (spec.packets)
    for (const auto& packets : *spec.packets)
      for (const TracedPacket& packet : packets) flits += packet.flits, shares += 1;
  else
    for (const PacketShare& part : spec.packet_mix)
      flits += double(part.flits) * part.share, shares += part.share;
  return shares == 0 ? spec.packet_length : flits / shares;
}
/// The same at most.
inline std::uint32_t most_flits(const RunSpec& spec) {
  std::uint32_t most = spec.packet_mix.empty() && !spec.packets ? spec.packet_length : 0;
  for (const PacketShare& part : spec.packet_mix) most = std::max(most, part.flits);
  if (spec.packets)
    for (const auto& packets : *spec.packets)
      for (const TracedPacket& packet : packets) most = std::max(most, packet.flits);
  return most;
}

/// Bernoulli packets: in every cycle a node generates one with probability load / length. The
/// generation times are drawn as gaps, when they are needed: a second stream with the same numbers
/// runs ahead to count what is generated, and no queue is stored.
class DataTraffic : public fabric::PacketClient {
 public:
  /// Of `vcs` virtual channels. Throws InputError if the load is out of range. `spec` outlives
  /// this; its network has two nodes or more.
  DataTraffic(const RunSpec& spec, std::uint32_t vcs)
      : spec_(spec),
        nodes_(spec.graph->nodes()),
        vcs_(vcs),
        gap_(spec.packets ? 1.0 : rate(spec)),
        pattern_(spec.pattern ? spec.pattern : find_pattern(pattern_of(spec), *spec.graph)) {
    longest_ = most_flits(spec);
    for (const PacketShare& part : spec.packet_mix) shares_ += part.share;
    sources_.reserve(nodes_);
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      const Rng rng(spec.seed, (kTrafficStream << 32) | n);
      Source source{{rng, 0, 0}, {rng, 0, 0}, {}, {}, Rng(spec.seed, (kWayStream << 32) | n)};
      advance(n, source.sending);
      advance(n, source.counting);
      sources_.push_back(std::move(source));
    }
  }

  std::uint64_t ready(std::uint32_t node) override { return sources_[node].sending.cycle; }
  fabric::Packet take(std::uint64_t /*cycle*/, std::uint32_t node, std::uint8_t vc) override {
    Source& source = sources_[node];
    const std::uint32_t destination = source.sending.destination;
    const std::uint16_t way = draw_way(node, destination, source.ways);
    const std::uint16_t sequence = source.sequence[(way * nodes_ + destination) * vcs_ + vc]++;
    const std::uint32_t length = source.sending.length;
    source.in_flight.push_back({source.sending.cycle, destination, length, sequence, way, vc});
    ++source.started;
    advance(node, source.sending);
    return {.source = node,
            .destination = destination,
            .length = length,
            .sequence = sequence,
            .vc = vc,
            .way = way};
  }
  void deliver(std::uint64_t cycle, std::uint32_t node, const fabric::Packet& packet) override {
    if (packet.source < sources_.size()) {
      auto& in_flight = sources_[packet.source].in_flight;
      // Those that are lost gather at the front.
      for (auto at = in_flight.rbegin(); at != in_flight.rend(); ++at) {
        InFlight& entry = *at;
        if (entry.destination != node || entry.sequence != packet.sequence ||
            entry.vc != packet.vc || entry.way != packet.way)
          continue;
        if (may_lose() && packet.length != entry.length) return;
        ++so_far_.delivered;
        if (cycle >= spec_.warmup) flits_after_warmup_ += packet.length;
        if (entry.generated >= spec_.warmup) {
          const std::uint64_t latency = cycle - entry.generated;
          const bool first = so_far_.measured++ == 0;
          latency_sum_ += latency;
          so_far_.latency_min = first ? latency : std::min(so_far_.latency_min, latency);
          so_far_.latency_max = std::max(so_far_.latency_max, latency);
          latencies_.add(latency);
        }
        entry = in_flight.back();
        in_flight.pop_back();
        return;
      }
    }
    if (may_lose() && packet.length < longest_) return;
    throw InternalError(
        "cycle {}, node {}: packet {} of node {} on channel {} arrives that is not under way",
        cycle, node, packet.sequence, packet.source, packet.vc);
  }

  /// To be called before every cycle; looks at the backlog now and then.
  void sample(std::uint64_t cycle) {
    if (!trend_.due(cycle)) return;
    count_generated(cycle);
    trend_.add(cycle, so_far_.generated - started(), so_far_.generated);
  }
  /// The node generates nothing from this cycle on.
  void die(std::uint64_t cycle, std::uint32_t node) {
    count_generated(cycle);
    sources_[node].sending.cycle = sources_[node].counting.cycle = fabric::kNever;
  }
  /// Of them, in an empty network, those that are lost.
  std::uint64_t in_flight() const { return started() - so_far_.delivered; }
  /// Before `cycle` is clocked. (A packet delivered that was never sent is an InternalError.)
  TrafficStatistics statistics(std::uint64_t cycle) {
    count_generated(cycle);
    TrafficStatistics s = so_far_;
    s.started = started();
    s.unfinished = s.generated - generated_in_warmup_ - s.measured;
    if (s.measured != 0) {
      s.latency_mean = static_cast<double>(latency_sum_) / static_cast<double>(s.measured);
      const auto percentile = [&](std::uint64_t percent) {
        return std::min(latencies_.percentile(percent), s.latency_max);
      };
      s.latency_p50 = percentile(50);
      s.latency_p95 = percentile(95);
      s.latency_p99 = percentile(99);
    }
    if (cycle > spec_.warmup) {
      const double node_cycles = static_cast<double>(cycle - spec_.warmup) * nodes_;
      s.offered = static_cast<double>(flits_generated_) / node_cycles;
      s.accepted = static_cast<double>(flits_after_warmup_) / node_cycles;
    }
    s.backlog = s.generated - s.started;
    s.saturated = trend_.saturated(nodes_);
    return s;
  }

 private:
  static constexpr std::uint64_t kTrafficStream = 0x74726166;  ///< apart from other streams
  static constexpr std::uint64_t kWayStream = 0x77617973;      ///< the same, of ways

  /// Packets may be lost, or cut on their way.
  bool may_lose() const { return !spec_.deaths.empty(); }
  /// Packets per cycle of a node.
  static double rate(const RunSpec& spec) {
    const double rate = spec.load_flits / mean_flits(spec);
    if (!(rate > 0.0 && rate <= 1.0)) {
      throw InputError(
          "load of {} flits a node and cycle with packets of {} flits: it must be above 0 and give "
          "at most one packet a cycle",
          spec.load_flits, mean_flits(spec));
    }
    return rate;
  }
  /// The next packet of a node and the random numbers behind it.
  struct Generator {
    Rng rng;
    std::uint64_t cycle = 0;  ///< fabric::kNever: none
    std::uint32_t destination = 0, length = 0;
    std::size_t traced = 0;  ///< packets of a trace behind it
  };
  struct InFlight {
    std::uint64_t generated;
    std::uint32_t destination, length;
    std::uint16_t sequence, way;
    std::uint8_t vc;
  };
  struct Source {
    Generator sending, counting;
    std::vector<InFlight> in_flight;
    std::unordered_map<std::uint32_t, std::uint16_t>
        sequence;  ///< next, by way, destination and virtual channel
    Rng ways;
    std::uint64_t started = 0;  ///< packets
  };
  std::uint16_t draw_way(std::uint32_t from, std::uint32_t to, Rng& rng) const {
    const topology::Phases* const phases = spec_.routes->phases();
    const std::uint32_t choices = phases == nullptr ? 0 : phases->choices(from, to);
    if (choices == 0) return 0;
    const auto i = static_cast<std::uint32_t>(rng.below(choices));
    return static_cast<std::uint16_t>(phases->choice(from, to, i));
  }
  void advance(std::uint32_t node, Generator& generator) const {
    if (spec_.packets) return follow_trace((*spec_.packets)[node], generator);
    generator.cycle += gap_(generator.rng);
    generator.destination = pattern_->destination(node, generator.rng);
    if (generator.destination >= nodes_)
      throw InputError("RunSpec::pattern: node {} sends to node {}; there are {}", node,
                       generator.destination, nodes_);
    generator.length = spec_.packet_length;
    if (shares_ == 0) return;
    std::uint64_t at = generator.rng.below(shares_);
    for (const PacketShare& part : spec_.packet_mix) {
      generator.length = part.flits;
      if (at < part.share) return;
      at -= part.share;
    }
  }
  static void follow_trace(const std::vector<TracedPacket>& packets, Generator& generator) {
    generator.cycle = fabric::kNever;
    if (generator.traced == packets.size()) return;
    const TracedPacket& next = packets[generator.traced++];
    generator.cycle = next.cycle;
    generator.destination = next.destination;
    generator.length = next.flits;
  }
  std::uint64_t started() const {
    std::uint64_t sum = 0;
    for (const Source& source : sources_) sum += source.started;
    return sum;
  }
  void count_generated(std::uint64_t before) {
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      Generator& generator = sources_[n].counting;
      while (generator.cycle < before) {
        ++so_far_.generated;
        if (generator.cycle < spec_.warmup)
          ++generated_in_warmup_;
        else
          flits_generated_ += generator.length;
        advance(n, generator);
      }
    }
  }

  const RunSpec& spec_;
  std::uint32_t nodes_, vcs_;
  Geometric gap_;
  std::shared_ptr<const Pattern> pattern_;
  std::vector<Source> sources_;
  BacklogTrend trend_;
  LatencyHistogram latencies_;
  std::uint64_t shares_ = 0;           ///< of all lengths of the mix
  std::uint32_t longest_ = 0;          ///< packet, flits
  std::uint64_t flits_generated_ = 0;  ///< not in the warm-up
  std::uint64_t generated_in_warmup_ = 0, latency_sum_ = 0, flits_after_warmup_ = 0;
  TrafficStatistics so_far_;  ///< what is counted: generated to measured, least and most latency
};

}  // namespace muster::run
