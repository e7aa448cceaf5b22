// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "figures/gnuplot.hpp"
#include "muster/core/error.hpp"
#include "run/recording/page_file.hpp"
#include "systems/esc/blocks/box_factory.hpp"
#include "systems/esc/figures/esc_figures.hpp"
#include "systems/esc/scheme/session_recording.hpp"

namespace muster::esc {
namespace {

constexpr std::uint64_t kBefore = SessionRecording::kBefore;

/// One session of the paper's network with every buffer followed.
SessionRecording record(const std::string& policy, const figures::FigureSetting& setting) {
  Spec spec = paper_spec(policy);
  spec.seed = setting.seed;
  spec.hot = 0;  // then the tree is at the bottom of the picture
  return record_session(spec, *boxes_of(*setting.engine), 0);
}

/// Rows from bottom to top: stages from the output stage on, output links ascending in each.
std::string heat_map(const std::vector<SessionRecording>& recordings) {
  std::string script = fmt::format(
      "set terminal svg size 1100,620 noenhanced font 'Helvetica,12' background 'white'\n"
      "set encoding utf8\nset multiplot layout 1,{} title 'Saturation tree: packets in every "
      "output "
      "buffer, N = 256, n = 4, S = 12, gamma = 0.5, sigma = 10, hot spot 0'\n"
      "set palette defined (0 'white', 4 '#9ecae1', 8 '#3182bd', 12 '#67000d')\n"
      "set cbrange [0:12]\nset tics out\nset lmargin 13\nset rmargin 8\n"
      "set xlabel 'cycles since the active session began'\n",
      recordings.size());
  for (const SessionRecording& r : recordings) {
    const esc::Cube cube(r.spec.pes, r.spec.box.size);
    const unsigned stages = r.spec.stages().count(cube);
    const std::size_t frames = r.frames();
    script += fmt::format("set title '{}'\nset ylabel 'stage, output link'\nset ytics (",
                          policy_name(r.spec));
    for (unsigned s = 0; s < stages; ++s)
      script += fmt::format("{}'stage {}' {}", s == 0 ? "" : ", ", s, s * cube.pes());
    script +=
        fmt::format(")\nset xrange [-{}:{}]\nset yrange [0:{}]\n", kBefore,
                    static_cast<long>(frames) - static_cast<long>(kBefore), stages * cube.pes());
    script += fmt::format("plot '-' using ($1-{}):2:3 matrix with image notitle\n", kBefore);
    for (unsigned s = 0; s < stages; ++s) {
      for (std::uint32_t link = 0; link < cube.pes(); ++link) {
        for (std::size_t f = 0; f < frames; ++f)
          script += fmt::format("{} ", r.occupancy->packets(f, s, link));
        script += "\n";
      }
    }
    script += "e\n";
  }
  return script + "unset multiplot\n";
}

/// The saturation tree of section 3, as it grows and goes.
class EscTree final : public figures::Figure {
 public:
  std::string id() const override { return "esc-tree"; }
  std::string about() const override {
    return "the saturation tree: buffers over stages and time, heat map and animation";
  }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    if (esc::boxes_of(*setting.engine) == nullptr)
      throw InputError(setting.engine->name() + ": has no interchange boxes");
    std::vector<SessionRecording> recordings;
    std::vector<std::string> pages;
    for (const char* policy : {"bypass", "hot-section:4"}) {
      if (setting.progress) setting.progress(fmt::format("recording {}", policy));
      recordings.push_back(record(policy, setting));
    }
    for (const SessionRecording& r : recordings)
      pages.push_back(page_data(r, {"muster figure esc-tree", {}, setting.seed}));
    figures::FigureData data;
    data.title = "Saturation tree in the ESC";
    data.parameters = parameters(recordings[0].spec, setting);
    data.parameters.insert_or_assign("sessions", std::string("one"));
    data.parameters.emplace("hot", "PE 0");
    data.attachments.push_back({"map.svg", figures::run_gnuplot(heat_map(recordings))});
    data.attachments.push_back({"animation.html", run::page_of(pages)});
    for (const SessionRecording& r : recordings)
      data.notes.push_back(
          fmt::format("Active session, {}: {} cycles.", policy_name(r.spec), r.result.length));
    return data;
  }
};

}  // namespace

std::unique_ptr<figures::Figure> make_esc_tree() { return std::make_unique<EscTree>(); }

}  // namespace muster::esc
