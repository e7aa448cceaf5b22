// SPDX-License-Identifier: Apache-2.0
#include "run/load_recorder.hpp"

#include <utility>

#include "muster/core/error.hpp"
#include "run/run_parts.hpp"

namespace muster::run {
namespace {

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
