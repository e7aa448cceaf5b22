// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/network.hpp"
#include "systems/nic/nic_bank.hpp"

namespace muster::nic {

/// The host's send tokens of one NIC (docs/systems/nic-link.md): two of each connection. A message
/// without one waits at the host.
class SendTokens {
 public:
  static constexpr std::uint32_t kTokens = 2;

  /// True if the message may go now; else it is kept.
  bool take(std::uint32_t connection, std::uint32_t word) {
    if (connection >= lines_.size()) lines_.resize(connection + 1);
    Line& line = lines_[connection];
    if (line.out < kTokens) {
      ++line.out;
      return true;
    }
    line.waiting.push_back(word);
    return false;
  }
  /// A token is back: the message that goes with it, if one has waited.
  std::optional<std::uint32_t> give_back(std::uint32_t connection) {
    Line& line = lines_.at(connection);
    if (line.waiting.empty()) {
      --line.out;
      return std::nullopt;
    }
    const std::uint32_t word = line.waiting.front();
    line.waiting.pop_front();
    return word;
  }

 private:
  struct Line {
    std::uint32_t out = 0;
    std::deque<std::uint32_t> waiting;
  };
  std::vector<Line> lines_;  ///< by connection
};

/// The hosts of all nodes between their programs and their NICs (docs/systems/nic-link.md, Host
/// bus).
class NicHosts {
 public:
  /// `nics` are those of the network; both outlive this.
  NicHosts(fabric::Network& network, NicBank& nics, const run::Profile& profile)
      : network_(network),
        nics_(nics),
        overhead_(profile.host),
        bus_(profile.bus),
        hosts_(network.graph().nodes()) {}

  /// The program of a node writes a register of its NIC, after `work` cycles of its own; on the
  /// register port after the costs.
  void write(std::uint64_t cycle, std::uint32_t node, std::uint32_t address, std::uint32_t data,
             std::uint32_t work = 0) {
    if (!network_.node_alive(node)) return;
    Host& host = hosts_[node];
    host.free = std::max(host.free, cycle) + work + overhead_;
    host.accesses.push_back({host.free + bus_, address, data});
    ++doorbells_;
    ++pending_;
  }
  /// Before the engine's step of this cycle: takes events, hands over those that are due, puts one
  /// write that is due on each register port. `program` gets the node and the word of an event.
  void step(std::uint64_t cycle, const std::function<void(std::uint32_t, std::uint32_t)>& program) {
    for (std::uint32_t n = 0; n < hosts_.size(); ++n) {
      Host& host = hosts_[n];
      HostWires& wires = nics_.host(n);
      if (!network_.node_alive(n)) {
        pending_ -= host.accesses.size() + host.events.size();
        host = {};
        wires = {};
        continue;
      }
      if (wires.event) {
        wires.ready = true;
        host.free = std::max(host.free, cycle + bus_) + overhead_;
        host.events.push_back({host.free, wires.word});
        ++events_;
        ++pending_;
        network_.wake_device(n);
      }
      while (!host.events.empty() && host.events.front().due <= cycle) {
        const std::uint32_t word = host.events.front().word;
        host.events.pop_front();
        --pending_;
        program(n, word);
      }
      if (host.accesses.empty() || host.accesses.front().due > cycle) continue;
      wires.access = wires.write = true;
      wires.address = host.accesses.front().address;
      wires.data = host.accesses.front().data;
      host.accesses.pop_front();
      --pending_;
      network_.wake_device(n);
    }
  }
  /// Nothing is on its way between a program and its NIC.
  bool idle() const { return pending_ == 0; }

  std::uint64_t doorbells() const { return doorbells_; }  ///< crossings to NICs so far
  std::uint64_t events() const { return events_; }        ///< crossings from NICs so far

 private:
  struct Access {
    std::uint64_t due;
    std::uint32_t address, data;
  };
  struct Event {
    std::uint64_t due;
    std::uint32_t word;
  };
  struct Host {
    std::uint64_t free = 0;  ///< cycle from which on the program has time
    std::deque<Access> accesses;
    std::deque<Event> events;
  };
  fabric::Network& network_;
  NicBank& nics_;
  std::uint32_t overhead_;  ///< of a program for a doorbell or an event, one after the other
  std::uint32_t bus_;       ///< of a crossing, any number at once
  std::vector<Host> hosts_;
  std::uint64_t doorbells_ = 0, events_ = 0, pending_ = 0;
};

}  // namespace muster::nic
