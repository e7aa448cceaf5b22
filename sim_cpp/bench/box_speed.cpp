// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "bench/report.hpp"
#include "bench/traffic_network.hpp"
#include "systems/esc/batch.hpp"
#include "systems/esc/box_factory.hpp"
#include "systems/esc/session.hpp"

namespace muster::bench {
namespace {

/// What 256 boxes were given in the first cycles of a session: the paper's network, gamma 0.5,
/// input stage bypassed.
struct BoxInputs final : esc::Observer {
  explicit BoxInputs(std::size_t cycles) : wanted(cycles) {}
  void start(const esc::SessionPlan& plan) override { seed = plan.box_seed; }
  void observe(const esc::CycleView& view) override {
    if (rx.size() == wanted) return;
    rx.emplace_back(view.rx.begin(), view.rx.end());
    tx_ready.emplace_back(view.tx_ready.begin(), view.tx_ready.end());
  }
  std::size_t wanted;
  std::uint16_t seed = 0;
  std::vector<std::vector<esc::BoxPacket>> rx;
  std::vector<std::vector<std::uint8_t>> tx_ready;
};

void replay(const BoxInputs& inputs, esc::BoxBank& bank) {
  std::vector<std::uint16_t> seeds;
  for (std::uint32_t b = 0; b < bank.blocks(); ++b)
    seeds.push_back(static_cast<std::uint16_t>(inputs.seed ^ (b * 40503u)));
  bank.reset(seeds);
  for (std::size_t t = 0; t < inputs.rx.size(); ++t) {
    std::copy(inputs.rx[t].begin(), inputs.rx[t].end(), bank.rx().begin());
    std::copy(inputs.tx_ready[t].begin(), inputs.tx_ready[t].end(), bank.tx_ready().begin());
    bank.settle();
    bank.clock(t);
  }
}

double nanoseconds(const BoxInputs& inputs, const esc::Spec& spec, const esc::BoxFactory& factory,
                   bool quick) {
  std::vector<std::uint8_t> stages;
  for (std::uint8_t stage = 0; stage < 4; ++stage) stages.insert(stages.end(), 64, stage);
  const auto bank = factory.make_boxes(spec.box, stages);
  const Timings t = alternate({[&] { replay(inputs, *bank); }}, quick ? 1 : 9);
  return t.best(0) * 1e9 / static_cast<double>(inputs.rx.size() * bank->blocks());
}

/// CPU time of one session at each point of the paper's Figure 5.
double figure_5_seconds(std::uint64_t seed, const fabric::BankFactory& engine) {
  const double before = cpu_seconds();
  for (const char* policy : {"bypass", "isolated-bg"}) {
    for (const double rate : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8}) {
      esc::Spec spec;
      esc::set_policy(spec, policy);
      spec.rate = rate;
      spec.seed = seed;
      spec.sessions = 1;
      esc::run_batch(spec, engine);
    }
  }
  return cpu_seconds() - before;
}

}  // namespace

void measure_box_speed(const Setting& setting, Report& report) {
  esc::Spec spec;
  spec.seed = setting.seed;
  BoxInputs inputs(setting.quick ? 50 : 1000);
  const auto golden = setting.engines->find("golden");
  esc::SessionRunner runner(spec, *esc::boxes_of(*golden));
  runner.attach(inputs);
  runner.run(0);
  for (const std::string& name : setting.engines->names()) {
    const esc::BoxFactory* const boxes = esc::boxes_of(*setting.engines->find(name));
    if (name == "lockstep" || boxes == nullptr || !boxes->supports(spec.box)) continue;
    report.measures.push_back(
        {fmt::format("{}_box_time", name), fmt::format("{}, a box-cycle", name),
         nanoseconds(inputs, spec, *boxes, setting.quick), "ns",
         "256 boxes of 4x4, 12 packets a buffer, on the inputs of a network of 256 PEs at gamma "
         "0.5",
         at_most(name == "golden" ? 45.0 : 200.0)});
  }

  const double session = figure_5_seconds(setting.seed, *golden);
  report.measures.push_back({"esc_5_time", "figure esc-5, golden", session * 125 / 2, "s",
                             "10 rates, 2 policies, checks on; CPU time of one session a point, "
                             "times 125 sessions, by two cores",
                             at_most(90)});
}

}  // namespace muster::bench
