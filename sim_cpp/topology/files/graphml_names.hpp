// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// Names of the attributes of networks in GraphML.
namespace muster::topology::graphml_names {

inline constexpr const char* kKind = "kind";
inline constexpr const char* kSwitch = "switch";
inline constexpr const char* kNode = "node";
inline constexpr const char* kPorts = "ports";
inline constexpr const char* kLevel = "level";
inline constexpr const char* kLatency = "latency";
inline constexpr const char* kSourcePort = "source_port";
inline constexpr const char* kTargetPort = "target_port";
inline constexpr const char* kName = "name";
inline constexpr const char* kLabel = "label";  // what other tools call a vertex
inline constexpr const char* kGenerator = "generator";
inline constexpr const char* kNote = "note";
inline constexpr const char* kMeshWidth = "mesh_width";
inline constexpr const char* kMeshHeight = "mesh_height";
inline constexpr std::string_view kGroup = "group ";  // and its name

}  // namespace muster::topology::graphml_names
