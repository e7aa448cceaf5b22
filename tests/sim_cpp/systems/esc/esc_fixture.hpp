// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/run.hpp"
#include "support/test.hpp"
#include "systems/esc/batch.hpp"
#include "systems/esc/box_factory.hpp"
#include "systems/esc/cube.hpp"
#include "systems/esc/faults.hpp"
#include "systems/esc/network.hpp"
#include "systems/esc/session.hpp"

namespace muster::test {

/// A small network with little warm-up.
inline esc::Spec small_spec(std::uint32_t pes, std::uint32_t n, const std::string& policy) {
  esc::Spec spec;
  spec.pes = pes;
  spec.box.size = n;
  spec.sessions = 2;
  spec.sigma = 5;
  spec.mean = 200;
  spec.seed = muster_seed();
  esc::set_policy(spec, policy);
  return spec;
}

inline esc::BatchResult run_golden(const esc::Spec& spec) {
  return esc::run_batch(spec, *run::make_golden_engine());
}
/// For SessionRunner.
inline const esc::BoxFactory& golden_boxes() {
  static const std::shared_ptr<const fabric::BankFactory> engine = run::make_golden_engine();
  return *esc::boxes_of(*engine);
}

struct Size {
  std::uint32_t pes, n;
};
/// From one stage between the outer ones to five, with each size of box.
inline constexpr Size kSizes[] = {{4, 4}, {4, 2}, {64, 2}, {64, 4}, {64, 8}};

/// No check fails in short sessions of these sizes with several hot spots, at rates up to `most`,
/// however the release is made. `change` has the last word.
inline void keeps_checks(const std::string& policy, double most,
                         const std::function<void(esc::Spec&)>& change = {}) {
  for (const auto& [pes, n] : kSizes)
    for (const double rate : {0.0, 0.5, most})
      for (const esc::Release release : {esc::Release::kDirect, esc::Release::kNetwork}) {
        esc::Spec spec = small_spec(pes, n, policy);
        spec.box.depth = 4;
        spec.rate = rate;
        spec.release = release;
        spec.hot_spots = pes / 4;
        if (change) change(spec);
        CAPTURE(pes, n, policy, rate, spec.hot_spots);
        CHECK(run_golden(spec).violation_texts == std::vector<std::string>{});
      }
}

/// What is wrong with boxes.
struct Defect {
  /// Before a cycle: the packets that are offered, and which of them go.
  std::function<void(std::uint64_t cycle, std::span<const esc::BoxPacket>,
                     std::span<std::uint8_t> go)>
      before = {};
  /// The packets that are offered from now on.
  std::function<void(std::uint64_t cycle, std::span<esc::BoxPacket>)> after = {};
};

/// Golden boxes with a defect.
class DefectiveBoxes final : public esc::BoxFactory {
 public:
  explicit DefectiveBoxes(Defect defect) : defect_(std::move(defect)) {}
  bool supports(const esc::BoxConfig&) const override { return true; }
  std::unique_ptr<esc::BoxBank> make_boxes(const esc::BoxConfig& config,
                                           std::vector<std::uint8_t> stages) const override {
    return std::make_unique<Bank>(config, std::move(stages), defect_);
  }
  std::unique_ptr<esc::PolicyBank> make_policies(const esc::PolicyConfig& config,
                                                 std::uint32_t pes) const override {
    return golden_boxes().make_policies(config, pes);
  }
  std::unique_ptr<esc::InjectionBank> make_injections(const esc::InjectionConfig& config,
                                                      std::uint32_t pes) const override {
    return golden_boxes().make_injections(config, pes);
  }

 private:
  class Bank final : public esc::BoxBank {
   public:
    Bank(const esc::BoxConfig& config, const std::vector<std::uint8_t>& stages, Defect defect)
        : BoxBank(config, stages),
          inner_(golden_boxes().make_boxes(config, stages)),
          defect_(std::move(defect)) {}
    void settle() override {
      std::ranges::copy(rx_, inner_->rx().begin());
      inner_->settle();
      std::ranges::copy(inner_->rx_ready(), rx_ready_.begin());
    }
    void clock(std::uint64_t cycle) override {
      std::ranges::copy(tx_ready_, inner_->tx_ready().begin());
      if (defect_.before) defect_.before(cycle, tx_, inner_->tx_ready());
      inner_->clock(cycle);
      std::ranges::copy(inner_->tx(), tx_.begin());
      if (defect_.after) defect_.after(cycle, tx_);
    }
    bool quiescent(std::uint32_t block) const override { return inner_->quiescent(block); }
    std::string describe(std::uint32_t block) const override { return inner_->describe(block); }

