// SPDX-License-Identifier: Apache-2.0
#include "muster/run/gtkwave.hpp"
#include "systems/nic/nic_plan.hpp"

namespace muster::nic {

namespace {

using run::vector_bits;
using topology::NodeId;

constexpr const char* kPhases[] = {"idle", "running", "failed", "draining"};
constexpr const char* kNotices[] = {"", "_done", "_dead", "_released"};
// Of nic_message_t, from its left.
constexpr std::uint32_t kMessageLast = 42, kSlotLast = 18, kGroup = 19, kGroupLast = 26,
                        kBarrier = 35;

constexpr std::size_t kUnfolded = 4;  // members whose rows are unfolded: what a window has room for

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
  const std::string control = scope + "control[31:0]";  // from its left: valid, direct, phase, ..
  rows.translated("context", vector_bits(control, 0, 3) + vector_bits(control, 6, 7));
  rows.bits("entry", vector_bits(control, 11, 15));
  rows.binary("received", scope + "received_word[31:0]");
  rows.binary("sent", scope + "sent_word[31:0]");
}

/// The translation file of these rows: "STEP_n5_slot2" for each message that a list of the run
/// names, its peer and slot; the phase of a context. "." is no message.
std::string wave_words(const run::RunSpec& spec, std::span<const NicPlannedGroup> groups) {
  const ListForm form = run::own<NicSpec>(spec).form;
  std::set<std::pair<NodeId, std::uint32_t>> named;  // peer and slot, of messages in and out
  for (const NicPlannedGroup& group : groups)
    for (const auto& list : group.lists)
      for (std::uint32_t s = 0; s < list.size(); ++s) {
        const NodeId peer = group.members[list[s].peer];
        named.emplace(peer, slot_of(list, s, form));
        named.emplace(peer, slot_of(group.lists[list[s].peer], list[s].peer_step, form));
      }
  std::string text;
  for (const auto& [peer, slot] : named) {
    for (std::uint32_t type = 0; type < std::size(kNicTypeNames); ++type) {
      const std::uint32_t bits = type << 16 | peer << 5 | slot;
      text += fmt::format("{:05x} {}_n{}_slot{}\n{:05x} .\n", 1u << 19 | bits, kNicTypeNames[type],
                          peer, slot, bits);
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

}  // namespace

std::string add_nic_rows(run::GtkwaveRows& rows, const run::RunSpec& spec,
                         std::span<const NicPlannedGroup> groups) {
  const bool chained = run::own<NicSpec>(spec).form == ListForm::kChained;
  std::size_t opened = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const NicPlannedGroup& group = groups[g];
    for (std::size_t m = 0; m < group.members.size(); ++m) {
      const NodeId node = group.members[m];
      if (!run::in_waveform(spec, node)) continue;
      rows.section(fmt::format("Group {}: node {}, context {}", spec.groups[g].name,
                               topology::node_name(*spec.graph, node), group.contexts[m]),
                   opened++ < kUnfolded);
      const std::string nic = fmt::format("nic{}.muster_nic_engine.", node);
      message_rows(rows, "message in", nic + "receive.message_valid_o", nic + "receive.message_o");
      message_rows(rows, "message out", nic + "transmit.hold_q", nic + "transmit.message_q");
      const std::string context = fmt::format("gen_context[{}].", group.contexts[m]);
      if (chained)
        unit_rows(rows, nic + "groups.gen_chained.unit." + context + "one.");
      else
        context_rows(rows, nic + "groups.gen_walk.contexts.walk." + context);
      rows.binary("event for the host", nic + "event_valid_o");
      rows.hex("event", nic + "event_o[31:0]");
    }
  }
  return wave_words(spec, groups);
}

}  // namespace muster::nic
