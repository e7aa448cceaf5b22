// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/nic_wave_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "muster/topology/group_spec.hpp"
#include "systems/nic/scheme/step_list.hpp"

namespace muster::nic {

namespace {

using run::vector_bits;
using topology::NodeId;

constexpr const char* kTypes[] = {"STEP", "NACK", "NOT-YET", "ACK", "DATA"};
constexpr const char* kPhases[] = {"idle", "running", "failed", "draining"};
constexpr const char* kNotices[] = {"", "_done", "_dead", "_released"};
// Of nic_message_t, from its left.
constexpr std::uint32_t kMessageLast = 42, kSlotLast = 18, kGroup = 19, kGroupLast = 26,
                        kBarrier = 35;

constexpr std::size_t kOpen = 4;  // members whose rows are unfolded: what a window has room for

bool in_waveform(const run::RunSpec& spec, NodeId node) {
  const auto& only = spec.bank.wave_blocks;
  return only.empty() || std::find(only.begin(), only.end(), node) != only.end();
}

/// Rows of {valid, message}.
void message_rows(run::GtkwaveRows& rows, const std::string& what, const std::string& valid,
                  const std::string& message) {
  const std::string name = fmt::format("{}[{}:0]", message, kMessageLast);
  rows.translated(what, " " + valid + vector_bits(name, 0, kSlotLast));
  rows.bits(what + ": group", vector_bits(name, kGroup, kGroupLast));
  rows.bits(what + ": barrier", vector_bits(name, kBarrier, kMessageLast));
}

void unit_rows(run::GtkwaveRows& rows, const std::string& scope) {
  rows.translated("context", fmt::format(" {0}valid_q {0}running_q{1}", scope,
                                         vector_bits(scope + "notice_q[1:0]", 0, 1)));
  rows.hex("event", scope + "at_q[4:0]");
  rows.binary("a count is due", scope + "due_q");
  rows.binary("a descriptor waits", scope + "full_q");
}

void context_rows(run::GtkwaveRows& rows, const std::string& scope) {
  rows.translated("context", fmt::format(" {0}valid_q {0}direct_q{1}{2}", scope,
                                         vector_bits(scope + "phase_q[1:0]", 0, 1),
                                         vector_bits(scope + "notice_q[1:0]", 0, 1)));
  rows.hex("entry", scope + "pc_q[4:0]");
  rows.binary("received", scope + "received_o[31:0]");
  rows.binary("sent", scope + "sent_o[31:0]");
  rows.hex("timer, 64ths", scope + "timer.time_q[29:0]");
}

}  // namespace

void add_nic_rows(run::GtkwaveRows& rows, const run::RunSpec& spec, const NicPlan& plan) {
  const bool chained = spec.parts.get<NicSpec>().form == ListForm::kChained;
  std::size_t opened = 0;
  for (const NicPlannedGroup& group : plan.groups()) {
    for (std::size_t m = 0; m < group.members.size(); ++m) {
      const NodeId node = group.members[m];
      if (!in_waveform(spec, node)) continue;
      rows.section(fmt::format("Group {}: node {}, context {}", group.name,
                               topology::node_name(*spec.graph, node), group.contexts[m]),
                   opened++ < kOpen);
      const std::string nic = fmt::format("nic{}.nic_engine.", node);
      message_rows(rows, "message in", nic + "receive.message_valid_o", nic + "receive.message_o");
      message_rows(rows, "message out", nic + "transmit.hold_q", nic + "transmit.message_q");
      const std::string one = fmt::format("gen_context[{}].one.", group.contexts[m]);
      if (chained)
        unit_rows(rows, nic + "groups.gen_chained.unit." + one);
      else
        context_rows(rows, nic + "groups.gen_walk.contexts." + one);
      rows.binary("event for the host", nic + "event_valid_o");
      rows.hex("event", nic + "event_o[31:0]");
    }
  }
}

std::string nic_wave_words(const run::RunSpec& spec, const NicPlan& plan) {
  const ListForm form = spec.parts.get<NicSpec>().form;
  std::set<std::pair<NodeId, std::uint32_t>> named;  // peer and slot, of messages in and out
  for (const NicPlannedGroup& group : plan.groups())
    for (const auto& list : group.lists)
      for (std::uint32_t s = 0; s < list.size(); ++s) {
        const NodeId peer = group.members[list[s].peer];
        named.emplace(peer, slot_of(list, s, form));
        named.emplace(peer, slot_of(group.lists[list[s].peer], list[s].peer_step, form));
      }
  std::string text;
  for (const auto& [peer, slot] : named) {
    for (std::uint32_t type = 0; type < std::size(kTypes); ++type) {
      const std::uint32_t bits = type << 16 | peer << 5 | slot;
      text += fmt::format("{:05x} {}_n{}_slot{}\n{:05x} .\n", 1u << 19 | bits, kTypes[type], peer,
                          slot, bits);
    }
  }
  for (std::uint32_t bits = 0; bits < 64; ++bits)
    text += fmt::format("{:02x} {}{}{}\n", bits, bits >> 5 ? "" : "not_valid_",
                        kPhases[bits >> 2 & 3], kNotices[bits & 3]);
  for (std::uint32_t bits = 0; bits < 16; ++bits)  // of an event unit
    text += fmt::format("{:x} {}{}{}\n", bits, bits >> 3 ? "" : "not_valid_",
                        kPhases[bits >> 2 & 1], kNotices[bits & 3]);
  return text;
}

}  // namespace muster::nic
