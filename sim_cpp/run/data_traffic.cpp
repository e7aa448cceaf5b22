// SPDX-License-Identifier: Apache-2.0
#include "run/data_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "muster/core/error.hpp"

namespace muster::run {

void BacklogTrend::add(std::uint64_t cycle, std::uint64_t backlog, std::uint64_t generated) {
  samples_.push_back({backlog, generated});
  next_ = cycle + period_;
  if (samples_.size() < kSamples) return;
  for (std::size_t i = 0; 2 * i < samples_.size(); ++i) samples_[i] = samples_[2 * i];
  samples_.resize(samples_.size() / 2);
  period_ *= 2;
  next_ = cycle + period_ / 2;  // the last sample kept is one old period back
}

bool BacklogTrend::saturated(std::uint32_t nodes) const {
  const std::size_t quarter = samples_.size() / 4;
  if (quarter < 4) return false;
  const auto mean = [&](std::size_t first) {
    double sum = 0;
    for (std::size_t i = first; i < first + quarter; ++i) {
      sum += static_cast<double>(samples_[i].backlog);
    }
    return sum / static_cast<double>(quarter);
  };
  const std::size_t last = samples_.size() - quarter;
  const double growth = mean(last) - mean(last - quarter);
  const double offered =
      static_cast<double>(samples_.back().generated - samples_[last - 1].generated);
  const double seen = std::min(0.03 * offered, 3.0 * std::sqrt(offered));
  return growth > std::max(seen, nodes / 4.0);
}

namespace {

/// Each node sends to one, by a function of its number and the number of nodes.
class Permutation final : public Pattern {
 public:
  using To = std::uint32_t (*)(std::uint32_t source, std::uint32_t nodes);
  Permutation(std::uint32_t nodes, To to) : nodes_(nodes), to_(to) {}
  std::uint32_t destination(std::uint32_t source, Rng& /*rng*/) const override {
    return to_(source, nodes_);
  }

