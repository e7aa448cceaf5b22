// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_box_bank.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <utility>

#include "core/error.hpp"
#include "fabric/golden/golden_engine.hpp"
#include "lockstep/lockstep_policy_bank.hpp"
#include "systems/esc/blocks/box_factory.hpp"

using namespace muster;
using Catch::Matchers::Contains;

namespace {

const esc::BoxConfig kBox{.size = 2, .depth = 3};
const std::vector<std::uint8_t> kStages = {1, 0};

/// Golden boxes whose outputs can be tampered with in cycle 2.
class TamperedBoxes final : public esc::BoxBank {
 public:
  enum class What { kNothing, kReady, kPacket, kQuiescent };

  explicit TamperedBoxes(What what)
      : BoxBank(kBox, kStages),
        engine_(golden::make_golden_engine()),
        inner_(engine_->boxes()->make_boxes(kBox, kStages)),
        what_(what) {}
  void settle() override {
    std::copy(rx_.begin(), rx_.end(), inner_->rx().begin());
    inner_->settle();
    const auto ready = inner_->rx_ready();
    std::copy(ready.begin(), ready.end(), rx_ready_.begin());
    if (what_ == What::kReady && now_ == 2) rx_ready_[3] ^= 1;
  }
  void clock(std::uint64_t cycle) override {
    std::copy(tx_ready_.begin(), tx_ready_.end(), inner_->tx_ready().begin());
    inner_->clock(cycle);
    const auto tx = std::as_const(*inner_).tx();
    std::copy(tx.begin(), tx.end(), tx_.begin());
    if (what_ == What::kPacket && cycle == 2) tx_[2] ^= 4;
    now_ = cycle + 1;
  }
  bool quiescent(std::uint32_t b) const override {
    return inner_->quiescent(b) != (what_ == What::kQuiescent && now_ == 3 && b == 1);
  }
  std::string describe(std::uint32_t) const override { return "tampered"; }

 protected:
  void reset_blocks(std::span<const std::uint16_t> seeds) override {
    inner_->reset(seeds);
    now_ = 0;
  }

 private:
  std::unique_ptr<fabric::BankFactory> engine_;
  std::unique_ptr<esc::BoxBank> inner_;
  What what_;
  std::uint64_t now_ = 0;
};

/// Packets for both outputs at both inputs of the box of stage 0, in every cycle.
std::string run_with(TamperedBoxes::What what) {
  const auto engine = golden::make_golden_engine();
  verif::LockstepBoxBank bank(engine->boxes()->make_boxes(kBox, kStages),
                              std::make_unique<TamperedBoxes>(what), kStages);
  bank.reset(std::array<std::uint16_t, 2>{1, 2});
  try {
    for (std::uint64_t cycle = 0; cycle < 5; ++cycle) {
      for (std::uint32_t p = 0; p < 2; ++p)
        bank.rx()[2 + p] = esc::make_packet(esc::BoxKind::kBackground, cycle, 7, p);
      bank.settle();
      for (std::uint8_t& r : bank.tx_ready()) r = 1;
      bank.clock(cycle);
    }
  } catch (const InternalError& error) {
    return error.what();
  }
  CHECK(bank.comparisons() == 5 * (4 + 4 + 2));
  return "";
}

/// Golden policies with one output inverted.
class TamperedPolicies final : public esc::PolicyBank {
 public:
  TamperedPolicies(const esc::PolicyConfig& config, bool digit, bool flag)
      : PolicyBank(config, 4), invert_digit_(digit), invert_flag_(flag) {}
  void settle() override {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) digit_[pe] = (pe % 2) ^ (invert_digit_ ? 1 : 0);
  }
  void clock(std::uint64_t) override {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) flag_[pe] = invert_flag_ && pe == 3;
  }

 protected:
  void reset_blocks(std::span<const std::uint16_t>) override {}

 private:
  bool invert_digit_, invert_flag_;
};

void run_policies(bool digit, bool flag) {
  const esc::PolicyConfig config{.size = 2, .address_bits = 2};
  const auto engine = golden::make_golden_engine();
  verif::LockstepPolicyBank bank(config, engine->boxes()->make_policies(config, 4),
                                 std::make_unique<TamperedPolicies>(config, digit, flag));
  bank.reset(std::array<std::uint16_t, 4>{1, 2, 3, 4});
  bank.offer()[2] = esc::make_packet(esc::BoxKind::kBackground, 0, 2, 1);
  bank.settle();
  bank.clock(0);
  CHECK(bank.comparisons() == 1 + 4);
}

}  // namespace

TEST_CASE("lockstep of boxes accepts equal banks", "[lockstep][esc]") {
  CHECK(run_with(TamperedBoxes::What::kNothing) == "");
}

TEST_CASE("lockstep of boxes names cycle, box, port, both values and the last packets",
          "[lockstep][esc]") {
  const std::string ready = run_with(TamperedBoxes::What::kReady);
  CHECK_THAT(ready, Contains("in cycle 2, stage0_box0, input 1: ready: golden 1, RTL 0"));
  const std::string packet = run_with(TamperedBoxes::What::kPacket);
  CHECK_THAT(packet, Contains("after the edge of cycle 2, stage0_box0, output 0: golden sends "
                              "0x40000008001c0000, RTL 0x40000008001c0004"));
  CHECK_THAT(packet, Contains("cycle 1 input 1: 0x40000004001c0001") && Contains("tampered"));
  const std::string quiet = run_with(TamperedBoxes::What::kQuiescent);
  CHECK_THAT(quiet, Contains("stage0_box0, quiescent: golden false, RTL true"));
}

TEST_CASE("lockstep of policies sees digits and flags", "[lockstep][esc]") {
  CHECK_NOTHROW(run_policies(false, false));
  CHECK_THROWS_WITH(run_policies(true, false),
                    Contains("in cycle 0, pe2_policy") && Contains("digit: golden 0, RTL 1"));
  CHECK_THROWS_WITH(run_policies(false, true),
                    Contains("cycle 0, pe3_policy: flag: golden 0, RTL 1"));
}
