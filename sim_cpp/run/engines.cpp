// SPDX-License-Identifier: Apache-2.0
#include "run/engines.hpp"

#include <algorithm>
#include <cmath>

#include "fabric/golden/link_bank.hpp"
#include "muster/fabric/layout.hpp"
#include "run/run_parts.hpp"
#include "topology/divide.hpp"

namespace muster::run {
namespace {

fabric::BlockMakers golden_makers() {
  fabric::BlockMakers makers;
  makers.add<fabric::LinkFactory>(std::make_shared<golden::GoldenLinks>());
  for (const auto& system : systems()) system->add_golden_makers(makers);
  return makers;
}

class GoldenEngine final : public fabric::BankFactory {
 public:
  GoldenEngine() : BankFactory(golden_makers()) {}
  std::string name() const override { return "golden"; }
  bool supports(const fabric::SwitchConfig&) const override { return true; }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions&) const override {
    return config.kind->golden(blocks, config);
  }
};

/// What home does for a switch in a cycle under load, nodes, links and observers, in clocks of a
/// switch; from docs/reference/performance.md, where the harness and the checkers add 6 and 2 % to
/// RTL, and golden is 27 times faster, most of which is home. It decides how long a run takes, and
/// nothing else.
double home_work(const RunSpec& spec) {
  if (!spec.engine->has_models()) return 4.0;
  return spec.checkers ? 0.08 : 0.06;
}

std::vector<std::uint32_t> sizes_of_parts(const RunSpec& spec) {
  const std::uint32_t switches = spec.graph->switches(), ranks = spec.ranks->count();
  const double home = home_work(spec) * switches;
  const double mine = std::round((switches + home) / ranks - home);
  std::vector<std::uint32_t> sizes(ranks, ranks == 1 ? switches : 0);
  if (ranks == 1) return sizes;
  sizes[0] = static_cast<std::uint32_t>(std::max(mine, 0.0));
  const std::uint32_t rest = switches - sizes[0], others = ranks - 1;
  for (std::uint32_t r = 1; r < ranks; ++r) sizes[r] = rest * r / others - rest * (r - 1) / others;
  return sizes;
}

using Loads = std::vector<fabric::RegisterLoad>;

/// Switches that are never clocked.
class RecordingBank final : public core::Bank {
 public:
  RecordingBank(std::uint32_t blocks, std::uint32_t ports, std::shared_ptr<Loads> loads)
      : Bank(blocks, ports), loads_(std::move(loads)) {}

  void clock(std::uint64_t, std::span<const std::uint32_t>) override {
    throw InternalError("switches that record what is written into them do nothing else");
  }
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override {
    loads_->push_back({block, address, value});
  }
  /// What was written last; 0 as after reset.
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override {
    for (auto load = loads_->rbegin(); load != loads_->rend(); ++load)
      if (load->sw == block && load->address == address) return load->value;
    return 0;
  }
  std::string describe(std::uint32_t) const override { return "records what is written into it"; }

 private:
  std::shared_ptr<Loads> loads_;
};

}  // namespace

std::shared_ptr<const fabric::BankFactory> make_golden_engine() {
  return std::make_shared<GoldenEngine>();
}

fabric::Division divide_network(const RunSpec& spec) {
  const topology::Graph& graph = *spec.graph;
  fabric::Division division{topology::divide(graph, sizes_of_parts(spec)), {}, {}};
  for (const topology::Node& node : graph.node_list())
    division.devices.push_back(division.switches[node.at.sw]);
  const fabric::Layout layout(graph);
  for (const fabric::Channel& channel : layout.channels())
    division.ends.push_back(division.switches[(channel.from.node ? channel.to : channel.from).id]);
  return division;
}

std::unique_ptr<core::Bank> LoadRecorder::make_switches(const fabric::SwitchConfig& config,
                                                        std::uint32_t blocks,
                                                        const fabric::BankOptions&) const {
  return std::make_unique<RecordingBank>(blocks, config.ports, loads_);
}

Loads LoadRecorder::loads_of(const ResolvedRun& run) const {
  loads_->clear();
  const RunParts parts(run);
  return std::exchange(*loads_, {});
}

}  // namespace muster::run