   private:
    void reset_blocks(std::span<const std::uint16_t> seeds) override { inner_->reset(seeds); }
    std::unique_ptr<esc::BoxBank> inner_;
    Defect defect_;
  };
  Defect defect_;
};

/// Where a packet goes, link by link and box by box: a second opinion on every routing function.
struct Walk {
  std::vector<std::uint32_t> reached;  ///< PEs, one entry for each copy
  bool met = false;                    ///< it came to the fault, which did not stop it here
};

inline Walk walk(const esc::Cube& cube, const esc::OuterStages& stages, const esc::Fault& fault,
                 std::uint32_t source, std::uint32_t tag, std::uint32_t mask) {
  const unsigned m = cube.input_stage();
  Walk w{.reached = {source}};
  const auto come_to = [&](esc::FaultKind kind, unsigned stage, std::uint32_t index) {
    w.met |= fault == esc::Fault{kind, stage, index};
  };
  for (unsigned stage = m + 1; stage-- > 0;) {
    const bool enabled = stage == m ? stages.input : stage > 0 || stages.output;
    std::vector<std::uint32_t> next;
    for (const std::uint32_t link : w.reached) {
      if (!enabled) {
        come_to(esc::FaultKind::kBypass, stage, link);
        next.push_back(link);
        continue;
      }
      if (stage == m) come_to(esc::FaultKind::kLink, m + 1, link);
      come_to(esc::FaultKind::kBox, stage, cube.box(stage, link));
      const unsigned q = cube.exchanged(stage);
      for (std::uint32_t port = 0; port < cube.size(); ++port)
        if ((mask >> stage & 1) != 0 || port == cube.digit(tag, stage))
          next.push_back(cube.with_digit(link, q, port));
    }
    w.reached = std::move(next);
    // A bypassed output stage: the wires of stage 1 end at the demultiplexers.
    if (stage > 0 || enabled)
      for (const std::uint32_t link : w.reached) come_to(esc::FaultKind::kLink, stage, link);
  }
  std::ranges::sort(w.reached);
  return w;
}

/// The three settings with a stage that sets digit 0.
inline const std::vector<esc::OuterStages> kSettings = {{.input = false, .output = true},
                                                        {.input = true, .output = true},
                                                        {.input = true, .output = false}};

/// Every box, link and bypass of the network, one after the other.
inline std::vector<esc::Fault> all_faults(const esc::Cube& cube) {
  const unsigned m = cube.input_stage();
  std::vector<esc::Fault> faults;
  const auto add = [&faults](esc::FaultKind kind, unsigned stage, std::uint32_t count) {
    for (std::uint32_t index = 0; index < count; ++index) faults.push_back({kind, stage, index});
  };
  for (unsigned stage = 0; stage <= m; ++stage)
    add(esc::FaultKind::kBox, stage, cube.boxes_per_stage());
  for (unsigned stage = 0; stage <= m + 1; ++stage) add(esc::FaultKind::kLink, stage, cube.pes());
  for (const unsigned stage : {0u, m}) add(esc::FaultKind::kBypass, stage, cube.pes());
  return faults;
}

/// `count` faults of the network without repetition, or all in order if there are no more.
inline std::vector<esc::Fault> some_faults(const esc::Cube& cube, std::size_t count, Random& rng) {
  std::vector<esc::Fault> faults = all_faults(cube);
  if (count >= faults.size()) return faults;
  for (std::size_t k = 0; k < count; ++k)
    std::swap(faults[k], faults[k + rng.below(faults.size() - k)]);
  faults.resize(count);
  return faults;
}

/// Copies that PE d got from PE s, at [s * N + d], when every PE sends its queue, a packet a cycle,
/// into boxes of which the faulty ones swallow what comes. Fails if a packet to one PE is at
/// another, or the network does not drain.
inline std::vector<unsigned> send_all(const esc::BoxFactory& engine, const esc::BoxConfig& box,
                                      const esc::Cube& cube, const esc::OuterStages& stages,
                                      const std::vector<esc::Fault>& faults,
                                      const std::vector<std::vector<esc::BoxPacket>>& queues) {
  const std::uint32_t pes = cube.pes();
  esc::Network net(cube, stages, box, engine, faults);
  net.reset(0x5EED);
  std::vector<unsigned> copies(std::size_t{pes} * pes);
  std::vector<std::size_t> sent(pes);
  std::vector<esc::BoxPacket> offers(pes);
  bool waiting = true;
  for (std::uint64_t cycle = 0; waiting || !net.empty(); ++cycle) {
    if (cycle > 100u * pes + 1000) FAIL("the network does not drain");
    waiting = false;
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
      const esc::BoxPacket packet = net.arrivals()[pe];
      offers[pe] = sent[pe] < queues[pe].size() ? queues[pe][sent[pe]] : 0;
      waiting |= offers[pe] != 0;
      if (packet == 0) continue;
      if (esc::kind_of(packet) != esc::BoxKind::kRelease && (esc::tag_of(packet) & (pes - 1)) != pe)
        FAIL("a packet to PE " << (esc::tag_of(packet) & (pes - 1)) << " is at PE " << pe);
      ++copies[std::size_t{esc::source_of(packet)} * pes + pe];
    }
    net.settle(cycle, offers);
    for (std::uint32_t pe = 0; pe < pes; ++pe) sent[pe] += net.taken()[pe];
    net.clock(cycle);
  }
  return copies;
}

