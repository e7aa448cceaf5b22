// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/figures/esc_rate_sweep.hpp"

namespace muster::esc {

figures::FigureData esc_rate_sweep(const std::string& title,
                                   const std::vector<std::string>& policies,
                                   const std::vector<double>& rates,
                                   const figures::FigureSetting& setting, EscPoints& points) {
  figures::FigureData data;
  data.title = title;
  data.parameters = parameters(paper_spec("bypass"), setting);
  data.parameters.erase("gamma");
  std::vector<EscCurve> curves;
  curves.reserve(policies.size());
  for (const std::string& policy : policies) {
    curves.push_back({policy, [policy](double rate) {
                        esc::Spec spec = paper_spec(policy);
                        spec.rate = rate;
                        return spec;
                      }});
  }
  add_averages(curves, rates, "gamma (background messages per PE and cycle)", setting, points,
               data);
  return data;
}

std::vector<double> paper_rates() { return {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8}; }

}  // namespace muster::esc
