// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/lanes.hpp"
#include "fabric/golden/switch_bank.hpp"
#include "muster/fabric/barrier_message.hpp"
#include "muster/fabric/switch_config.hpp"
#include "support/test.hpp"
#include "systems/btin/golden/barrier_register.hpp"
#include "systems/btin/golden/barrier_switch.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::golden {

/// The surroundings of a single switch: they send legal traffic and check what comes out. They know
/// the order in which things must come, and nothing of cycles.

/// Packets of 1 to 6 flits from every lane to random destinations: delivered once, whole, in order
/// of their lane and unmixed on an output channel.
class DataTraffic {
 public:
  DataTraffic(std::vector<std::uint16_t> routes, Random& rng)
      : routes_(std::move(routes)), rng_(rng) {}

  /// Another packet for an input lane.
  void generate(std::uint32_t lane) {
    const std::uint32_t destination = rng_.below(routes_.size());
    const auto length = 1 + rng_.below(6);
    const bool routed = routes_[destination] != 0;
    unroutable_ += !routed;
    for (std::uint32_t i = 0; i < length; ++i) {
      core::Flit flit;
      // The opcode names the input; bodies are random.
      flit.lo =
          i == 0 ? destination | port_of(lane) << fabric::kDestinationWidth : rng_.below(0x10000);
      flit.vc = static_cast<std::uint8_t>(vc_of(lane));
      if (i == 0) flit.kind |= core::Flit::kHead;
      if (i + 1 == length) flit.kind |= core::Flit::kTail;
      waiting_[lane].push_back(flit);
      if (routed) expected_[lane].push_back(flit);
    }
  }

  std::deque<core::Flit>& waiting(std::uint32_t lane) { return waiting_[lane]; }

  void receive(std::uint32_t port, const core::Flit& flit) {
    std::optional<std::uint32_t>& sender = sender_[lane_of(port, flit.vc)];
    if (!sender) {
      REQUIRE(flit.head());
      REQUIRE(lowest(routes_.at(fabric::Formats::destination(flit))) == port);
      sender = lane_of(fabric::Formats::opcode(flit), flit.vc);
    }
    REQUIRE_FALSE(expected_[*sender].empty());
    REQUIRE(flit == expected_[*sender].front());
    expected_[*sender].pop_front();
    if (flit.tail()) sender.reset();
    ++delivered_;
  }

  bool drained() const {
    const auto empty = [](const auto& lane) { return lane.empty(); };
    return std::ranges::all_of(waiting_, empty) && std::ranges::all_of(expected_, empty);
  }
  std::uint32_t unroutable() const { return unroutable_; }
  std::uint64_t delivered() const { return delivered_; }

 private:
  std::vector<std::uint16_t> routes_;
  Random& rng_;
  std::array<std::deque<core::Flit>, kMaxLanes> waiting_, expected_;
  std::array<std::optional<std::uint32_t>, kMaxLanes> sender_;  // by output channel
  std::uint32_t unroutable_ = 0;
  std::uint64_t delivered_ = 0;
};

/// One barrier group through the switch: its children arrive again as soon as they were released,
/// its parent answers each reduction. No release before all have arrived, each exactly once, the
/// right data upwards and downwards.
class BarrierGroup {
 public:
  BarrierGroup(std::uint32_t gid, std::uint32_t children, std::uint32_t parent, bool reflect)
      : gid_(gid), children_(children), parent_(parent), reflect_(reflect) {}

  /// True if the child at `port` may arrive now; `start` allows it to open another barrier.
  bool may_arrive(std::uint32_t port, bool start) const {
    if (!has(children_, port) || arrivals_[port] != releases_[port]) return false;
    return start || arrivals_[port] < *std::ranges::max_element(arrivals_);
  }
  fabric::BarrierMessage arrive(std::uint32_t port, fabric::Payload data) {
    Round& round = rounds_[arrivals_[port]++ % 2];
    ++round.arrived;
    round.up = fabric::reduce(fabric::ReduceOp::kOr, round.up, data, 74);
    return {fabric::MessageType::kReduction, gid_, data};
  }

  /// A message came out at `port`. Returns the parent's answer if it was the reduction.
  std::optional<fabric::BarrierMessage> receive(std::uint32_t port,
                                                const fabric::BarrierMessage& message,
                                                fabric::Payload answer) {
    const auto all = static_cast<std::uint32_t>(std::popcount(children_));
    if (message.type == fabric::MessageType::kReduction) {
      REQUIRE_FALSE(reflect_);
      REQUIRE(port == parent_);
      Round& round = rounds_[reductions_++ % 2];
      REQUIRE(round.arrived == all);
      REQUIRE(message.data == round.up);
      round.answer = answer;
      return fabric::BarrierMessage{fabric::MessageType::kDistribution, gid_, answer};
    }
    REQUIRE(has(children_, port));
    REQUIRE(releases_[port] < arrivals_[port]);
    Round& round = rounds_[releases_[port]++ % 2];
    REQUIRE(round.arrived == all);
    REQUIRE(message.data == (reflect_ ? round.up : *round.answer));
    if (++round.released == all) {
      round = {};
      ++completed_;
    }
    return std::nullopt;
  }

