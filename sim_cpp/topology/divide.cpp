// SPDX-License-Identifier: Apache-2.0
#include "topology/divide.hpp"

#include <metis.h>

#include <mutex>
#include <numeric>

#include "muster/core/error.hpp"

namespace muster::topology {
namespace {

constexpr idx_t kTries = 8;
/// METIS has one random generator in a process. Ranks that divide a network at the same time on
/// threads of one process must get the same parts.
std::mutex metis;

}  // namespace

std::vector<std::uint32_t> divide(const Graph& graph, std::span<const std::uint32_t> sizes) {
  const double all = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  std::vector<std::uint32_t> parts;  // that are not empty, which METIS does not take
  std::vector<real_t> shares;
  for (std::uint32_t p = 0; p < sizes.size(); ++p) {
    if (sizes[p] == 0) continue;
    parts.push_back(p);
    shares.push_back(static_cast<real_t>(sizes[p] / all));
  }
  std::vector<idx_t> first{0}, neighbours;  // of each switch
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (const Peer& peer : graph.peers(s))
      if (peer.kind == Peer::Kind::kSwitch) neighbours.push_back(static_cast<idx_t>(peer.id));
    first.push_back(static_cast<idx_t>(neighbours.size()));
  }
  std::vector<idx_t> found(graph.switches(), 0);
  if (parts.size() > 1) {
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NCUTS] = kTries;
    options[METIS_OPTION_SEED] = 1;
    auto switches = static_cast<idx_t>(graph.switches());
    auto count = static_cast<idx_t>(parts.size());
    idx_t constraints = 1, cut = 0;
    const std::lock_guard lock(metis);
    if (METIS_PartGraphRecursive(&switches, &constraints, first.data(), neighbours.data(), nullptr,
                                 nullptr, nullptr, &count, shares.data(), nullptr, options, &cut,
                                 found.data()) != METIS_OK)
      throw InternalError("METIS does not divide the network");
  }
  std::vector<std::uint32_t> part;
  for (const idx_t p : found) part.push_back(parts[static_cast<std::size_t>(p)]);
  return part;
}

}  // namespace muster::topology
