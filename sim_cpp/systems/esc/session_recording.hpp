// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "muster/run/result.hpp"
#include "systems/esc/session.hpp"

namespace muster::esc {

/// Packets in every output buffer of an ESC network over time, as BufferCounts have them.
class Occupancy final : public Observer {
 public:
  /// Keeps the cycles from `from` on.
  Occupancy(const Spec& spec, std::uint64_t from)
      : pes_(spec.pes), last_stage_(spec.stages().last()), from_(from) {
    const Cube cube(spec.pes, spec.box.size);
    for (unsigned stage = last_stage_; stage <= spec.stages().first(cube); ++stage)
      stages_.emplace_back(cube, spec.stages(), stage);
  }
  void start(const SessionPlan& /*plan*/) override {
    for (BufferCounts& stage : stages_) stage.start();
    frames_.clear();
  }
  void observe(const CycleView& view) override {
    if (view.cycle >= from_) {
      std::vector<std::uint8_t>& frame = frames_.emplace_back();
      for (const BufferCounts& stage : stages_)
        for (std::uint32_t link = 0; link < pes_; ++link)
          frame.push_back(static_cast<std::uint8_t>(stage.fill(link)));
    }
    for (BufferCounts& stage : stages_) stage.clock(view);
  }

  std::size_t cycles() const { return frames_.size(); }
  /// Packets in the buffer in front of output link `link` of `stage` at the beginning of kept
  /// cycle `frame`.
  std::uint8_t packets(std::size_t frame, unsigned stage, std::uint32_t link) const {
    return frames_[frame][std::size_t{stage - last_stage_} * pes_ + link];
  }

 private:
  std::uint32_t pes_;
  unsigned last_stage_;
  std::uint64_t from_;
  std::vector<BufferCounts> stages_;               ///< from the last one on
  std::vector<std::vector<std::uint8_t>> frames_;  ///< of each kept cycle, by stage and link
};

/// Rows of a page that still have a pixel each.
inline constexpr std::uint32_t kMostShownPes = 1024;

/// The data of a page (docs/reference/formats.md, The page): the session with this number, every
/// buffer followed from a little before the active session to a little after it. Throws as
/// SessionRunner::run().
inline std::string page_data(const Spec& spec, const BoxFactory& factory, std::uint32_t session,
                             const Provenance& origin) {
  constexpr std::uint64_t kBefore = 20, kAfter = 100;  // cycles
  const SessionPlan plan = plan_session(spec, session);
  const std::uint64_t from = plan.first - std::min(plan.first, kBefore);
  Occupancy occupancy(spec, from);
  SessionRunner runner(spec, factory);
  runner.attach(occupancy);
  const SessionResult result = runner.run(session);
  const std::size_t frames =
      std::min<std::size_t>(occupancy.cycles(), kBefore + result.length + kAfter);
  const Cube cube(spec.pes, spec.box.size);
  const unsigned first = spec.stages().first(cube), last = spec.stages().last();
  run::Json stages = run::Json::array(), digits = run::Json::array();
  for (unsigned stage = first + 1; stage-- > last;) {
    stages.push_back(stage);
    digits.push_back(cube.exchanged(stage));
  }
  std::vector<std::uint64_t> rows;
  std::vector<std::uint8_t> held(stages.size() * cube.pes(), 0);
  std::size_t before = 0;  // frame of the last row; the first row counts from cycle 0
  for (std::size_t f = 0; f < frames; ++f) {
    for (std::size_t column = 0; column < stages.size(); ++column)
      for (std::uint32_t link = 0; link < cube.pes(); ++link) {
        const std::size_t place = column * cube.pes() + link;
        const std::uint8_t packets =
            occupancy.packets(f, first - static_cast<unsigned>(column), link);
        if (packets == held[place]) continue;
        held[place] = packets;
        rows.push_back(rows.empty() ? from + f : f - before);
        rows.insert(rows.end(), {place, packets});
        before = f;
      }
  }
  run::Json page = {{"schema", "muster-page-2"},
                    {"kind", "esc"},
                    {"title", fmt::format("Extra Stage Cube, {} PEs", spec.pes)},
                    {"command", origin.command},
                    {"version", origin.version},
                    {"seed", origin.seed},
                    {"policy", policy_name(spec)},
                    {"pes", spec.pes},
                    {"box", spec.box.size},
                    {"depth", spec.box.depth},
                    {"stages", std::move(stages)},
                    {"digits", std::move(digits)},
                    {"hot", plan.hot},
                    {"active", plan.first},
                    {"length", result.length},
                    {"from", from},
                    {"to", from + frames},
                    {"occupancy", rows}};
  return page.dump() + "\n";
}

}  // namespace muster::esc
