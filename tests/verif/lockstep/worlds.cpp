// SPDX-License-Identifier: Apache-2.0
#include "verif/lockstep/worlds.hpp"

#include "muster/run/run.hpp"

namespace muster::testing {
namespace {

const esc::BoxConfig kBox{.size = 2, .depth = 3};
const std::vector<std::uint8_t> kStages = {1, 0};

/// Golden boxes whose outputs are changed in cycle 2.
class TamperedBoxes final : public esc::BoxBank {
 public:
  using What = BoxWorld::What;

  explicit TamperedBoxes(What what)
      : BoxBank(kBox, kStages),
        engine_(run::make_golden_engine()),
        inner_(esc::boxes_of(*engine_)->make_boxes(kBox, kStages)),
        what_(what) {}
  void settle() override {
    std::ranges::copy(rx_, inner_->rx().begin());
    inner_->settle();
    std::ranges::copy(inner_->rx_ready(), rx_ready_.begin());
    if (what_ == What::kReady && now_ == 2) rx_ready_[3] ^= 1;
  }
  void clock(std::uint64_t cycle) override {
    std::ranges::copy(tx_ready_, inner_->tx_ready().begin());
    inner_->clock(cycle);
    std::ranges::copy(std::as_const(*inner_).tx(), tx_.begin());
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
  std::shared_ptr<const fabric::BankFactory> engine_;
  std::unique_ptr<esc::BoxBank> inner_;
  What what_;
  std::uint64_t now_ = 0;
};

/// Golden policies with one output inverted.
class TamperedPolicies final : public esc::PolicyBank {
 public:
  TamperedPolicies(const esc::PolicyConfig& config, PolicyWorld::What what)
      : PolicyBank(config, 4), what_(what) {}
  void settle() override {
    const bool invert = what_ == PolicyWorld::What::kDigit;
    for (std::uint32_t pe = 0; pe < blocks(); ++pe)
      digit[pe] = static_cast<std::uint8_t>(pe % 2 ^ (invert ? 1 : 0));
  }
  void clock(std::uint64_t) override { flag[3] = what_ == PolicyWorld::What::kFlag; }

 protected:
  void reset_blocks(std::span<const std::uint16_t>) override {}

 private:
  PolicyWorld::What what_;
};

/// Adaptive choice while all buffers are empty, with one output changed.
class TamperedInjections final : public esc::InjectionBank {
 public:
  TamperedInjections(const esc::InjectionConfig& config, InjectionWorld::What what)
      : InjectionBank(config, 4), what_(what) {}
  void settle() override {
    if (what_ != InjectionWorld::What::kOffer) offer = head;
    for (std::uint32_t pe = 0; pe < blocks(); ++pe)
      digit[pe] = static_cast<std::uint8_t>(pe % 2 ^ (what_ == InjectionWorld::What::kDigit));
  }
  void clock(std::uint64_t) override {
    if (what_ != InjectionWorld::What::kLeaves) leaves = taken;
    if (what_ == InjectionWorld::What::kSections) sections[2] = 2;
  }

 protected:
  void reset_blocks(std::span<const std::uint16_t>) override {}

 private:
  InjectionWorld::What what_;
};

}  // namespace

void BoxWorld::run(What what) {
  const auto engine = run::make_golden_engine();
  verif::LockstepBoxBank bank(esc::boxes_of(*engine)->make_boxes(kBox, kStages),
                              std::make_unique<TamperedBoxes>(what), kStages);
  bank.reset(std::array<std::uint16_t, 2>{1, 2});
  for (std::uint64_t cycle = 0; cycle < 5; ++cycle) {
    for (std::uint32_t p = 0; p < 2; ++p)
      bank.rx()[2 + p] = esc::make_packet(esc::BoxKind::kBackground, cycle, 7, p);
    bank.settle();
    for (std::uint8_t& r : bank.tx_ready()) r = 1;
    bank.clock(cycle);
  }
  if (bank.comparisons() != 5 * (4 + 4 + 2)) throw InternalError("outputs were not compared");
}

void PolicyWorld::run(What what) {
  const esc::PolicyConfig config{.size = 2, .address_bits = 2};
  const auto engine = run::make_golden_engine();
  verif::LockstepPolicyBank bank(esc::boxes_of(*engine)->make_policies(config, 4),
                                 std::make_unique<TamperedPolicies>(config, what), config);
  bank.reset(std::array<std::uint16_t, 4>{1, 2, 3, 4});
  bank.offer[2] = esc::make_packet(esc::BoxKind::kBackground, 0, 2, 1);
  bank.settle();
  bank.clock(0);
  if (bank.comparisons() != 1 + 4) throw InternalError("outputs were not compared");
}

void InjectionWorld::run(What what) {
  const esc::InjectionConfig config{
      .size = 2, .address_bits = 2, .scheme = esc::InjectionScheme::kAdaptive};
  const auto engine = run::make_golden_engine();
  verif::LockstepInjectionBank bank(esc::boxes_of(*engine)->make_injections(config, 4),
                                    std::make_unique<TamperedInjections>(config, what), config);
  bank.reset(std::array<std::uint16_t, 4>{});
  bank.head[2] = esc::make_packet(esc::BoxKind::kBackground, 0, 2, 1);
  bank.settle();
  bank.taken[2] = 1;
  bank.clock(0);
  if (bank.comparisons() != 4 + 1 + 4 + 4) throw InternalError("outputs were not compared");
}

}  // namespace muster::testing
