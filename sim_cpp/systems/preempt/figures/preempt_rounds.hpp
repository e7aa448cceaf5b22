// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "systems/preempt/figures/preempt_points.hpp"

namespace muster::preempt {

/// Figures 12 and 14: the first and later rounds of a group over its size, without congestion, on
/// two systems, with two start-up times, the RTL's own hops and T_b = 16 each.
class PreemptRounds : public figures::Figure {
 public:
  struct Part {
    PreemptSystem system;
    std::vector<std::uint32_t> sizes;  ///< of groups, ascending
  };
  PreemptRounds(std::string id, std::string about, std::vector<Part> parts,
                std::vector<PreemptBaseline> baselines)
      : id_(std::move(id)),
        about_(std::move(about)),
        parts_(std::move(parts)),
        baselines_(std::move(baselines)) {}
  std::string id() const override { return id_; }
  std::string about() const override { return about_; }
  figures::FigureData measure(const figures::FigureSetting& setting) override;

 private:
  figures::Panel panel(const Part& part, std::size_t timing, const figures::FigureSetting& setting,
                       figures::FigureData& data) const;

  std::string id_, about_;
  std::vector<Part> parts_;
  std::vector<PreemptBaseline> baselines_;
};

}  // namespace muster::preempt
