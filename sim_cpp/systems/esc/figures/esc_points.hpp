// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "muster/figures/figure.hpp"
#include "systems/esc/scheme/batch.hpp"

namespace muster::esc {

/// Batches that have been run, so that figures which share a point (bypass in Figures 5 and 8,
/// Figures 15 to 17) run it once.
class EscPoints {
 public:
  /// Seed, threads and repetitions are the setting's.
  const esc::BatchResult& at(esc::Spec spec, const figures::FigureSetting& setting);

 private:
  std::map<std::string, esc::BatchResult> known_;
};

/// The three averages of section 4.1.
enum class Average { kSyn, kTotal, kHot };
std::string average_name(Average average);  ///< "mu_BG(Tot)"

/// The network of the evaluation: N = 256, n = 4, S = 12, sigma = 10, 125 sessions, mean 3000.
esc::Spec paper_spec(const std::string& policy);
/// Sessions that are run for a point: the setting's, or else the spec's.
std::uint32_t sessions(const esc::Spec& spec, const figures::FigureSetting& setting);
std::map<std::string, std::string> parameters(const esc::Spec& spec,
                                              const figures::FigureSetting& setting);

/// One curve of a sweep: a spec for each x.
struct EscCurve {
  std::string name;
  std::function<esc::Spec(double x)> spec;
};

/// One average of all curves over `xs`; panels (a), (b), (c) as in the paper's figures.
figures::Panel esc_panel(Average average, const std::vector<EscCurve>& curves,
                         const std::vector<double>& xs, const figures::FigureSetting& setting,
                         EscPoints& points);
/// The curve of the point with the least y at each x. REQUIRES: all have points at the same x.
figures::Series least_of(const std::string& name, std::span<const figures::Series> curves);
/// Warnings of the checks and about the input stage's capacity, for the same points.
void add_remarks(const std::vector<EscCurve>& curves, const std::vector<double>& xs,
                 const figures::FigureSetting& setting, EscPoints& points,
                 figures::FigureData& data);
/// Panels (a) to (c), the three averages of all curves over `xs`, and the remarks.
void add_averages(const std::vector<EscCurve>& curves, const std::vector<double>& xs,
                  const std::string& x_label, const figures::FigureSetting& setting,
                  EscPoints& points, figures::FigureData& data);

}  // namespace muster::esc
