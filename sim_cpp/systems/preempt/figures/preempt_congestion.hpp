// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "systems/preempt/figures/preempt_points.hpp"

namespace muster::preempt {

/// Figures 13 and 15: later rounds with Ts = 100 over the duration of congestion and over the
/// number of congested members, for two group sizes on one system; with
/// the RTL's own hops and with T_b = 16.
class PreemptCongestion : public figures::Figure {
 public:
  PreemptCongestion(std::string id, std::string about, PreemptSystem system,
                    std::vector<std::uint32_t> sizes, std::vector<PreemptBaseline> baselines)
      : id_(std::move(id)),
        about_(std::move(about)),
        system_(system),
        sizes_(std::move(sizes)),
        baselines_(std::move(baselines)) {}
  std::string id() const override { return id_; }
  std::string about() const override { return about_; }
  figures::FigureData measure(const figures::FigureSetting& setting) override;

 private:
  struct Step {
    double x;
    run::CongestionSpec congestion;
  };
  static std::vector<Step> durations(std::uint32_t members);
  static std::vector<Step> shares(std::uint32_t members);
  /// `cuts`: channels cut in all its runs, by baseline.
  figures::Panel panel(std::uint32_t members, const std::vector<Step>& steps, const char* profile,
                       const figures::FigureSetting& setting, figures::FigureData& data,
                       std::vector<std::uint64_t>& cuts) const;

  std::string id_, about_;
  PreemptSystem system_;
  std::vector<std::uint32_t> sizes_;
  std::vector<PreemptBaseline> baselines_;
};

}  // namespace muster::preempt
