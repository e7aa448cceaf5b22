// SPDX-License-Identifier: Apache-2.0
#include "topology/files/ibnet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "muster/core/error.hpp"
#include "topology/files/ibnet_sections.hpp"
#include "topology/files/quote.hpp"
#include "topology/validate.hpp"

namespace muster::topology {

namespace {

class Subnet {
 public:
  explicit Subnet(std::vector<IbSection> sections) : sections_(std::move(sections)) {
    for (const IbSection& section : sections_) by_name_[section.device] = &section;
  }

  Graph network() {
    for (const IbSection& section : sections_) {
      for (const auto& [port, peer] : section.peers) check_other_end(section, port, peer);
      if (is_ib_switch(section.device)) add_switch(section);
    }
    for (const IbSection* section : switches_)
      for (const auto& [port, peer] : section->peers) {
        const PortRef here = place(*section, port);
        if (!is_ib_switch(peer.device)) {
          const NodeId node = graph_.add_node(here);
          if (!peer.name.empty()) graph_.node_names.emplace(node, peer.name);
          continue;
        }
        // A link is named at both ends.
        const PortRef there = place(*by_name_.at(peer.device), peer.port);
        if (here < there) graph_.add_link(here, there);
      }
    check_network(graph_);
    return std::move(graph_);
  }

 private:
  /// A place of the file in front of a message.
  [[noreturn]] static void fail(std::size_t line, const std::string& reason) {
    throw InputError(fmt::format("line {}: {}", line, reason));
  }

  /// Both ends say the same. Of adapters a section may be missing, as nothing depends on it.
  void check_other_end(const IbSection& section, std::uint32_t port, const IbPeer& peer) const {
    const bool adapters = !is_ib_switch(section.device) && !is_ib_switch(peer.device);
    if (adapters)
      fail(peer.line, fmt::format("adapters {} and {} are connected to each other; only adapters "
                                  "at switches are nodes of a network",
                                  quote(section.device), quote(peer.device)));
    if (section.device == peer.device)
      fail(peer.line, fmt::format("switch {} is connected to itself; remove the connection",
                                  quote(section.device)));
    const auto other = by_name_.find(peer.device);
    if (other == by_name_.end()) {
      if (!is_ib_switch(peer.device)) return;
      fail(peer.line,
           fmt::format("switch {} has no section; is the file cut?", quote(peer.device)));
    }
    const auto back = other->second->peers.find(peer.port);
    if (back == other->second->peers.end() || back->second.device != section.device ||
        back->second.port != port)
      fail(peer.line, fmt::format("the section of {} does not list its port {} as connected to "
                                  "port {} of {}; use the output of one run",
                                  quote(peer.device), peer.port, port, quote(section.device)));
  }

  /// Ports keep their numbers if the switch is not too large, from 0 on.
  void add_switch(const IbSection& section) {
    std::map<std::uint32_t, std::uint32_t>& numbers = ports_[&section];
    const bool compact = section.ports > kMaxPorts;
    for (const auto& [port, peer] : section.peers)
      numbers.emplace(port, compact ? static_cast<std::uint32_t>(numbers.size()) : port - 1);
    if (compact && numbers.size() > kMaxPorts)
      fail(section.line, fmt::format("switch {} has {} connected ports; {} are possible, "
                                     "distribute them over several switches",
                                     quote(section.device), numbers.size(), kMaxPorts));
    const auto used = static_cast<std::uint32_t>(numbers.size());
    try {
      numbers_[&section] = graph_.add_switch(compact ? std::max(used, 1u) : section.ports);
    } catch (const InputError& error) {
      fail(section.line, error.what());
    }
    if (!section.name.empty()) graph_.switch_names.emplace(numbers_.at(&section), section.name);
    switches_.push_back(&section);
  }

  PortRef place(const IbSection& section, std::uint32_t port) const {
    return {numbers_.at(&section), ports_.at(&section).at(port)};
  }

  std::vector<IbSection> sections_;
  std::map<std::string, const IbSection*> by_name_;
  std::vector<const IbSection*> switches_;  // by number
  std::map<const IbSection*, SwitchId> numbers_;
  std::map<const IbSection*, std::map<std::uint32_t, std::uint32_t>> ports_;  // ours by theirs
  Graph graph_;
};

}  // namespace

Graph parse_ibnet(std::string_view content, const std::string& file) {
  try {
    return Subnet(read_ib_sections(content)).network();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace muster::topology
