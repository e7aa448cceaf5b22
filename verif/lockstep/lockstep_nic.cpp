// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_nic.hpp"

#include "muster/fabric/barrier_message.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_registers.hpp"

namespace muster::verif {

namespace nic_regs = nic::registers;

namespace {

std::string event_text(std::uint32_t word) {
  static constexpr const char* kEvents[] = {
      "done", "dead", "released", "received", "sent", "dead connection", "?", "?"};
  return fmt::format("event {:#010x}: {}, group {}, barrier {}", word, kEvents[word >> 29],
                     nic_regs::event_group(word), nic_regs::event_barrier(word));
}

std::string host_line(const NicSeen& seen) {
  const nic::HostWires& host = seen.host;
  if (host.event) return fmt::format("cycle {} {}", seen.link.cycle, event_text(host.word));
  return fmt::format("cycle {} host {} {}", seen.link.cycle,
                     host.write ? fmt::format("writes {:#010x} to", host.data) : "reads",
                     addressed(NicOutputs::register_name(host.address), host.address));
}

}  // namespace

std::string NicOutputs::register_name(std::uint32_t a) {
  static constexpr const char* kFirst[] = {"identity", "sizes", "widths", "address", "times",
                                           "quiet",    "send",  "",       "drops",   "refused"};
  static constexpr const char* kWords[] = {"control", "doorbell", "received", "sent"};
  if (a < std::size(kFirst)) return kFirst[a];
  if (a >= nic_regs::entry(0, 0))
    return fmt::format("context {} entry {}", (a - nic_regs::entry(0, 0)) / 32, a % 32);
  if (a >= nic_regs::connection(0))
    return fmt::format("connection {}", a - nic_regs::connection(0));
  if (a >= nic_regs::control(0))
    return fmt::format("context {} {}", (a - nic_regs::control(0)) / 4, kWords[a % 4]);
  return "register";
}

std::vector<StateWord> NicOutputs::state(std::uint32_t b, Side& side) {
  std::vector<StateWord> words = link_state(b, side, register_name);
  words.push_back({"event_valid", side.host(b).event ? "1" : ""});
  words.push_back({"event", side.host(b).event ? event_text(side.host(b).word) : ""});
  return words;
}

NicOutputs::Teller NicOutputs::teller(std::uint32_t b, Side& side) {
  const std::uint32_t width = side.read_register(b, nic_regs::kWidths) & 0xff;
  FlitText text(fabric::Formats(width, nic::kNicGroupWidth), fabric::barrier_message_text);
  return [text](const Message& m) mutable { return m.by_host ? host_line(m) : text.line(m.link); };
}

}  // namespace muster::verif
