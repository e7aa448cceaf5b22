// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// Larger files are refused before they are parsed; the largest possible network needs a sixth as
/// JSON and four fifths as GraphML.
inline constexpr std::size_t kMaxFileBytes = std::size_t{32} << 20;

/// A network file, the project's JSON, GraphML, BookSim's anynet or what ibnetdiscover prints, told
/// apart by content. Throws InputError "file: place: reason; how to fix it" for anything that is
/// not a usable network.
Graph read_topology(const std::string& path);

/// The same from memory; `file` stands in messages.
Graph parse_topology(std::string_view content, const std::string& file);

}  // namespace muster::topology