  bool drained() const { return arrivals_ == releases_; }
  std::uint32_t completed() const { return completed_; }

 private:
  struct Round {
    std::uint32_t arrived = 0, released = 0;
    fabric::Payload up;
    std::optional<fabric::Payload> answer;
  };
  std::uint32_t gid_, children_, parent_;
  bool reflect_;
  std::array<Round, 2> rounds_;  // a child released from round n may be in n + 1, none in n + 2
  std::array<std::uint32_t, kMaxPorts> arrivals_{}, releases_{};
  std::uint32_t reductions_ = 0, completed_ = 0;
};

namespace {

/// How eagerly the surroundings act: chances in percent of each cycle.
struct Pace {
  std::uint32_t generate, send, give_credit, arrive;
};

/// A switch with random routes and registers in random legal traffic. Block 0 is clocked always,
/// block 1 only when the contract demands it; both must show the same outputs in every cycle.
class Scene {
 public:
  Scene(const fabric::SwitchConfig& config, const Pace& pace, std::uint64_t seed)
      : config_(config),
        rng_(seed),
        pace_(pace),
        formats_(config.flit_w, config.gid_w),
        bank_(2, config),
        data_(load_routes(), rng_) {
    source_credits_.fill(config.depth);
    sink_holds_.fill(0);
    for (std::uint32_t r = 0; r < config.regs; ++r) load_group(r);
  }

  void run(std::uint32_t cycles) {
    for (std::uint32_t n = 0; n < cycles; ++n) cycle(true);
    for (std::uint32_t n = 0; n < 20000 && !drained(); ++n) cycle(false);
    INFO(bank_.describe(0));
    REQUIRE(drained());
    pace_.give_credit = 100;
    for (std::uint32_t n = 0; n < config_.depth + 4; ++n) cycle(false);
    CHECK(bank_.quiescent(0));
    CHECK(bank_.read_register(0, 0x004) == data_.unroutable());
    CHECK(bank_.read_register(0, 0x010) == 0);
    for (std::uint32_t p = 0; p < config_.ports; ++p) {
      for (std::uint32_t v = 0; v < config_.vcs; ++v) {
        CHECK(source_credits_[lane_of(p, v)] == config_.depth);
        CHECK(sink_holds_[lane_of(p, v)] == 0);
      }
    }
  }

  std::uint64_t flits() const { return data_.delivered(); }
  std::uint32_t barriers() const {
    std::uint32_t sum = 0;
    for (const BarrierGroup& group : groups_) sum += group.completed();
    return sum;
  }

 private:
  bool chance(std::uint32_t percent) { return rng_.below(100) < percent; }
  void write(std::uint32_t address, std::uint32_t value) {
    for (std::uint32_t b = 0; b < 2; ++b) bank_.write_register(b, address, value);
  }
  fabric::Payload random_data() {
    const std::uint64_t draw = rng_.next();
    return formats_.low_bits({draw, static_cast<std::uint16_t>(draw >> 7)}, formats_.data_width());
  }

  std::vector<std::uint16_t> load_routes() {
    std::vector<std::uint16_t> routes(config_.dests);
    for (std::uint32_t d = 0; d < config_.dests; ++d) {
      routes[d] = static_cast<std::uint16_t>(chance(5) ? 0 : bit(rng_.below(config_.ports)));
      write(0x800 + d, routes[d]);
    }
    return routes;
  }

  void load_group(std::uint32_t r) {
    const auto children = static_cast<std::uint32_t>(1 + rng_.below(bit(config_.ports) - 1));
    const std::uint32_t parent = rng_.below(config_.ports);
    const bool reflect = has(children, parent) || chance(30);
    write(0x102 + 16 * r, children);
    write(0x100 + 16 * r, 1u << 31 | std::uint32_t{reflect} << 30 | parent << 16 | r);
    groups_.emplace_back(r, children, parent, reflect);
  }

  bool drained() const {
    return data_.drained() && std::ranges::all_of(groups_, &BarrierGroup::drained);
  }

  void send(std::uint32_t port, const core::Flit& flit) {
    if (!flit.sync()) --source_credits_[lane_of(port, flit.vc)];
    for (std::uint32_t b = 0; b < 2; ++b) {
      bank_.wires(b).rx_valid |= 1u << port;
      bank_.rx(b, port) = flit;
    }
  }

  void drive(std::uint32_t port, bool start) {
    for (BarrierGroup& group : groups_)
      if (group.may_arrive(port, start) && chance(pace_.arrive))
        messages_[port].push_back(formats_.barrier_flit(group.arrive(port, random_data()), 0));
    for (std::uint32_t v = 0; v < config_.vcs; ++v) {
      const std::uint32_t lane = lane_of(port, v);
      if (start && data_.waiting(lane).empty() && chance(pace_.generate)) data_.generate(lane);
    }
    if (!chance(pace_.send)) return;
    if (!messages_[port].empty() && chance(80)) {
      send(port, messages_[port].front());
      return messages_[port].pop_front();
    }
    const std::uint32_t first = rng_.below(config_.vcs);
    for (std::uint32_t n = 0; n < config_.vcs; ++n) {
      const std::uint32_t lane = lane_of(port, (first + n) % config_.vcs);
      if (data_.waiting(lane).empty() || source_credits_[lane] == 0) continue;
      send(port, data_.waiting(lane).front());
      return data_.waiting(lane).pop_front();
    }
  }

