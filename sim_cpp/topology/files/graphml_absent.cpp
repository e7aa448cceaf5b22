// SPDX-License-Identifier: Apache-2.0
// In place of the other graphml_*.cpp where pugixml is not installed.
#include "muster/core/error.hpp"
#include "topology/files/file_formats.hpp"

namespace muster::topology {

namespace {

constexpr const char* kAbsent =
    "GraphML is not in this build; install libpugixml-dev and build again, or use the project's "
    "JSON";

}  // namespace

Graph parse_graphml(std::string_view, const std::string& file) {
  throw InputError(file + ": " + kAbsent);
}

std::string to_graphml(const Graph&) { throw InputError(kAbsent); }

}  // namespace muster::topology
