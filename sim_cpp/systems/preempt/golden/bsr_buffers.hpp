// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fabric/golden/lanes.hpp"
#include "systems/preempt/golden/barrier_buffer.hpp"
#include "systems/preempt/golden/bsr_table.hpp"

namespace muster::golden {

/// The barrier buffers of a preempting switch, one for each input port and the last for the
/// messages of the switch itself, with the unit that applies them to the status table
/// (docs/systems/preempting-switches.md, The barrier unit).
class BsrBuffers {
 public:
  using Route = std::function<std::uint16_t(std::uint32_t destination)>;

  BsrBuffers(std::uint32_t ports, std::uint32_t entries)
      : ports_(ports), table_(entries), buffers_(ports + 1) {}

  BsrTable& table() { return table_; }
  const BsrTable& table() const { return table_; }
  std::uint32_t origin() const { return ports_; }
  std::uint32_t size() const { return ports_ + 1; }
  const BarrierBuffer& at(std::uint32_t buffer) const { return buffers_[buffer]; }

  /// Outputs by which the host lets no message go.
  void set_closed(std::uint16_t ports) { closed_ = ports; }
  std::uint16_t closed() const { return closed_; }
  /// Outputs by which the message may go.
  std::uint16_t ways(std::uint32_t buffer) const {
    return static_cast<std::uint16_t>(buffers_[buffer].mask() & ~closed_);
  }
  /// Buffers whose message waits for an output. `served`: buffers that an output serves.
  std::uint32_t waiting(std::uint32_t served) const;

  /// What a cycle decides on the state at its beginning.
  struct Choice {
    std::uint32_t able = 0;                ///< buffers that the unit could take
    std::optional<std::uint32_t> applied;  ///< the one that it takes
    std::optional<std::uint32_t> sends;    ///< an entry from which the origin is filled
    bool routing = false;                  ///< the origin has its route
    std::uint32_t stranded = 0;            ///< buffers whose message is going and has no way left
  };
  Choice choose(std::uint32_t served) const;
  struct Result {
    std::optional<BsrDrop> dropped;  ///< why the unit's message has changed nothing
    std::uint32_t unroutable = 0;    ///< messages that had no way
    std::uint32_t freed = 0;         ///< buffers
  };
  // The edge, in this order. First what comes from the link, once for each port; then what the
  // cycle has chosen; then a flit that has left by an output: true if the buffer is free again.
  BarrierBuffer::Framing receive(std::uint32_t port, const core::Flit& flit, std::uint16_t route) {
    return buffers_[port].receive(flit, route);
  }
  BarrierBuffer::Framing silence(std::uint32_t port) { return buffers_[port].silence(); }
  Result edge(const Choice& choice, const Route& route);
  bool sent(std::uint32_t buffer) { return buffers_[buffer].sent(); }

  bool idle() const;
  std::string describe() const;

 private:
  bool eligible(std::uint32_t port, std::uint32_t served) const;
  void apply(std::uint32_t port, Result& result);
  void originate(const Choice& choice, const Route& route, Result& result);

  std::uint32_t ports_;
  BsrTable table_;
  std::vector<BarrierBuffer> buffers_;
  std::uint32_t round_ = 0;   // ports still to be served in this round of the unit
  std::uint16_t closed_ = 0;  // ports
};

}  // namespace muster::golden
