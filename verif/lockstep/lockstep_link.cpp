// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_link.hpp"

#include <fmt/format.h>

#include "fabric/link_bank.hpp"
#include "lockstep/report.hpp"

namespace muster::verif {

std::string frame_text(const fabric::LinkConfig& config, const core::Flit& frame) {
  const fabric::LinkFrame f = fabric::LinkFormat(config).unpack(frame);
  std::string text = f.init ? "init ack " : "ack ";
  text += fmt::format("{} count", f.ack);
  for (std::uint32_t c = 0; c < config.backs(); ++c) text += fmt::format(" {}", f.count[c]);
  text += fmt::format("{}{}{}{}", f.news ? " news" : "", f.echo ? " echo" : "",
                      f.nack ? " nack" : "", f.ask ? " ask" : "");
  const core::Flit flit{.lo = f.payload, .vc = f.vc, .kind = f.kind};
  if (f.flit)
    text += fmt::format(", flit {}: {}", f.seq, show(flit));
  else if (f.seq != 0 || flit != core::Flit{})
    text += fmt::format(", no flit {}: {}", f.seq, show(flit));
  return text + fmt::format(", CRC {:#06x}", f.crc);
}

namespace link_regs = fabric::link_registers;

namespace {

constexpr std::uint32_t kBlock = fabric::LinkBank::kBlockPort, kWire = fabric::LinkBank::kWirePort;

std::string status_text(std::uint32_t word) {
  static constexpr const char* kStates[] = {"wait", "start", "up", "down"};
  return fmt::format("{}, reason {}{}{}, {} replays, {} rejected, {} lost", kStates[word & 3],
                     static_cast<unsigned>(link_regs::reason(word)),
                     link_regs::kStatusDrained.of(word) ? ", drained" : "",
                     link_regs::kStatusRestart.of(word) ? ", restart" : "",
                     link_regs::kStatusReplays.of(word), link_regs::kStatusRejected.of(word),
                     link_regs::kStatusLost.of(word));
}

}  // namespace

std::string LinkEndOutputs::register_name(std::uint32_t a) {
  static constexpr const char* kFirst[] = {"identity", "status", "widths"};
  return a < std::size(kFirst) ? kFirst[a] : "register";
}

std::vector<StateWord> LinkEndOutputs::state(std::uint32_t b, Side& side) {
  std::vector<StateWord> words = link_state(b, side, register_name);
  for (StateWord& word : words)  // empty without a frame
    if (word.name == Output{"tx", kWire}.text() && !word.value.empty())
      word.value = frame_text(side.config(), side.tx(b, kWire));
  words.push_back({"irq", side.irq(b) ? "1" : ""});
  words.push_back({"link", status_text(side.read_register(b, link_regs::kStatus))});
  return words;
}

LinkEndOutputs::Teller LinkEndOutputs::teller(std::uint32_t, Side& side) {
  return [config = side.config()](const Message& m) {
    return fmt::format("cycle {} {} {}: {}", m.cycle, m.out ? "out" : "in",
                       m.port == kBlock ? "block" : "wires",
                       m.port == kBlock ? verif::show(m.flit) : frame_text(config, m.flit));
  };
}

}  // namespace muster::verif
