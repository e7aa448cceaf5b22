// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"
#include "systems/esc/blocks/box_factory.hpp"
#include "systems/esc/figures/esc_figures.hpp"
#include "systems/esc/scheme/session.hpp"

namespace muster::esc {
namespace {

/// Section 4.2: most synchronization messages are generated before most hot background messages of
/// the active session.
class Esc6 final : public figures::Figure {
 public:
  std::string id() const override { return "esc-6"; }
  std::string about() const override {
    return "synchronization and hot background messages generated per cycle";
  }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    esc::Spec spec = paper_spec("bypass");
    spec.seed = setting.seed;
    spec.sessions = sessions(spec, setting);
    count(spec, setting);
    const auto mean = [&](const std::vector<double>& counts, const std::string& name) {
      figures::Series series{name, {}};
      for (std::size_t t = 0; t < counts.size(); ++t)
        series.points.push_back({static_cast<double>(t), counts[t] / spec.sessions, {}});
      return series;
    };
    figures::Panel panel;
    panel.name = "a";
    panel.title = "bypass, gamma = 0.5";
    panel.x_label = "cycles since the active session began";
    panel.y_label = "messages generated per cycle (mean over sessions)";
    panel.series = {mean(syn_, "synchronization"), mean(hot_, "hot background")};
    figures::FigureData data;
    data.title = "ESC Figure 6: N = 256, n = 4, S = 12, sigma = 10";
    data.parameters = parameters(spec, setting);
    data.panels.push_back(std::move(panel));
    data.notes.push_back("Sessions end at different times; what is generated later counts 0.");
    return data;
  }

 private:
  void count(const esc::Spec& spec, const figures::FigureSetting& setting) {
    syn_.clear();
    hot_.clear();
    if (esc::boxes_of(*setting.engine) == nullptr)
      throw InputError(setting.engine->name() + ": has no interchange boxes");
    esc::SessionRunner runner(spec, *esc::boxes_of(*setting.engine));
    esc::Background background(esc::Cube(spec.pes, spec.box.size), spec);
    for (std::uint32_t session = 0; session < spec.sessions; ++session) {
      const std::uint64_t length = runner.run(session).length;
      const esc::SessionPlan plan = esc::plan_session(spec, session);
      background.start(plan.seed);
      syn_.resize(std::max<std::size_t>(syn_.size(), length + 1));
      hot_.resize(syn_.size());
      for (std::uint32_t pe = 0; pe < spec.pes; ++pe) {
        if (plan.time[pe] != esc::kNever) syn_[plan.time[pe] - plan.first] += 1;
        for (std::uint64_t t = 0; t <= length; ++t)
          hot_[t] += background.at(pe, plan.first + t) == plan.hot[0];
      }
      if (setting.progress) setting.progress(fmt::format("session {}", session + 1));
    }
  }

  std::vector<double> syn_, hot_;  ///< sums over sessions, by cycle of the active session
};

}  // namespace

std::unique_ptr<figures::Figure> make_esc_6() { return std::make_unique<Esc6>(); }

}  // namespace muster::esc
