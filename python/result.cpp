// SPDX-License-Identifier: Apache-2.0
#include "result.hpp"

#include <algorithm>

#include "arrivals.hpp"
#include "muster/run/result.hpp"
#include "unlocked.hpp"

namespace muster::python {

namespace {

/// An array that owns its numbers.
template <class T, class Field>
nb::object column(const std::vector<run::BarrierRecord>& barriers, Field field) {
  auto* numbers = new std::vector<T>;
  nb::capsule owner(numbers, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  numbers->reserve(std::max<std::size_t>(barriers.size(), 1));  // an address, even of none
  for (const run::BarrierRecord& b : barriers) numbers->push_back(b.*field);
  return nb::cast(
      nb::ndarray<nb::numpy, T, nb::ndim<1>>(numbers->data(), {numbers->size()}, owner));
}

}  // namespace

Result::Result(const run::ResolvedRun& run, run::RunResult result, Provenance origin)
    : spec_(run.spec), result_(std::move(result)), origin_(std::move(origin)) {
  spec_.interrupted = nullptr;
  spec_.progress = nullptr;
  if (spec_.arrivals) spec_.arrivals = std::make_shared<NamedArrivals>(spec_.arrivals->name());
}

std::string Result::json() const { return run::run_to_json(spec_, result_, origin_); }

std::string Result::text() const {
  return run::switches_to_text(spec_, result_.config) + run::run_to_text(spec_, result_);
}

nb::dict Result::columns() const {
  using run::BarrierRecord;
  const auto& barriers = result_.barriers;
  nb::dict found;
  found["group"] = column<std::uint32_t>(barriers, &BarrierRecord::group);
  found["number"] = column<std::uint32_t>(barriers, &BarrierRecord::number);
  found["latency_cycles"] = column<std::uint64_t>(barriers, &BarrierRecord::latency_cycles);
  found["reduction_cycles"] = column<std::uint64_t>(barriers, &BarrierRecord::reduction_cycles);
  found["distribution_cycles"] =
      column<std::uint64_t>(barriers, &BarrierRecord::distribution_cycles);
  found["exit_skew_cycles"] = column<std::uint64_t>(barriers, &BarrierRecord::exit_skew_cycles);
  found["hops"] = column<std::uint32_t>(barriers, &BarrierRecord::hops);
  found["failed"] = column<std::uint8_t>(barriers, &BarrierRecord::failed);
  return found;
}

void bind_result(nb::module_& m) {
  nb::class_<Result>(m, "Result")
      .def("json", &Result::json, nb::call_guard<Unlocked>())
      .def("text", &Result::text, nb::call_guard<Unlocked>())
      .def("columns", &Result::columns)
      .def_prop_ro("ok", &Result::ok)
      .def_prop_ro("interrupted", &Result::interrupted)
      .def_prop_ro("clock_ns", &Result::clock_ns);
}

}  // namespace muster::python