/// The tag of a packet that goes straight through the input stage unless a fault is on that way.
inline std::optional<std::uint32_t> tag_of(const esc::Cube& cube, const esc::FaultRouting& routing,
                                           std::uint32_t source, std::uint32_t destination) {
  const auto x = routing.output(source, destination, cube.digit(source, 0));
  return x ? std::optional(cube.tag(destination, *x)) : std::nullopt;
}

/// Every PE sends one packet to every PE, by the tags of `routing`; destinations in the order of
/// their distance, so that in no cycle two PEs begin with the same one.
inline std::vector<std::vector<esc::BoxPacket>> to_each(const esc::Cube& cube,
                                                        const esc::FaultRouting& routing) {
  std::vector<std::vector<esc::BoxPacket>> queues(cube.pes());
  for (std::uint32_t s = 0; s < cube.pes(); ++s)
    for (std::uint32_t k = 0; k < cube.pes(); ++k)
      if (const auto tag = tag_of(cube, routing, s, (s + k) % cube.pes()))
        queues[s].push_back(esc::make_packet(esc::BoxKind::kBackground, k, s, *tag));
  return queues;
}

/// Every PE sends one broadcast to all.
inline std::vector<std::vector<esc::BoxPacket>> to_all(const esc::Cube& cube,
                                                       const esc::FaultRouting& routing) {
  std::vector<std::vector<esc::BoxPacket>> queues(cube.pes());
  for (std::uint32_t s = 0; s < cube.pes(); ++s)
    for (const esc::Broadcast& b : routing.broadcast(s))
      queues[s].push_back(esc::make_release(b.mask, s, b.tag));
  return queues;
}

/// With each of the faults alone, one packet of every PE to every PE arrives, and one broadcast of
/// every PE at every PE, on the boxes of any engine.
inline void sweep_faults(const esc::BoxFactory& engine, const esc::BoxConfig& box,
                         std::uint32_t pes, std::span<const esc::Fault> faults) {
  const esc::Cube cube(pes, box.size);
  const std::vector<unsigned> one_each(std::size_t{pes} * pes, 1);
  for (const esc::Fault& fault : faults) {
    const std::vector<esc::Fault> alone = {fault};
    const esc::OuterStages stages = esc::choose_stages(cube, alone);
    const esc::FaultRouting routing(cube, stages, alone);
    INFO(pes << " PEs, boxes of " << box.size << ", fault " << esc::fault_text(fault));
    const bool each =
        send_all(engine, box, cube, stages, alone, to_each(cube, routing)) == one_each;
    const bool all = send_all(engine, box, cube, stages, alone, to_all(cube, routing)) == one_each;
    REQUIRE(each);
    REQUIRE(all);
  }
}

}  // namespace muster::test
