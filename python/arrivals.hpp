// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "bindings.hpp"
#include "muster/run/arrivals.hpp"

namespace muster::python {

/// None: nullptr, and the run's own. A list with a callable for each group, or one for all:
/// callable(member, barrier, now) gives the cycle of the arrival, or None for never. What it raises
/// ends the run and is raised there. Lists of times [group][barrier][member], from run.py.
std::shared_ptr<const run::Arrivals> arrivals_of(const nb::object& given);

/// What results say of arrivals whose own object is gone.
class NamedArrivals : public run::Arrivals {
 public:
  explicit NamedArrivals(std::string name) : name_(std::move(name)) {}
  std::uint64_t next(std::uint32_t, std::uint32_t, std::uint32_t,
                     std::uint64_t earliest) const override {
    return earliest;
  }
  std::string name() const override { return name_; }

 private:
  std::string name_;
};

}  // namespace muster::python
