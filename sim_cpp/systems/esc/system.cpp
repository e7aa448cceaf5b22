// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "muster/core/error.hpp"
#include "muster/run/command.hpp"
#include "run/recording/page.hpp"
#include "systems/esc/batch.hpp"
#include "systems/esc/golden/golden_boxes.hpp"
#include "systems/esc/session_recording.hpp"
#include "systems/esc/spec.hpp"

namespace muster::esc {

/// `muster esc`: sessions on an Extra Stage Cube (docs/systems/esc.md).
class EscCommand : public run::Command {
 public:
  EscCommand();
  std::string name() const override { return "esc"; }
  std::string about() const override {
    return "Hot spots in an Extra Stage Cube of interchange boxes";
  }
  bool has_engine() const override { return true; }
  void add_options(run::OptionList& options) override;
  run::CommandReport run(const run::CommandContext& context) override;

 private:
  Spec spec_;
  std::string policy_ = "bypass", pattern_ = "uniform", release_ = "direct", rate_change_, page_;
  std::optional<double> mean_;
  std::vector<std::string> faults_;
  bool no_checkers_ = false, generated_ = false;
};

EscCommand::EscCommand() { spec_.threads = std::max(1u, std::thread::hardware_concurrency()); }

void EscCommand::add_options(run::OptionList& options) {
  Spec& s = spec_;
  options.number("--pes", s.pes, "N, a power of the box size, up to 65536", kFewestPes, kMostPes);
  options.number("--box", s.box.size, "n of the n x n boxes: 2, 4 or 8", 2, 8);
  options.number("--buffer", s.box.depth, "S, packets in an output buffer of a box, 1 to 64", 1,
                 kMostBuffer);
  options.real("--rate", s.rate, "gamma, background messages per PE and cycle, below 1");
  options.text("--rate-change", rate_change_,
               "CYCLE:RATE: gamma is RATE from this cycle on; default: none");
  options.real("--sigma", s.sigma, "Standard deviation of the synchronization times, cycles");
  options.real(
      "--mean", mean_,
      "Mean of the synchronization times, cycles; default 3000, or more with a large --sigma");
  options.text("--policy", policy_,
               "bypass, isolated-bg, isolated-hs, hot-section:K or :auto, throttle:T, adaptive, "
               "combining");
  options.number("--sessions", s.sessions, "Active sessions", 1);
  options.number("--hot", s.hot, "The coordinator; default: random for each session", 0,
                 kMostPes - 1);
  options.number("--hot-spots", s.hot_spots, "Number of simultaneous groups", 1, kMostPes / 2);
  options.text("--pattern", pattern_,
               "Destinations of background: uniform, bit-reversal, transpose");
  options.choice("--release", release_, {"direct", "network"},
                 "Response of the coordinator: direct, or through the network as a broadcast");
  options.texts("--fault", faults_,
                "A faulty part, repeatable: box:STAGE:BOX, link:STAGE:LINK or bypass:STAGE:LINK");
  options.number("--threads", s.threads,
                 "Simultaneous sessions; the result is the same for any number", 1, 256);
  options.flag("--generated", generated_,
               "Count the messages that each cycle of the active session generates, for --json");
  options.text("--page", page_,
               "Write a page for a browser that shows session 0 cycle by cycle: FILE.html");
  options.flag("--no-checkers", no_checkers_, "Do not check the links");
}

run::CommandReport EscCommand::run(const run::CommandContext& context) {
  set_policy(spec_, policy_);
  spec_.pattern = pattern_named(pattern_);
  spec_.release = release_ == "network" ? Release::kNetwork : Release::kDirect;
  spec_.checkers = !no_checkers_;
  if (!rate_change_.empty()) spec_.rate_change = rate_change_named(rate_change_);
  for (const std::string& text : faults_) spec_.faults.push_back(fault_named(text));
  spec_.seed = context.origin.seed;
  spec_.mean = mean_.value_or(std::max(3000.0, least_mean(spec_.sigma)));
  validate(spec_);
  if (!page_.empty() && spec_.pes > kMostShownPes)
    throw InputError(fmt::format("--page: shows up to {} PEs", kMostShownPes));
  context.outputs.writes("--page", page_);
  const std::string warning = capacity_warning(spec_);
  if (!warning.empty() && context.warn) context.warn(warning);
  auto result = std::make_shared<const BatchResult>(run_batch(
      spec_, *context.engine,
      [&](std::uint32_t done, std::uint64_t cycle) {
        if (context.progress)
          context.progress(fmt::format("{} of {} sessions done, another in cycle {}", done,
                                       spec_.sessions, cycle));
      },
      context.interrupted));
  if (!page_.empty() && !result->interrupted) {
    const std::string data =
        page_data(record_session(spec_, *boxes_of(*context.engine), 0), context.origin);
    context.outputs.put(page_, run::page_of({&data, 1}));
  }
  return {.json =
              [this, result, origin = context.origin] {
                std::optional<Generated> generated;
                if (generated_) generated = count_generated(spec_, result->lengths);
                return batch_to_json(spec_, *result, origin, generated);
              },
          .text = [this, result] { return batch_to_text(spec_, *result); },
          .violations = result->violations,
          .interrupted = result->interrupted};
}

namespace {

class Esc final : public run::System {
 public:
  std::string_view name() const override { return "esc"; }
  void add_golden_makers(fabric::BlockMakers& makers) const override {
    makers.add(golden::make_golden_boxes());
  }
  std::vector<std::unique_ptr<run::Command>> commands() const override {
    std::vector<std::unique_ptr<run::Command>> commands;
    commands.push_back(std::make_unique<EscCommand>());
    return commands;
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<Esc>(); }

}  // namespace muster::esc
