// SPDX-License-Identifier: Apache-2.0
#include "run/data_traffic.hpp"

#include "run/saturation.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/folder.hpp"

namespace muster::run {
namespace {

TEST_CASE("gaps have the distribution of Bernoulli trials", "[workload][geometric]") {
  const double p = GENERATE(1.0, 0.9, 0.5, 0.1, 0.0125);
  const std::uint64_t seed = muster_seed();
  CAPTURE(p, seed);
  const Geometric gap(p);
  Random rng(seed);
  constexpr int kDraws = 200'000;
  std::map<std::uint64_t, int> counts;
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t g = gap(rng);
    ++counts[g];
    sum += static_cast<double>(g);
  }
  CHECK(counts.begin()->first >= 1);
  const double mean = 1 / p, deviation = std::sqrt(1 - p) / p / std::sqrt(kDraws);
  CHECK(std::abs(sum / kDraws - mean) <= 5 * deviation);
  for (std::uint64_t g = 1; g <= 8; ++g) {  // P(gap = g) = q^(g-1) p
    const double expected = kDraws * p * std::pow(1 - p, double(g - 1));
    CHECK(std::abs(counts[g] - expected) <= 5 * std::sqrt(expected) + 1e-9);
  }
}

std::uint64_t sorted_percentile(const std::vector<std::uint64_t>& sorted, std::uint64_t percent) {
  std::size_t at = 0;
  while (100 * (at + 1) < percent * sorted.size()) ++at;
  return sorted[at];
}

TEST_CASE("percentiles are those of sorted latencies, above 8191 up to 1/4096 more",
          "[workload][traffic]") {
  Random rng(muster_seed(), 31);
  for (int round = 0; round < 50; ++round) {
    const unsigned bits = 1 + static_cast<unsigned>(rng.below(40));
    LatencyHistogram histogram;
    std::vector<std::uint64_t> all;
    for (std::uint64_t left = 1 + rng.below(400); left != 0; --left) {
      all.push_back((rng.next() >> 24) >> (40 - bits));
      histogram.add(all.back());
    }
    std::ranges::sort(all);
    for (const std::uint64_t percent : {1u, 50u, 95u, 99u, 100u}) {
      const std::uint64_t exact = sorted_percentile(all, percent);
      const std::uint64_t found = histogram.percentile(percent);
      CAPTURE(bits, all.size(), percent);
      REQUIRE(found >= exact);
      REQUIRE(found - exact <= (exact < 8192 ? 0 : exact / 4096));
    }
  }
}

/// Feeds a trend whenever it asks, with backlog and generated packets as functions of the cycle.
template <class Backlog>
BacklogTrend feed(std::uint64_t cycles, double packets_per_cycle, Backlog&& backlog) {
  BacklogTrend trend;
  for (std::uint64_t c = 0; c < cycles; ++c) {
    if (trend.due(c)) {
      trend.add(c, static_cast<std::uint64_t>(backlog(double(c))),
                static_cast<std::uint64_t>(packets_per_cycle * double(c)));
    }
  }
  return trend;
}

TEST_CASE("queues that grow by a tenth of the load are saturation, at any length of run",
          "[workload][backlog]") {
  const std::uint64_t cycles = GENERATE(5'000u, 17'000u, 100'000u, 1'000'000u);
  CAPTURE(cycles);
  CHECK(feed(cycles, 1.0, [](double c) { return 0.1 * c; }).saturated(60));
  CHECK_FALSE(feed(cycles, 1.0, [](double) { return 500.0; }).saturated(60));
  CHECK_FALSE(feed(cycles, 1.0, [](double c) { return 0.005 * c; }).saturated(60));
}

TEST_CASE(
    "growth must exceed 3 % of a quarter's packets, or three times the root of many, and a "
    "packet for every four nodes",
    "[workload][backlog]") {
  // 16 samples, quarters of 4: the backlog steps up by `growth` in the last.
  const auto stepped = [](std::uint64_t growth, std::uint64_t generated_a_sample) {
    BacklogTrend trend;
    for (std::uint64_t i = 0; i < 16; ++i)
      trend.add(i * BacklogTrend::kFirstPeriod, i < 12 ? 50 : 50 + growth, i * generated_a_sample);
    return trend;
  };
  CHECK_FALSE(stepped(25, 1).saturated(100));  // exactly one for every four
  CHECK(stepped(26, 1).saturated(100));
  CHECK_FALSE(stepped(120, 1000).saturated(100));  // exactly 3 % of 4000
  CHECK(stepped(121, 1000).saturated(100));
  CHECK_FALSE(stepped(600, 10'000).saturated(100));  // of 40 000, of which 3 % are 1200
  CHECK(stepped(601, 10'000).saturated(100));
}

TEST_CASE("patterns send where their names say, inside the network", "[run][pattern]") {
  Random rng(1, 1);
  for (const std::uint32_t nodes : {2u, 5u, 16u})
    for (const std::string& name : pattern_names()) {
      CAPTURE(name, nodes);
      if (name == "next-group") continue;
      const auto pattern = find_pattern(name, topology::generate_complete(nodes));
      for (std::uint32_t n = 0; n < nodes; ++n) {
        const std::uint32_t to = pattern->destination(n, rng);
        CHECK(to < nodes);
        if (name == "uniform") CHECK(to != n);
        if (name == "opposite") CHECK(to == (n + nodes / 2) % nodes);
        if (name == "reverse") CHECK(to == nodes - 1 - n);
      }
    }
  const topology::Graph dragonfly = topology::generate_dragonfly({});
  const auto next = find_pattern("next-group", dragonfly);
  for (std::uint32_t n = 0; n < dragonfly.nodes(); ++n)
    CHECK(next->destination(n, rng) == (n + 8) % dragonfly.nodes());
}

/// On a network of so many nodes.
RunSpec data_spec(std::uint32_t nodes, double load_flits, std::uint64_t seed) {
  RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(topology::generate_complete(nodes));
  spec.routes = std::make_shared<topology::Routes>(topology::routes_for(*spec.graph));
  spec.load_flits = load_flits;
  spec.seed = seed;
  return spec;
}

TEST_CASE("destinations are uniform over the other nodes, sequence numbers count each flow",
          "[workload][traffic]") {
  const RunSpec spec = data_spec(5, 0.5, muster_seed());
  DataTraffic t(spec, 2);
  std::vector<int> to(5);
  std::vector<std::array<std::uint16_t, 2>> next(5);
  std::uint64_t last = 0;
  for (int i = 0; i < 8000; ++i) {
    const std::uint64_t ready = t.ready(2);
    REQUIRE(ready > last);
    last = ready;
    const auto vc = static_cast<std::uint8_t>(i % 3 == 0);
    const fabric::Packet p = t.take(ready, 2, vc);
    REQUIRE(p.source == 2);
    REQUIRE(p.length == 8);
    REQUIRE(p.sequence == next[p.destination][vc]++);
    ++to[p.destination];
  }
  CHECK(to[2] == 0);
  for (const int n : {0, 1, 3, 4}) CHECK(to[n] == Approx(2000).margin(200));
  CHECK(last == Approx(8000 * 8 / 0.5).epsilon(0.05));
}

TEST_CASE("the backlog counts what is generated and not taken, without storing it",
          "[workload][traffic]") {
  RunSpec spec = data_spec(10, 0.8, 7);
  spec.packet_length = 4;
  DataTraffic t(spec, 1);
  const TrafficStatistics before = t.statistics(10'000);
  CHECK(before.generated == Approx(10 * 10'000 * 0.2).epsilon(0.05));
  CHECK(before.backlog == before.generated);
  CHECK(before.offered == Approx(0.8).epsilon(0.05));
  std::uint64_t taken = 0;
  for (std::uint32_t n = 0; n < 10; ++n)
    for (; t.ready(n) < 10'000; ++taken) t.take(10'000, n, 0);
  CHECK(taken == before.generated);
  CHECK(t.statistics(10'000).backlog == 0);
  CHECK(t.in_flight() == taken);
}

TEST_CASE("lengths of a mix are drawn in the ratio of their shares, and the load is as without",
          "[workload][traffic]") {
  RunSpec spec = data_spec(4, 0.6, muster_seed());
  spec.packet_mix = {{4, 3}, {20, 1}};
  DataTraffic t(spec, 1);
  std::map<std::uint32_t, int> packets;
  std::uint64_t flits = 0;
  for (int i = 0; i < 8000; ++i) {
    const fabric::Packet p = t.take(t.ready(1), 1, 0);
    ++packets[p.length];
    flits += p.length;
  }
  REQUIRE(packets.size() == 2);
  CHECK(packets[4] == Approx(6000).margin(200));
  CHECK(static_cast<double>(flits) / static_cast<double>(t.ready(1)) == Approx(0.6).epsilon(0.05));
  CHECK(t.statistics(100'000).offered == Approx(0.6).epsilon(0.05));
}

TEST_CASE("packets of a trace are generated in their cycles, and no others",
          "[workload][traffic]") {
  PacketTrace trace(3);
  trace[2] = {{5, 0, 4}, {5, 1, 3}, {90, 1, 9}};
  RunSpec spec = data_spec(3, offered_flits(trace), 7);
  spec.packets = std::make_shared<PacketTrace>(trace);
  DataTraffic t(spec, 1);
  CHECK(t.ready(0) == fabric::kNever);
  for (const TracedPacket& want : trace[2]) {
    REQUIRE(t.ready(2) == want.cycle);
    const fabric::Packet p = t.take(want.cycle, 2, 0);
    CHECK(p.destination == want.destination);
    CHECK(p.length == want.flits);
    t.deliver(want.cycle + 30, p.destination, p);
  }
  CHECK(t.ready(2) == fabric::kNever);
  const TrafficStatistics s = t.statistics(100);
  CHECK(s.generated == 3);
  CHECK(s.measured == 3);
  CHECK(s.offered == Approx(16.0 / 300));
}

TEST_CASE("a packet that is not under way is an error, so is one that comes twice",
          "[workload][traffic]") {
  const RunSpec spec = data_spec(3, 0.1, 7);
  DataTraffic t(spec, 1);
  fabric::Packet p = t.take(t.ready(0), 0, 0);
  fabric::Packet other = p;
  other.sequence ^= 1;
  CHECK_THROWS_AS(t.deliver(9, p.destination, other), InternalError);
  CHECK_THROWS_AS(t.deliver(9, 3 - p.destination, p), InternalError);
  other = p;
  other.source = 3;
  CHECK_THROWS_AS(t.deliver(9, p.destination, other), InternalError);
  t.deliver(9, p.destination, p);
  CHECK_THROWS_AS(t.deliver(10, p.destination, p), InternalError);
}

topology::Graph three_nodes() {
  topology::Graph graph = topology::generate_complete(3);
  graph.node_names[1] = "h1";
  return graph;
}

TEST_CASE("a trace of packets is read in any order, with comments", "[workload][traffic]") {
  const test::Folder folder;
  folder.write("p.txt",
               "# cycle source destination flits\n30 h1 0 3\n\n10 1 2 8 # first\n0 0 h1 4");
  const auto trace = read_packets(folder.file("p.txt"), three_nodes());
  REQUIRE(trace->size() == 3);
  REQUIRE((*trace)[1].size() == 2);
  CHECK((*trace)[1][0].cycle == 10);
  CHECK((*trace)[1][0].flits == 8);
  CHECK((*trace)[1][1].destination == 0);
  CHECK((*trace)[2].empty());
  CHECK(offered_flits(*trace) == Approx(15.0 / (31 * 3)));
}

TEST_CASE("a line that is no packet is refused with its number", "[workload][bad-input]") {
  const test::Folder folder;
  const std::pair<const char*, const char*> bad[] = {
      {"", "no packet; write a line CYCLE SOURCE DESTINATION FLITS"},
      {"# none\n", "no packet"},
      {"1 0 1", "line 1: write CYCLE SOURCE DESTINATION FLITS"},
      {"1 0 1 8\n2 0 1 8 9", "line 2: more than four words"},
      {"1 0 1 x", "line 1: 'x' is not a whole number"},
      {"-1 0 1 8", "'-1' is not a whole number"},
      {"1 0 3 8", "there is no node 3; the network has 3"},
      {"1 7 0 8", "there is no node 7"},
      {"1 0 1 2", "a data packet has 3 to 65535 flits, not 2"},
      {"99999999999999999 0 1 8", "is above"},
      {"99999999999999999999999 0 1 8", "is not a whole number"}};
  for (const auto& [text, reason] : bad) {
    CAPTURE(text);
    folder.write("p.txt", text);
    CHECK_THROWS_WITH(read_packets(folder.file("p.txt"), three_nodes()),
                      Contains("p.txt") && Contains(reason));
  }
}

TEST_CASE("a mix of lengths is read and written, or refused", "[workload][bad-input]") {
  CHECK(mix_text(parse_mix("4:3,64:1")) == "4:3,64:1");
  const std::pair<const char*, const char*> bad[] = {
      {"4", "write FLITS:SHARE,..."}, {"4:", "write FLITS:SHARE"},
      {"4:1,,5:1", "write FLITS"},    {"a:1", "write FLITS:SHARE"},
      {"2:1", "3 to 65535 flits"},    {"4:0", "a share is 1 to 1000000"},
      {"4:1x", "write FLITS:SHARE"}};
  for (const auto& [text, reason] : bad) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_mix(text), Contains("--packet-mix") && Contains(reason));
  }
}

/// Runs of which `agree` saturate from `edge` on, and all from `all` on.
MeasureLoad network(double edge, double all, std::uint32_t runs, std::uint32_t agree) {
  return [=](double load) {
    const std::uint32_t saturated = load >= all ? runs : load >= edge ? agree : 0;
    return Probe{.load = load, .runs = runs, .saturated = saturated};
  };
}

TEST_CASE("a search ends with an interval as wide as the tolerance, or as far as seeds disagree",
          "[run][saturation]") {
  struct Case {
    double first, edge, all;
    std::uint32_t runs, agree;
    double sustained, unsustained;  ///< the least of both; 0: all loads are carried
  };
  const Case cases[] = {{0.4, 0.17, 0.17, 3, 3, 0.16, 0.17},  // by bisection
                        {0.1, 0.53, 0.53, 1, 1, 0.52, 0.53},  // found by doubling
                        {0.8, 0.3, 0.5, 3, 1, 0.29, 0.5},     // the seeds disagree
                        {0.8, 0.3, 0.5, 3, 2, 0.29, 0.5},
                        {0.8, 0.9, 2.0, 3, 1, 0.89, 0.0},  // also at the most that nodes send
                        {0.3, 2.0, 2.0, 3, 3, 1.0, 0.0}};  // a network that does not saturate
  for (const Case& c : cases) {
    CAPTURE(c.first, c.edge, c.all, c.agree);
    const Saturation found = find_saturation({.first = c.first, .most = 1.0, .tolerance = 0.01},
                                             network(c.edge, c.all, c.runs, c.agree));
    CHECK(found.verdict == (c.edge > 1.0 ? Verdict::kSustained : Verdict::kSaturates));
    CHECK((c.sustained <= found.sustained && found.sustained <= c.sustained + 0.01));
    CHECK((c.edge > 1.0 || found.sustained < c.edge));
    CHECK(found.unsustained.has_value() == (c.unsustained != 0.0));
    if (found.unsustained)
      CHECK((c.unsustained <= *found.unsustained && *found.unsustained <= c.unsustained + 0.01));
    CHECK(found.probes.front().load == c.first);
    CHECK(found.probes.size() <= 16);
  }
}

}  // namespace
}  // namespace muster::run
