// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "words.hpp"

namespace muster::python {

namespace nb = nanobind;
using namespace nb::literals;

/// Each adds a part of the module.
void bind_network(nb::module_& m);
void bind_run(nb::module_& m);
void bind_result(nb::module_& m);
void bind_commands(nb::module_& m);

/// What they say, by their names.
inline nb::dict as_dict(const std::vector<Keyword>& keywords) {
  nb::dict found;
  for (const Keyword& keyword : keywords) found[keyword.name.c_str()] = keyword.help;
  return found;
}

}  // namespace muster::python
