// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/nic_hosts.hpp"

#include <algorithm>

namespace muster::nic {

NicHosts::NicHosts(fabric::Network& network, NicBank& nics, const HostCosts& costs)
    : network_(network), nics_(nics), costs_(costs), hosts_(network.graph().nodes()) {}

void NicHosts::write(std::uint64_t cycle, std::uint32_t node, std::uint32_t address,
                     std::uint32_t data, std::uint32_t work) {
  if (!network_.node_alive(node)) return;
  Host& host = hosts_[node];
  host.free = std::max(host.free, cycle) + work + costs_.overhead;
  host.accesses.push_back({host.free + costs_.bus, address, data});
  ++doorbells_;
  ++pending_;
}

void NicHosts::step(std::uint64_t cycle,
                    const std::function<void(std::uint32_t, std::uint32_t)>& program) {
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
      host.free = std::max(host.free, cycle + costs_.bus) + costs_.overhead;
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

}  // namespace muster::nic
