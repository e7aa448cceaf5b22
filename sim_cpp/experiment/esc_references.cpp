// SPDX-License-Identifier: Apache-2.0
#include "experiment/esc_figures.hpp"

namespace muster::experiment {
namespace {

/// Beyond the paper: schemes of others on the same boxes, docs/esc-references.md.
class EscReferences final : public Figure {
 public:
  explicit EscReferences(std::shared_ptr<EscPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "esc-references"; }
  std::string about() const override {
    return "delays over gamma, bypass and hot section beside schemes of others";
  }

  FigureData measure(const FigureSetting& setting) override {
    FigureData data;
    data.title = "Extra Stage Cube, hot section and references: N = 256, n = 4, S = 12, sigma = 10";
    data.parameters = parameters(paper_spec("bypass"));
    data.parameters.erase("gamma");
    const std::vector<double> rates = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
    std::vector<EscCurve> curves;
    for (const char* policy : {"bypass", "hot-section:4", "throttle:6", "adaptive", "combining"}) {
      curves.push_back({policy, [policy](double rate) {
                          esc::Spec spec = paper_spec(policy);
                          spec.rate = rate;
                          return spec;
                        }});
    }
    add_remarks(curves, rates, setting, *points_, data);
    for (const Average average : {Average::kSyn, Average::kTotal, Average::kHot}) {
      Panel panel = esc_panel(average, curves, rates, setting, *points_);
      panel.x_label = "gamma (background messages per PE and cycle)";
      data.panels.push_back(std::move(panel));
    }
    return data;
  }

 private:
  std::shared_ptr<EscPoints> points_;
};

}  // namespace

std::unique_ptr<Figure> make_esc_references(std::shared_ptr<EscPoints> points) {
  return std::make_unique<EscReferences>(std::move(points));
}

}  // namespace muster::experiment