 private:
  std::uint32_t nodes_;
  To to_;
};

std::uint32_t opposite(std::uint32_t source, std::uint32_t nodes) {
  return (source + nodes / 2) % nodes;
}
std::uint32_t reverse(std::uint32_t source, std::uint32_t nodes) { return nodes - 1 - source; }

/// Packets per cycle of a node.
double rate(const TrafficSpec& spec) {
  if (spec.packet_length < fabric::kMinDataFlits || spec.packet_length > kMostDataFlits) {
    throw InputError(fmt::format("packet length {}: a data packet has {} to {} flits",
                                 spec.packet_length, fabric::kMinDataFlits, kMostDataFlits));
  }
  const double rate = spec.flits_per_node_cycle / spec.packet_length;
  if (!(rate > 0.0 && rate <= 1.0)) {
    throw InputError(
        fmt::format("load of {} flits a node and cycle with packets of {} flits: it must be above "
                    "0 and give at "
                    "most one packet a cycle",
                    spec.flits_per_node_cycle, spec.packet_length));
  }
  return rate;
}

constexpr std::uint64_t kTrafficStream = 0x74726166;  // keeps these streams apart from others

}  // namespace

const std::vector<std::string>& pattern_names() {
  static const std::vector<std::string> names{"uniform", "opposite", "reverse"};
  return names;
}

std::shared_ptr<const Pattern> find_pattern(const std::string& name, std::uint32_t nodes) {
  if (name == "opposite") return std::make_shared<Permutation>(nodes, opposite);
  if (name == "reverse") return std::make_shared<Permutation>(nodes, reverse);
  return std::make_shared<Uniform>(nodes);
}

DataTraffic::DataTraffic(const TrafficSpec& spec, std::shared_ptr<const Pattern> pattern)
    : spec_(spec), gap_(rate(spec)), pattern_(std::move(pattern)) {
  sources_.reserve(spec.nodes);
  for (std::uint32_t n = 0; n < spec.nodes; ++n) {
    const Rng rng(spec.seed, (kTrafficStream << 32) | n);
    Source source{{rng, 0, 0}, {rng, 0, 0}, {}, {}};
    advance(n, source.sending);
    advance(n, source.counting);
    sources_.push_back(std::move(source));
  }
}

void DataTraffic::advance(std::uint32_t node, Generator& generator) const {
  generator.cycle += gap_(generator.rng);
  generator.destination = pattern_->destination(node, generator.rng);
  if (generator.destination >= spec_.nodes)
    throw InputError(fmt::format("RunSpec::pattern: node {} sends to node {}; there are {}", node,
                                 generator.destination, spec_.nodes));
}

fabric::Packet DataTraffic::take(std::uint64_t /*cycle*/, std::uint32_t node, std::uint8_t vc) {
  Source& source = sources_[node];
  const std::uint32_t destination = source.sending.destination;
  const std::uint16_t sequence = source.sequence[destination * spec_.vcs + vc]++;
  source.in_flight.push_back({source.sending.cycle, destination, sequence, vc});
  ++started_;
  advance(node, source.sending);
  return {.source = node,
          .destination = destination,
          .length = spec_.packet_length,
          .sequence = sequence,
          .vc = vc};
}

void DataTraffic::deliver(std::uint64_t cycle, std::uint32_t node, const fabric::Packet& packet) {
  if (packet.source < sources_.size()) {
    auto& in_flight = sources_[packet.source].in_flight;
    // Those that are lost gather at the front.
    for (auto at = in_flight.rbegin(); at != in_flight.rend(); ++at) {
      InFlight& entry = *at;
      if (entry.destination != node || entry.sequence != packet.sequence || entry.vc != packet.vc)
        continue;
      if (spec_.losses && packet.length != spec_.packet_length) return;
      ++delivered_;
      if (cycle >= spec_.warmup) flits_after_warmup_ += packet.length;
      if (entry.generated >= spec_.warmup) {
        const std::uint64_t latency = cycle - entry.generated;
        ++measured_;
        latency_sum_ += latency;
        latency_min_ = std::min(latency_min_, latency);
        latency_max_ = std::max(latency_max_, latency);
        latencies_.add(latency);
      }
      entry = in_flight.back();
      in_flight.pop_back();
      return;
    }
  }
  if (spec_.losses && packet.length < spec_.packet_length) return;
  throw InternalError(
      fmt::format("cycle {}, node {}: packet {} of node {} on channel {} arrives that "
                  "is not under way",
                  cycle, node, packet.sequence, packet.source, packet.vc));
}

void DataTraffic::die(std::uint64_t cycle, std::uint32_t node) {
  count_generated(cycle);
  sources_[node].sending.cycle = sources_[node].counting.cycle = fabric::kNever;
}

void DataTraffic::count_generated(std::uint64_t before) {
  for (std::uint32_t n = 0; n < spec_.nodes; ++n) {
    Generator& generator = sources_[n].counting;
    while (generator.cycle < before) {
      ++generated_;
      if (generator.cycle < spec_.warmup) ++generated_in_warmup_;
      advance(n, generator);
    }
  }
}

void DataTraffic::take_sample(std::uint64_t cycle) {
  count_generated(cycle);
  trend_.add(cycle, generated_ - started_, generated_);
}

TrafficStatistics DataTraffic::statistics(std::uint64_t cycle) {
  count_generated(cycle);
  TrafficStatistics s;
  s.generated = generated_;
  s.started = started_;
  s.delivered = delivered_;
  s.measured = measured_;
  s.unfinished = generated_ - generated_in_warmup_ - measured_;
  if (measured_ != 0) {
    s.latency_mean = static_cast<double>(latency_sum_) / static_cast<double>(measured_);
    s.latency_min = latency_min_;
    s.latency_max = latency_max_;
    const auto percentile = [&](std::uint64_t percent) {
      return std::min(latencies_.percentile(percent), latency_max_);
    };
    s.latency_p50 = percentile(50);
    s.latency_p95 = percentile(95);
    s.latency_p99 = percentile(99);
  }
  if (cycle > spec_.warmup) {
    const double node_cycles = static_cast<double>(cycle - spec_.warmup) * spec_.nodes;
    s.offered = static_cast<double>((generated_ - generated_in_warmup_) * spec_.packet_length) /
                node_cycles;
    s.accepted = static_cast<double>(flits_after_warmup_) / node_cycles;
  }
  s.backlog = generated_ - started_;
  s.saturated = trend_.saturated(spec_.nodes);
  return s;
}

}  // namespace muster::run
