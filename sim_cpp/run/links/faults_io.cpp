// SPDX-License-Identifier: Apache-2.0
#include "run/links/faults_io.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace muster::run {

Json links_parameters(const LinkSpec& spec) {
  Json flaps = Json::array();
  for (const Flap& flap : spec.flaps)
    flaps.push_back({{"channel", flap.channel}, {"cycle", flap.first}, {"cycles", flap.cycles}});
  return {{"drop", spec.drop},
          {"corrupt", spec.corrupt},
          {"duplicate", spec.duplicate},
          {"ack_drop", spec.ack_drop},
          {"flaps", std::move(flaps)}};
}

Json faults_json(const LinkCounts& counts) {
  Json faults = {{"link_frames", counts.frames},
                 {"injected",
                  {{"dropped", counts.dropped},
                   {"corrupted", counts.corrupted},
                   {"duplicated", counts.duplicated},
                   {"flapped", counts.flapped},
                   {"acks_dropped", counts.acks_dropped}}},
                 {"link_replays", counts.replayed},
                 {"links_down", counts.down}};
  if (counts.lost) faults["messages_lost"] = *counts.lost;
  return faults;
}

std::string faults_text(const LinkCounts& counts) {
  const std::string lost =
      counts.lost ? fmt::format(", {} barrier messages lost without a place", *counts.lost) : "";
  return fmt::format(
      "links        {} frames, {} dropped, {} corrupted, {} duplicated, {} in flaps{}; {} flits "
      "retransmitted{}, {} end{} down\n",
      counts.frames, counts.dropped, counts.corrupted, counts.duplicated, counts.flapped,
      counts.acks_dropped != 0 ? fmt::format(", {} jammed", counts.acks_dropped) : "",
      counts.replayed, lost, counts.down.size(), counts.down.size() == 1 ? "" : "s");
}

}  // namespace muster::run
