// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/session_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "muster/run/result.hpp"

namespace muster::esc {

Occupancy::Occupancy(const esc::Spec& spec, std::uint64_t from, std::uint64_t to)
    : cube_(spec.pes, spec.box.size),
      first_stage_(spec.stages().first(cube_)),
      last_stage_(spec.stages().last()),
      from_(from),
      to_(to),
      held_(std::size_t{spec.stages().count(cube_)} * spec.pes) {}

void Occupancy::start(const esc::SessionPlan& /*plan*/) {
  std::fill(held_.begin(), held_.end(), 0);
  frames_.clear();
}

void Occupancy::observe(const esc::CycleView& view) {
  if (view.cycle >= from_ && view.cycle <= to_) frames_.push_back(held_);
  const std::uint32_t n = cube_.size();
  for (std::size_t k = 0; k < held_.size(); ++k) {
    if (view.tx[k] != 0 && view.tx_ready[k] != 0) --held_[k];
    if (view.rx_ready[k] == 0) continue;
    const auto stage = last_stage_ + static_cast<unsigned>(k / cube_.pes());
    const std::size_t box = k / n * n;
    if (esc::broadcast_in(view.rx[k], stage)) {
      for (std::uint32_t o = 0; o < n; ++o) ++held_[box + o];
    } else {
      ++held_[box + cube_.digit(esc::tag_of(view.rx[k]), stage)];
    }
  }
}

std::size_t Occupancy::place(unsigned stage, std::uint32_t link) const {
  return std::size_t{stage - last_stage_} * cube_.pes() +
         std::size_t{cube_.box(stage, link)} * cube_.size() + cube_.port(stage, link);
}

std::uint8_t Occupancy::packets(std::size_t frame, unsigned stage, std::uint32_t link) const {
  return frames_[frame][place(stage, link)];
}

std::size_t SessionRecording::frames() const {
  return std::min<std::size_t>(occupancy->cycles(), kBefore + result.length + kAfter);
}

SessionRecording record_session(const Spec& spec, const BoxFactory& factory,
                                std::uint32_t session) {
  SessionRecording recording;
  recording.spec = spec;
  recording.plan = plan_session(spec, session);
  const std::uint64_t first = recording.plan.first;
  recording.occupancy = std::make_unique<Occupancy>(
      spec, first - std::min(first, SessionRecording::kBefore), kNever - 1);
  SessionRunner runner(recording.spec, factory);
  runner.attach(*recording.occupancy);
  recording.result = runner.run(session);
  return recording;
}

std::string page_data(const SessionRecording& recording, const Provenance& origin) {
  const Spec& spec = recording.spec;
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
  for (std::size_t f = 0; f < recording.frames(); ++f) {
    for (std::size_t column = 0; column < stages.size(); ++column)
      for (std::uint32_t link = 0; link < cube.pes(); ++link) {
        const std::size_t place = column * cube.pes() + link;
        const std::uint8_t packets =
            recording.occupancy->packets(f, first - static_cast<unsigned>(column), link);
        if (packets == held[place]) continue;
        held[place] = packets;
        rows.push_back(rows.empty() ? recording.first() + f : f - before);
        rows.insert(rows.end(), {place, packets});
        before = f;
      }
  }
  run::Json page = {{"schema", "muster-page-1"},
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
                    {"hot", recording.plan.hot},
                    {"active", recording.plan.first},
                    {"length", recording.result.length},
                    {"from", recording.first()},
                    {"to", recording.first() + recording.frames()},
                    {"occupancy", rows}};
  return page.dump() + "\n";
}

}  // namespace muster::esc
