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
  Line() {
    for (unsigned s = 0; s < kSwitches; ++s) ports_[s] = {this, s};
    top_.rst_ni = 0;
    edge();
    edge();
    top_.rst_ni = 1;
  }

  /// The register port of a switch.
  muster_bus bus(unsigned sw) { return {&read, &write, &ports_.at(sw), 0}; }

  /// The member of a group at a node.
  muster_member member(unsigned node, unsigned group) {
    members_.push_back(std::make_unique<Member>(Member{this, node, group, 0, 0}));
    return {&arrive, &state, &result, nullptr, nullptr, members_.back().get(), kOperandWidth};
  }

  /// A packet of two flits from a node. The nodes send too little to run out of credits.
  void send_packet(unsigned node, unsigned destination) {
    sends_.at(node).push_back({kHead, static_cast<std::uint16_t>(destination)});
    sends_.at(node).push_back({kTail, 0});
  }

  /// A barrier message that belongs to no barrier.
  void send_stray(unsigned node, unsigned group) {
    sends_.at(node).push_back({kSync, static_cast<std::uint16_t>(group << kGroupShift)});
  }

  void run(unsigned cycles) {
    for (unsigned cycle = 0; cycle < cycles; ++cycle) edge();
  }

  /// Packets that a node has received whole.
  unsigned packets(unsigned node) const { return packets_.at(node); }

 private:
  static constexpr std::uint8_t kTail = 1, kHead = 2, kSync = 4;
  static constexpr unsigned kTypeShift = 14, kGroupShift = 6, kDataMask = 0x3f, kKindBits = 3;
  static constexpr std::uint8_t kOperandWidth = 6;
  static constexpr std::uint16_t kDistribution = 1;

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

  /// A cycle: nodes send, the clock rises, nodes take what they receive.
  void edge() {
    top_.node_valid_i = 0;
    std::uint32_t kinds = 0;
    for (unsigned n = 0; n < kNodes; ++n) {
      if (sends_[n].empty()) continue;
      const Flit flit = sends_[n].front();
      sends_[n].pop_front();
      top_.node_valid_i = static_cast<std::uint8_t>(top_.node_valid_i | 1u << n);
      kinds |= std::uint32_t{flit.kind} << kKindBits * n;
      const unsigned word = n / 2, shift = n % 2 * 16;  // two payloads in a word
      top_.node_payload_i[word] =
          (top_.node_payload_i[word] & ~(0xffffu << shift)) | std::uint32_t{flit.payload} << shift;
    }
    top_.node_kind_i = kinds;
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
    top_.reg_valid_i = 0;
    top_.node_credit_i = 0;
    for (unsigned n = 0; n < kNodes; ++n)
      if ((top_.node_valid_o >> n & 1) != 0)
        take(n, {static_cast<std::uint8_t>(top_.node_kind_o >> kKindBits * n & 7),
                 static_cast<std::uint16_t>(top_.node_payload_o[n / 2] >> n % 2 * 16)});
  }

  /// A node takes each flit at once. A barrier message has taken no credit.
  void take(unsigned node, Flit flit) {
    if ((flit.kind & kSync) == 0) {
      top_.node_credit_i = static_cast<std::uint8_t>(top_.node_credit_i | 1u << node);
      if ((flit.kind & kTail) != 0) ++packets_[node];
      return;
    }
    for (const auto& member : members_) {
      const bool its =
          member->node == node && (flit.payload >> kGroupShift & 0xffu) == member->group;
      if (!its || flit.payload >> kTypeShift != kDistribution) continue;
      member->state = MUSTER_MEMBER_RELEASED;
      member->result = flit.payload & kDataMask;
    }
  }

  void request(unsigned sw, bool write, std::uint32_t address, std::uint32_t word) {
    top_.reg_valid_i = static_cast<std::uint8_t>(1u << sw);
    top_.reg_write_i = write;
    top_.reg_addr_i = static_cast<std::uint16_t>(address);
    top_.reg_wdata_i = word;
  }

  static std::uint32_t read(void* port, std::uint32_t address) {
    const auto& at = *static_cast<Port*>(port);
    Vline_of_switches& top = at.line->top_;
    at.line->request(at.sw, false, address, 0);
    top.clk_i = 0;
    top.eval();  // answered in the same cycle
    const std::uint32_t word = top.reg_rdata_o[at.sw];
    at.line->edge();
    return word;
  }

  static void write(void* port, std::uint32_t address, std::uint32_t word) {
    const auto& at = *static_cast<Port*>(port);
    at.line->request(at.sw, true, address, word);
    at.line->edge();
  }

  static void arrive(void* member, std::uint32_t operand) {
    auto& at = *static_cast<Member*>(member);
    at.state = MUSTER_MEMBER_WAITING;
    at.line->sends_[at.node].push_back(
        {kSync, static_cast<std::uint16_t>(at.group << kGroupShift | operand)});
  }

  static std::uint32_t state(void* member) {
    const auto& at = *static_cast<Member*>(member);
    at.line->edge();
    return at.state;
  }

  static std::uint32_t result(void* member) { return static_cast<Member*>(member)->result; }

  Vline_of_switches top_;
  std::array<std::deque<Flit>, kNodes> sends_;
  std::array<unsigned, kNodes> packets_{};
  std::array<Port, kSwitches> ports_{};
  std::vector<std::unique_ptr<Member>> members_;
};
