// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "sim_cpp/run/run_fixture.hpp"
#include "support/mutant_bank.hpp"

namespace muster::run {

/// Golden switches that once do something wrong with a spill message: a checker must object.
namespace {

using fabric::BarrierMessage;
using fabric::MessageType;

const fabric::Formats kFormats(16, 8);

/// What is done to a spill message at output p of block b; false to wait for another one.
using Defect = std::function<bool(MutantBank&, std::uint32_t b, std::uint32_t p)>;

class DefectiveEngine : public fabric::BankFactory {
 public:
  /// Of the spill messages of `type` that switches send, the one after `skip` others.
  DefectiveEngine(MessageType type, std::uint64_t skip, Defect defect)
      : type_(type), skip_(skip), defect_(std::move(defect)) {}

  std::string name() const override { return "defective"; }
  bool supports(const fabric::SwitchConfig& config) const override {
    return golden_->supports(config);
  }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    return std::make_unique<MutantBank>(
        golden_->make_switches(config, blocks, options),
        [this, left = skip_, done = false](std::uint64_t, MutantBank& out) mutable {
          for (std::uint32_t b = 0; b < out.blocks() && !done; ++b)
            for (std::uint32_t p = 0; p < out.ports() && !done; ++p) {
              const core::Flit& flit = out.tx(b, p);
              if (!out.busy(b, p) || !flit.sync()) continue;
              if (kFormats.barrier_message(flit).type != type_) continue;
              if (left > 0)
                --left;
              else
                done = defect_(out, b, p);
            }
        },
        config.vcs);
  }

 private:
  std::shared_ptr<const fabric::BankFactory> golden_ = make_golden_engine();
  MessageType type_;
  std::uint64_t skip_;
  Defect defect_;
};

/// What a run on such switches ends with.
std::string report(MessageType type, const Defect& defect, std::uint64_t trial) {
  const test::Subject subject = test::Subject::figure1();
  Rng rng(muster_seed(), trial);
  const DefectiveEngine engine(type, rng.below(40), defect);
  RunSpec spec = subject.spec(std::vector<std::string>(5, "random:5"), muster_seed() + trial);
  spec.engine = core::borrowed(engine);
  spec.config = configuration("sw8");
  spec.config->regs = 1;
  own<btin::Spec>(spec).spill = true;
  own<btin::Spec>(spec).reflect = trial % 2 == 0;
  spec.load_flits = trial % 3 == 0 ? 0.0 : 0.1 * subject.route_bound();
  const RunResult result = run_barriers(spec);
  return result.violations.empty() ? "nothing" : result.violations[0];
}

/// Changes the message.
Defect change(const std::function<void(BarrierMessage&)>& how) {
  return [how](MutantBank& out, std::uint32_t b, std::uint32_t p) {
    BarrierMessage m = kFormats.barrier_message(out.tx(b, p));
    how(m);
    out.tx(b, p) = kFormats.barrier_flit(m, out.tx(b, p).vc);
    return true;
  };
}

void check(const char* name, MessageType type, const Defect& defect, bool by_spill) {
  for (std::uint64_t trial = 0; trial < 12; ++trial) {
    CAPTURE(muster_seed(), name, trial);
    const std::string text = report(type, defect, trial);
    CAPTURE(text);
    const bool spill = text.find("checker spill") != std::string::npos;
    const bool waits = text.find("checker bounded waits") != std::string::npos;
    CHECK((spill || (!by_spill && waits)));
  }
}

TEST_CASE("a switch that mistreats a message for a spill node is caught",
          "[workload][spill][mutation]") {
  const auto lose = [](MutantBank& out, std::uint32_t b, std::uint32_t p) {
    out.lose(b, p);
    return true;
  };
  check("loses a place", MessageType::kSpillPlace, lose, true);
  // The next place shows it, or, if none comes because of it, the wait of the group.
  check("loses data", MessageType::kSpillData, lose, false);
  check("another port", MessageType::kSpillPlace, change([](BarrierMessage& m) { m.data.lo ^= 1; }),
        true);
  check("another type", MessageType::kSpillPlace,
        change([](BarrierMessage& m) { m.data.lo ^= 16; }), true);
  check("other data", MessageType::kSpillData, change([](BarrierMessage& m) { m.data.lo ^= 8; }),
        true);
  check("another group", MessageType::kSpillData, change([](BarrierMessage& m) { m.gid ^= 1; }),
        true);
  check("data as a place", MessageType::kSpillData,
        change([](BarrierMessage& m) { m.type = MessageType::kSpillPlace; }), true);
}

}  // namespace

}  // namespace muster::run
