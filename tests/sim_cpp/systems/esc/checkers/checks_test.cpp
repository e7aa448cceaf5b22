// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/checkers/checks.hpp"

#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "muster/run/run.hpp"
#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "systems/esc/box_factory.hpp"
#include "systems/esc/golden/golden_boxes.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

namespace {

enum class Defect { kNone, kLose, kSendTwice, kSwapOutputs, kChange };

/// Golden boxes of which one, in the output stage, does something wrong once, in cycle 100 or soon
/// after.
class DefectiveBank final : public esc::BoxBank {
 public:
  DefectiveBank(const esc::BoxConfig& config, std::vector<std::uint8_t> stages, Defect defect)
      : esc::BoxBank(config, stages),
        inner_(golden::make_box_bank(config, std::move(stages))),
        defect_(defect) {}

  void settle() override {
    std::copy(rx_.begin(), rx_.end(), inner_->rx().begin());
    inner_->settle();
    const auto ready = inner_->rx_ready();
    std::copy(ready.begin(), ready.end(), rx_ready_.begin());
  }

  void clock(std::uint64_t cycle) override {
    std::copy(tx_ready_.begin(), tx_ready_.end(), inner_->tx_ready().begin());
    const bool due = !done_ && cycle >= 100;
    if (due && defect_ == Defect::kSendTwice && tx_[0] != 0) {
      inner_->tx_ready()[0] = 0;
      done_ = true;
    }
    inner_->clock(cycle);
    std::copy(inner_->tx().begin(), inner_->tx().end(), tx_.begin());
    if (!due || done_ || tx_[0] == 0) return;
    done_ = defect_ != Defect::kNone && defect_ != Defect::kSendTwice;
    if (defect_ == Defect::kLose) tx_[0] = 0;
    if (defect_ == Defect::kChange) tx_[0] ^= esc::BoxPacket{1} << esc::kBoxBirthLsb;
    if (defect_ == Defect::kSwapOutputs) std::swap(tx_[0], tx_[1]);
  }

  bool quiescent(std::uint32_t block) const override { return inner_->quiescent(block); }
  std::string describe(std::uint32_t block) const override { return inner_->describe(block); }

 private:
  void reset_blocks(std::span<const std::uint16_t> seeds) override { inner_->reset(seeds); }

  std::unique_ptr<esc::BoxBank> inner_;
  Defect defect_;
  bool done_ = false;
};

struct DefectiveBoxes final : esc::BoxFactory {
  Defect defect = Defect::kNone;
  bool supports(const esc::BoxConfig&) const override { return true; }
  std::unique_ptr<esc::BoxBank> make_boxes(const esc::BoxConfig& config,
                                           std::vector<std::uint8_t> stages) const override {
    return std::make_unique<DefectiveBank>(config, std::move(stages), defect);
  }
  std::unique_ptr<esc::PolicyBank> make_policies(const esc::PolicyConfig& config,
                                                 std::uint32_t pes) const override {
    return std::make_unique<golden::GoldenPolicyBank>(config, pes);
  }
  std::unique_ptr<esc::InjectionBank> make_injections(const esc::InjectionConfig& config,
                                                      std::uint32_t pes) const override {
    return golden::make_golden_boxes()->make_injections(config, pes);
  }
};

/// Violations of each check in one session with a defect; the session may end with an error.
struct Seen {
  std::uint64_t delivery, conservation;
  bool error;
};

Seen run_with(Defect defect, double rate) {
  esc::Spec spec = small_spec(16, 4, "bypass");
  spec.rate = rate;
  DefectiveBoxes boxes;
  boxes.defect = defect;
  esc::SessionRunner runner(spec, boxes);
  esc::DeliveryCheck delivery(spec);
  esc::ConservationCheck conservation(spec);
  runner.attach(delivery);
  runner.attach(conservation);
  bool error = false;
  try {
    runner.run(0);
  } catch (const InternalError&) {
    error = true;
  }
  return {delivery.violations(), conservation.violations(), error};
}

/// One packet after the other from PE 3 to PE 5 of 16, as they arrive.
std::uint64_t order_violations(const esc::Spec& spec, const std::vector<esc::BoxPacket>& arriving) {
  esc::DeliveryCheck check(spec);
  check.start(esc::plan_session(spec, 0));
  std::vector<esc::BoxPacket> offers(16), arrivals(16);
  std::vector<std::uint8_t> taken(16);
  taken[3] = 1;
  esc::CycleView view;
  view.offers = offers;
  view.taken = taken;
  view.arrivals = arrivals;
  for (const esc::BoxPacket packet : arriving) {
    offers[3] = arrivals[5] = packet;
    check.observe(view);
  }
  check.finish();
  return check.violations();
}

/// Violations of the purity that `expected` promises when the PEs follow `followed`.
std::uint64_t impurities(const std::string& followed, const std::string& expected) {
  const esc::Spec spec = small_spec(64, 4, followed), promise = small_spec(64, 4, expected);
  const auto engine = run::make_golden_engine();
  esc::SessionRunner runner(spec, *esc::boxes_of(*engine));
  esc::PurityCheck purity(promise);
  runner.attach(purity);
  runner.run(0);
  CHECK(purity.passed() > 1000);
  return purity.violations();
}

}  // namespace

