// SPDX-License-Identifier: Apache-2.0
#include "experiment/esc_figures.hpp"

namespace muster::experiment {
namespace {

/// Section 4.3: hot background shares the reserved boxes, and the secondary tree is gone.
class Esc8 final : public Figure {
 public:
  explicit Esc8(std::shared_ptr<EscPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "esc-8"; }
  std::string about() const override { return "delays over gamma, bypass and isolated hot spot"; }

  FigureData measure(const FigureSetting& setting) override {
    FigureData data;
    data.title = "ESC Figure 8: N = 256, n = 4, S = 12, sigma = 10";
    data.parameters = parameters(paper_spec("bypass"));
    data.parameters.erase("gamma");
    const std::vector<double> rates = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8};
    std::vector<EscCurve> curves;
    for (const char* policy : {"bypass", "isolated-hs"}) {
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
      if (average == Average::kSyn) panel.printed.push_back({"bypass, paper", 0.5, 116, "bypass"});
      if (average == Average::kHot) panel.printed.push_back({"bypass, paper", 0.5, 151, "bypass"});
      data.panels.push_back(std::move(panel));
    }
    return data;
  }

 private:
  std::shared_ptr<EscPoints> points_;
};

}  // namespace

std::unique_ptr<Figure> make_esc_8(std::shared_ptr<EscPoints> points) {
  return std::make_unique<Esc8>(std::move(points));
}

}  // namespace muster::experiment
