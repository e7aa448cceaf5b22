// SPDX-License-Identifier: Apache-2.0
#include "muster/topology/load_file.hpp"

#include <fmt/format.h>

#include "core/file_io.hpp"
#include "muster/core/error.hpp"
#include "topology/files/anynet.hpp"
#include "topology/files/graphml.hpp"
#include "topology/files/ibnet.hpp"
#include "topology/files/json_io.hpp"

namespace muster::topology {

Graph parse_topology(std::string_view content, const std::string& file) {
  const std::size_t start = content.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos)
    throw InputError(fmt::format("{}: the file is empty; give a network", file));
  const std::string_view text = content.substr(start);
  if (text.starts_with('{')) return parse_json(content, file);
  if (text.starts_with('<')) return parse_graphml(content, file);
  if (text.starts_with("router") || text.starts_with("node")) return parse_anynet(content, file);
  if (looks_like_ibnet(content)) return parse_ibnet(content, file);
  throw InputError(
      fmt::format("{}: start: neither a network in JSON ({{\"schema\": ...) or GraphML (<graphml> "
                  "...) nor a BookSim anynet file (router 0 ...) nor the output of ibnetdiscover; "
                  "is it the right file?",
                  file));
}

Graph read_topology(const std::string& path) {
  return parse_topology(read_file(path, kMaxFileBytes), path);
}

}  // namespace muster::topology