TEST_CASE("a sound network has no violation", "[esc][checks]") {
  const Seen seen = run_with(Defect::kNone, 0.6);
  CHECK(seen.delivery == 0);
  CHECK(seen.conservation == 0);
  CHECK_FALSE(seen.error);
}

TEST_CASE("each defect of a box is seen", "[esc][checks]") {
  for (const double rate : {0.2, 0.6}) {
    CHECK(run_with(Defect::kLose, rate).conservation > 0);
    CHECK(run_with(Defect::kSendTwice, rate).delivery > 0);
    CHECK(run_with(Defect::kSendTwice, rate).conservation > 0);
    CHECK(run_with(Defect::kSwapOutputs, rate).delivery > 0);
    const Seen changed = run_with(Defect::kChange, rate);
    CHECK((changed.delivery > 0 || changed.error));  // an error if it was to be measured
  }
}

TEST_CASE("a packet that overtakes another of its flow is seen", "[esc][checks]") {
  const esc::Spec bypass = small_spec(16, 4, "bypass"), paths = small_spec(16, 4, "isolated-bg");
  const auto packet = [](esc::BoxKind kind, std::uint64_t birth, unsigned x) {
    return esc::make_packet(kind, birth, 3, 5 | x << 4);
  };
  const auto bg = [&](std::uint64_t birth, unsigned x = 0) {
    return packet(esc::BoxKind::kBackground, birth, x);
  };
  const auto syn = [&](std::uint64_t birth) {
    return packet(esc::BoxKind::kSynchronization, birth, 0);
  };
  CHECK(order_violations(bypass, {bg(0), bg(1), syn(7), bg(7), bg(8)}) == 0);
  CHECK(order_violations(bypass, {bg(2), bg(1)}) == 1);
  CHECK(order_violations(bypass, {bg(2), bg(2)}) == 1);
  CHECK(order_violations(bypass, {bg(7), syn(7)}) == 1);
  CHECK(order_violations(paths, {bg(2, 1), bg(1, 2), bg(3, 1)}) == 0);  // different paths
  CHECK(order_violations(paths, {bg(2, 1), bg(1, 1)}) == 1);
}

TEST_CASE("a PE that follows another policy than promised is seen", "[esc][checks]") {
  const std::vector<std::string> policies = {"isolated-bg", "isolated-hs", "hot-section:2",
                                             "hot-section:16"};
  for (std::size_t followed = 0; followed < policies.size(); ++followed)
    for (std::size_t expected = 0; expected < policies.size(); ++expected) {
      CAPTURE(policies[followed], policies[expected]);
      // Each promises less than the one before.
      if (followed <= expected)
        CHECK(impurities(policies[followed], policies[expected]) == 0);
      else
        CHECK(impurities(policies[followed], policies[expected]) > 0);
    }
}
