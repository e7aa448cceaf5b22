// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "muster/core/error.hpp"
#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "systems/esc/box_bank.hpp"
#include "systems/esc/checkers/checks.hpp"
#include "systems/esc/golden/golden_boxes.hpp"
#include "systems/esc/session.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

constexpr esc::BoxPacket syn(std::uint64_t birth, std::uint32_t tag = 1,
                             std::uint32_t messages = 1) {
  return esc::make_packet(esc::BoxKind::kSynchronization, birth, messages - 1, tag);
}
constexpr esc::BoxPacket bg(std::uint64_t birth) {
  return esc::make_packet(esc::BoxKind::kBackground, birth, 3, 1);
}

/// One 4 x 4 box of stage 0.
struct Box {
  explicit Box(std::uint32_t depth)
      : bank(golden::make_combining_box_bank({.size = 4, .depth = depth, .combining = true}, {0})) {
    const std::vector<std::uint16_t> seeds = {1};
    bank->reset(seeds);
  }
  /// Offers four packets for a cycle; returns how many are taken.
  unsigned cycle(const std::vector<esc::BoxPacket>& offers, bool ready) {
    std::copy(offers.begin(), offers.end(), bank->rx().begin());
    bank->settle();
    unsigned taken = 0;
    for (const std::uint8_t r : std::as_const(*bank).rx_ready()) taken += r;
    bank->tx_ready()[1] = ready;
    bank->clock(0);
    return taken;
  }
  esc::BoxPacket out() const { return std::as_const(*bank).tx()[1]; }
  std::unique_ptr<esc::BoxBank> bank;
};

const std::vector<esc::BoxPacket> kIdle(4, 0);

/// Golden boxes that lose the count of one merged packet.
class Forgetful final : public esc::BoxFactory {
 public:
  bool supports(const esc::BoxConfig&) const override { return true; }
  std::unique_ptr<esc::BoxBank> make_boxes(const esc::BoxConfig& config,
                                           std::vector<std::uint8_t> stages) const override;
  std::unique_ptr<esc::PolicyBank> make_policies(const esc::PolicyConfig& config,
                                                 std::uint32_t pes) const override {
    return std::make_unique<golden::GoldenPolicyBank>(config, pes);
  }
  std::unique_ptr<esc::InjectionBank> make_injections(const esc::InjectionConfig& config,
                                                      std::uint32_t pes) const override {
    return golden::make_golden_boxes()->make_injections(config, pes);
  }
};

class ForgetfulBank final : public esc::BoxBank {
 public:
  ForgetfulBank(const esc::BoxConfig& config, std::vector<std::uint8_t> stages)
      : esc::BoxBank(config, stages), inner_(golden::make_combining_box_bank(config, stages)) {}
  void settle() override {
    std::copy(rx_.begin(), rx_.end(), inner_->rx().begin());
    inner_->settle();
    const auto ready = std::as_const(*inner_).rx_ready();
    std::copy(ready.begin(), ready.end(), rx_ready_.begin());
  }
  void clock(std::uint64_t cycle) override {
    std::copy(tx_ready_.begin(), tx_ready_.end(), inner_->tx_ready().begin());
    inner_->clock(cycle);
    const auto tx = std::as_const(*inner_).tx();
    std::copy(tx.begin(), tx.end(), tx_.begin());
    for (esc::BoxPacket& packet : tx_)
      if (esc::kind_of(packet) == esc::BoxKind::kSynchronization && esc::messages_of(packet) > 1)
        packet = syn(esc::birth_of(packet), esc::tag_of(packet), esc::messages_of(packet) - 1);
  }
  bool quiescent(std::uint32_t b) const override { return inner_->quiescent(b); }
  std::string describe(std::uint32_t b) const override { return inner_->describe(b); }

 private:
  void reset_blocks(std::span<const std::uint16_t> seeds) override { inner_->reset(seeds); }
  std::unique_ptr<esc::BoxBank> inner_;
};

std::unique_ptr<esc::BoxBank> Forgetful::make_boxes(const esc::BoxConfig& config,
                                                    std::vector<std::uint8_t> stages) const {
  return std::make_unique<ForgetfulBank>(config, std::move(stages));
}

}  // namespace

TEST_CASE("messages of one cycle become one packet in one place", "[esc]") {
  Box box(1);
  CHECK(box.cycle({syn(5), syn(6), syn(7), syn(8)}, false) == 4);
  CHECK(box.out() == syn(26, 1, 4));
}

TEST_CASE("a message joins one behind the head, in a full buffer too, never the head", "[esc]") {
  Box box(2);
  CHECK(box.cycle({syn(1), 0, 0, 0}, false) == 1);
  CHECK(box.cycle({syn(2), 0, 0, 0}, false) == 1);  // the head may leave: a place of its own
  CHECK(box.cycle({bg(3), syn(3), syn(4, 1, 7), bg(4)}, false) == 2);
  CHECK(box.out() == syn(1));
  box.cycle(kIdle, true);
  CHECK(box.out() == syn(9, 1, 9));
  box.cycle(kIdle, true);
  CHECK(box.bank->quiescent(0));
}

TEST_CASE("only synchronization messages with the same tag are merged", "[esc]") {
  Box box(4);
  CHECK(box.cycle({syn(1, 1), syn(2, 5), bg(3), syn(4, 9)}, false) == 4);
  CHECK(box.cycle({syn(1, 13), 0, 0, 0}, false) == 0);
}

TEST_CASE("combining keeps every check", "[esc]") {
  for (const auto& [pes, n] : {std::pair{4u, 4u}, {4u, 2u}, {64u, 2u}, {64u, 4u}, {64u, 8u}}) {
    for (const double rate : {0.0, 0.5, 0.95}) {
      for (const std::uint32_t spots : {1u, pes / 4}) {
        for (const esc::Release release : {esc::Release::kDirect, esc::Release::kNetwork}) {
          esc::Spec spec = small_spec(pes, n, "combining");
          spec.box.depth = 2;
          spec.rate = rate;
          spec.release = release;
          spec.hot_spots = spots;
          CAPTURE(pes, n, rate, spots);
          const esc::BatchResult result = run_golden(spec);
          CHECK(result.violations == 0);
        }
      }
    }
  }
}

TEST_CASE("all messages of one cycle arrive together without delay", "[esc]") {
  for (const auto& [pes, n] : {std::pair{4u, 2u}, {64u, 4u}, {64u, 8u}}) {
    esc::Spec spec = small_spec(pes, n, "combining");
    spec.rate = 0;
    spec.sigma = 0;
    const esc::BatchResult result = run_golden(spec);
    CHECK(*result.mu_syn.mean == 0);
    // The coordinator sends none, so all others meet in every stage.
    CHECK(*result.active_session.mean == spec.stages().count(esc::Cube(pes, n)));
    CHECK(result.packets == spec.sessions);
  }
}

TEST_CASE("a lost count is seen", "[esc][checks]") {
  const esc::Spec spec = small_spec(16, 4, "combining");
  const Forgetful boxes;
  esc::SessionRunner runner(spec, boxes);
  esc::ConservationCheck conservation(spec);
  runner.attach(conservation);
  CHECK_THROWS_AS(runner.run(0), InternalError);  // waits for messages that never come
  CHECK(conservation.violations() > 0);
}