  void cycle(bool start) {
    for_each_bit(bank_.wires(0).rx_back,
                 [&](std::uint32_t lane) { REQUIRE(++source_credits_[lane] <= config_.depth); });
    for_each_bit(bank_.wires(0).tx_valid, [&](std::uint32_t p) {
      const core::Flit& flit = bank_.tx(0, p);
      if (!flit.sync()) {
        REQUIRE(++sink_holds_[lane_of(p, flit.vc)] <= config_.depth);
        return data_.receive(p, flit);
      }
      REQUIRE(flit.vc == 0);
      const auto message = formats_.barrier_message(flit);
      const auto answer = groups_.at(message.gid).receive(p, message, random_data());
      if (answer) {
        messages_[p].push_back(formats_.barrier_flit(*answer, 0));
      }
    });
    std::uint64_t credits = 0;
    for (std::uint32_t lane = 0; lane < 4 * config_.ports; ++lane) {
      if (sink_holds_[lane] > 0 && chance(pace_.give_credit)) {
        --sink_holds_[lane];
        credits |= bit(lane);
      }
    }
    for (std::uint32_t b = 0; b < 2; ++b) bank_.wires(b).tx_back = credits;
    for (std::uint32_t p = 0; p < config_.ports; ++p) drive(p, start);

    const auto& lazy = bank_.wires(1);
    std::vector<std::uint32_t> awake = {0};
    if (lazy.rx_valid != 0 || lazy.tx_back != 0 || !bank_.quiescent(1)) awake.push_back(1);
    bank_.clock(cycle_++, awake);
    compare();
  }

  void compare() {
    REQUIRE(bank_.wires(0).tx_valid == bank_.wires(1).tx_valid);
    REQUIRE(bank_.wires(0).rx_back == bank_.wires(1).rx_back);
    REQUIRE(bank_.quiescent(0) == bank_.quiescent(1));
    for_each_bit(bank_.wires(0).tx_valid,
                 [&](std::uint32_t p) { REQUIRE(bank_.tx(0, p) == bank_.tx(1, p)); });
  }

  fabric::SwitchConfig config_;
  Random rng_;
  Pace pace_;
  fabric::Formats formats_;
  SwitchBank<BarrierSwitch> bank_;
  DataTraffic data_;
  std::vector<BarrierGroup> groups_;
  std::array<std::deque<core::Flit>, kMaxPorts> messages_;
  std::array<std::uint32_t, kMaxLanes> source_credits_, sink_holds_;
  std::uint64_t cycle_ = 0;
};

const Pace kPaces[] = {
    {100, 100, 100, 100},  // everything at once
    {100, 100, 20, 30},    // back pressure
    {5, 60, 100, 2},       // mostly idle
    {0, 100, 100, 100},    // barriers only
    {60, 30, 3, 50},       // starved of credits
};

void run_all(const fabric::SwitchConfig& config, std::uint64_t seed) {
  CAPTURE(seed, config.ports, config.vcs, config.depth, config.regs, config.flit_w, config.gid_w,
          config.dests);
  for (const Pace& pace : kPaces) {
    CAPTURE(pace.generate, pace.give_credit);
    Scene scene(config, pace, seed);
    scene.run(400);
    CHECK(scene.barriers() > 0);
    CHECK((scene.flits() > 0) == (pace.generate > 0));
  }
}

TEST_CASE("every corner of the parameters carries random traffic without loss",
          "[golden][random]") {
  const std::uint32_t ports = GENERATE(3, 16), vcs = GENERATE(1, 4), depth = GENERATE(1, 16);
  const std::uint32_t regs = GENERATE(1, 16);
  const bool wide = GENERATE(false, true);
  const std::uint32_t flit_w = wide ? 80 : 16, gid_w = wide ? 4 : 12, dests = wide ? 2048 : 16;
  run_all({"corner", ports, vcs, depth, regs, flit_w, gid_w, dests, &btin::kBarrierSwitch},
          muster_seed());
}

TEST_CASE("random parameters carry random traffic without loss", "[golden][random]") {
  for (std::uint64_t n = 0; n < 20; ++n) {
    const std::uint64_t seed = muster_seed() + n;
    Random rng(seed, 1);
    const auto within = [&](std::uint32_t low, std::uint32_t high) {
      return low + rng.below(high - low + 1);
    };
    run_all({"random", within(3, 16), within(1, 4), within(1, 16), within(1, 16), within(16, 80),
             within(4, 12), within(16, 2048), &btin::kBarrierSwitch},
            seed);
  }
}

}  // namespace
}  // namespace muster::golden
