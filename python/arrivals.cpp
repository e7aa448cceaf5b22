// SPDX-License-Identifier: Apache-2.0
#include "arrivals.hpp"

#include <fmt/format.h>

#include "unlocked.hpp"

namespace muster::python {

namespace {

/// Beyond it cycles would not add up.
constexpr std::uint64_t kLatest = std::uint64_t{1} << 62;

/// Arrivals that Python functions tell. Any thread may ask, without the interpreter's lock.
class CalledArrivals : public run::Arrivals {
 public:
  /// One for each group, or one for all.
  explicit CalledArrivals(std::vector<nb::object> functions) : functions_(std::move(functions)) {
    const nb::object& first = functions_.front();
    const nb::object named =
        nb::hasattr(first, "__qualname__") ? first : nb::borrow<nb::object>(first.type());
    name_ = nb::cast<std::string>(nb::str(nb::getattr(named, "__qualname__")));
  }
  ~CalledArrivals() override {
    const nb::gil_scoped_acquire lock;
    functions_.clear();
  }
  CalledArrivals(const CalledArrivals&) = delete;
  CalledArrivals& operator=(const CalledArrivals&) = delete;

  std::string name() const override { return name_; }

  std::uint64_t next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                     std::uint64_t earliest) const override {
    if (functions_.size() > 1 && group >= functions_.size())
      throw InputError(fmt::format(
          "arrivals: has {} functions, and none for group {}; give one per group, or one for all",
          functions_.size(), group));
    if (all_end()) return earliest;
    const nb::gil_scoped_acquire lock;
    const nb::object& function = functions_.size() == 1 ? functions_[0] : functions_[group];
    const nb::object answer = function(member, barrier, earliest);
    return answer.is_none() ? fabric::kNever : cycle_of(answer, member, barrier);
  }

 private:
  static std::uint64_t cycle_of(const nb::object& answer, std::uint32_t member,
                                std::uint32_t barrier) {
    const nb::object number = nb::steal(PyNumber_Index(answer.ptr()));
    if (!number.is_valid()) {
      PyErr_Clear();
      throw nb::type_error(
          fmt::format("arrivals: {} for member {} at barrier {}; give a whole number of cycles, or "
                      "None for never",
                      nb::cast<std::string>(nb::repr(answer)), member, barrier)
              .c_str());
    }
    const std::uint64_t cycle = PyLong_AsUnsignedLongLong(number.ptr());
    const bool out = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    if (!out && cycle <= kLatest) return cycle;
    throw InputError(fmt::format("arrivals: cycle {} for member {} at barrier {} is out of range",
                                 nb::cast<std::string>(nb::str(number)), member, barrier));
  }

  std::vector<nb::object> functions_;
  std::string name_;
};

}  // namespace

std::shared_ptr<const run::Arrivals> arrivals_of(const nb::object& given) {
  if (given.is_none()) return nullptr;
  run::ListedArrivals::List times;
  if (nb::try_cast(given, times)) return std::make_shared<run::ListedArrivals>(std::move(times));
  std::vector<nb::object> functions;
  for (const nb::handle function : given) functions.push_back(nb::borrow<nb::object>(function));
  return std::make_shared<CalledArrivals>(std::move(functions));
}

}  // namespace muster::python
