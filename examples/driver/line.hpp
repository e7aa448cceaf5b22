// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "Vline_of_switches.h"
#include "muster.h"

/// The design of line_of_switches.sv with six nodes, as a program sees it: register ports, and what
/// nodes send and receive. A register access takes a cycle, and so does looking at a member.
class Line {
 public:
  static constexpr unsigned kSwitches = 3, kNodes = 2 * kSwitches;

  /// Out of reset.
  Line();

  /// The register port of a switch.
  muster_bus bus(unsigned sw);
  /// The member of a group at a node.
  muster_member member(unsigned node, unsigned group);

  /// A packet of two flits from a node. The nodes send too little to run out of credits.
  void send_packet(unsigned node, unsigned destination);
  /// A barrier message that belongs to no barrier.
  void send_stray(unsigned node, unsigned group);
  void run(unsigned cycles);
  /// Packets that a node has received whole.
  unsigned packets(unsigned node) const { return packets_.at(node); }

 private:
  struct Flit {
    std::uint8_t kind;
    std::uint16_t payload;
  };
  struct Port {
    Line* line;
    unsigned sw;
  };
  struct Member {
    Line* line;
    unsigned node, group;
    std::uint32_t state, result;
  };

  static std::uint32_t read(void* port, std::uint32_t address);
  static void write(void* port, std::uint32_t address, std::uint32_t word);
  static void arrive(void* member, std::uint32_t operand);
  static std::uint32_t state(void* member);
  static std::uint32_t result(void* member);

  void request(unsigned sw, bool write, std::uint32_t address, std::uint32_t word);
  void edge();
  void take(unsigned node, Flit flit);

  Vline_of_switches top_;
  std::array<std::deque<Flit>, kNodes> sends_;
  std::array<unsigned, kNodes> packets_{};
  std::array<Port, kSwitches> ports_{};
  std::vector<std::unique_ptr<Member>> members_;
};
