// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "systems/esc/figures/esc_figures.hpp"

namespace muster::esc {
namespace {

/// Section 4.4: synchronization messages that are spread more and more.
class Esc14 final : public figures::Figure {
 public:
  explicit Esc14(std::shared_ptr<EscPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "esc-14"; }
  std::string about() const override {
    return "delays over sigma, bypass and hot section, gamma 0.4 and 0.6";
  }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = "ESC Figure 14: N = 256, n = 4, S = 12, K = 4";
    data.parameters = parameters(paper_spec("hot-section:4"), setting);
    data.parameters.erase("gamma");
    data.parameters.erase("sigma");
    const std::vector<double> sigmas = {10, 20, 30, 40, 50, 75, 100};
    std::vector<EscCurve> curves;
    for (const double rate : {0.4, 0.6}) {
      for (const char* policy : {"bypass", "hot-section:4"}) {
        curves.push_back({fmt::format("{}, gamma = {}", policy, rate), [=](double sigma) {
                            esc::Spec spec = paper_spec(policy);
                            spec.rate = rate;
                            spec.sigma = sigma;
                            return spec;
                          }});
      }
    }
    add_averages(curves, sigmas, "sigma (cycles)", setting, *points_, data);
    return data;
  }

 private:
  std::shared_ptr<EscPoints> points_;
};

}  // namespace

std::unique_ptr<figures::Figure> make_esc_14(std::shared_ptr<EscPoints> points) {
  return std::make_unique<Esc14>(std::move(points));
}

}  // namespace muster::esc
