// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/figures/nic_model.hpp"

#include <bit>

namespace muster::nic {

namespace {

double triggers(std::uint32_t members) {
  return static_cast<double>(std::bit_width(members - 1)) - 1.0;
}

}  // namespace

double NicModel::latency_us(std::uint32_t members) const {
  return init_us + triggers(members) * trigger_us + adjust_us;
}

NicModel fit_nic_model(std::span<const NicSample> samples) {
  double n = 0.0, sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0;
  for (const NicSample& sample : samples) {
    const double x = triggers(sample.members);
    n += 1.0;
    sum_x += x;
    sum_y += sample.latency_us;
    sum_xx += x * x;
    sum_xy += x * sample.latency_us;
  }
  NicModel model;
  model.trigger_us = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
  model.init_us = samples.front().latency_us;
  model.adjust_us = (sum_y - model.trigger_us * sum_x) / n - model.init_us;
  return model;
}

}  // namespace muster::nic
