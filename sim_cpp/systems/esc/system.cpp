// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <thread>

#include "run/recording/page.hpp"
#include "systems/all.hpp"
#include "systems/esc/batch.hpp"
#include "systems/esc/golden/golden_boxes.hpp"
#include "systems/esc/session_recording.hpp"

namespace muster::esc {
namespace {

/// `muster esc`: sessions on an Extra Stage Cube (docs/systems/esc.md).
class EscCommand : public run::Command {
 public:
  EscCommand() {
    spec_.threads = std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads);
  }
  std::string name() const override { return "esc"; }
  std::string about() const override {
    return "Hot spots in an Extra Stage Cube of interchange boxes";
  }
  bool has_engine() const override { return true; }
  void add_options(run::Fields& options) override {
    typed_ = &options;
    describe(options, spec_);
    options.flag("--generated", generated_,
                 "Count the messages that each cycle of the active session generates, for --json");
    options.text("--page", page_,
                 "Write a page for a browser that shows session 0 cycle by cycle: FILE.html");
  }
  void add_schemas(run::Json& all) const override { all["muster-esc-1"] = batch_schema(); }
  run::CommandReport run(const run::CommandContext& context) override {
    spec_.seed = context.origin.seed;
    if (!typed_->typed("--mean")) spec_.mean = std::max(spec_.mean, least_mean(spec_.sigma));
    validate(spec_);
    if (!page_.empty() && spec_.pes > kMostShownPes)
      throw InputError("--page: shows up to {} PEs", kMostShownPes);
    context.outputs.writes("--page", page_, ".html");
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
      const std::string data = page_data(spec_, *boxes_of(*context.engine), 0, context.origin);
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

 private:
  Spec spec_;
  std::string page_;
  bool generated_ = false;
  const run::Fields* typed_ = nullptr;
};

class Esc final : public run::System {
 public:
  Esc() : System({.name = "esc"}) {}
  void add_golden_makers(fabric::BlockMakers& makers) const override {
    makers.add<BoxFactory>(std::make_shared<golden::GoldenBoxes>());
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
