// SPDX-License-Identifier: Apache-2.0
#include "lockstep/report.hpp"

#include <fmt/format.h>

#include "fabric/register_packets.hpp"
#include "muster/run/system.hpp"

namespace muster::verif {
namespace {

std::string shown(const std::string& value) { return value.empty() ? "0" : value; }

/// A table of three columns: name, golden, RTL.
std::string side_by_side(const Difference& d) {
  std::size_t name = 5, golden = 6;
  for (std::size_t i = 0; i < d.golden.state.size(); ++i) {
    if (d.golden.state[i].value.empty() && d.rtl.state[i].value.empty()) continue;
    name = std::max(name, d.golden.state[i].name.size());
    golden = std::max(golden, d.golden.state[i].value.size());
  }
  std::string text = fmt::format("  {:<{}}  {:<{}}  RTL\n", "state", name, "golden", golden);
  for (std::size_t i = 0; i < d.golden.state.size(); ++i) {
    const std::string &want = d.golden.state[i].value, &have = d.rtl.state[i].value;
    if (want.empty() && have.empty()) continue;
    text += fmt::format("  {:<{}}  {:<{}}  {}{}\n", d.golden.state[i].name, name, shown(want),
                        golden, shown(have), want == have ? "" : "  differs");
  }
  return text;
}

}  // namespace

std::string report(const Difference& d) {
  std::string text = fmt::format("lockstep: {} cycle {}, {}, {}: golden {}, RTL {}\n",
                                 d.settled ? "in" : "after the edge of", d.cycle, d.instance,
                                 d.output, d.golden.value, d.rtl.value);
  text += side_by_side(d);
  text += fmt::format("  golden: {}\n  RTL:    {}\n  last messages:", d.golden.text, d.rtl.text);
  if (d.messages.empty()) text += " none";
  for (const std::string& message : d.messages) text += "\n    " + message;
  return text;
}

using core::Flit;
using fabric::Formats;

namespace {

std::string opcode_name(std::uint8_t opcode) {
  static const std::map<std::uint8_t, const char*> kNames = {
      {fabric::kOpcodeData, "data"},
      {fabric::kOpcodeRequest, "register request"},
      {fabric::kOpcodeAnswer, "register answer"},
      {fabric::kOpcodeGroup, "group message"},
      {fabric::kOpcodeArrival, "arrival"},
      {fabric::kOpcodeRelease, "release"},
      {fabric::kOpcodeWorm, "worm"},
      {fabric::kOpcodeAck, "ack"},
      {fabric::kOpcodeDevice, "NIC message"}};
  const auto found = kNames.find(opcode);
  return found == kNames.end() ? fmt::format("opcode {}", opcode) : found->second;
}

/// By the system that knows it, if any.
std::string packet_text(const std::vector<Flit>& flits) {
  for (const auto& system : run::systems())
    if (std::string text = system->packet_text(flits); !text.empty()) return text;
  return {};
}

}  // namespace

std::string show(const Flit& f) {
  const char* kind = f.sync()               ? "sync"
                     : f.head() && f.tail() ? "head+tail"
                     : f.head()             ? "head"
                     : f.tail()             ? "tail"
                                            : "body";
  return fmt::format("{} vc {} payload {:#x}{}", kind, f.vc, f.lo,
                     f.hi ? fmt::format(" (high {:#x})", f.hi) : "");
}

std::string FlitText::line(const LinkMessage& m) {
  const std::string text = meaning(m);
  return fmt::format("cycle {} {} port {}: {}{}{}", m.cycle, m.out ? "out" : "in", m.port,
                     show(m.flit), text.empty() ? "" : ": ", text);
}

std::string FlitText::meaning(const LinkMessage& m) {
  const Flit& flit = m.flit;
  if (flit.kind == core::Flit::kPad) return "padding";
  std::vector<Flit>& flits = begun_[{m.out, m.port, flit.vc, flit.sync()}];
  if (flit.sync()) {
    if (sync_ == nullptr) return {};
    flits.push_back(flit);
    return sync_(flits, formats_);
  }
  if (flit.head()) flits.clear();
  if (!flit.head() && flits.empty()) return {};
  flits.push_back(flit);
  std::string text = packet(flits);
  if (flit.tail()) flits.clear();
  return text;
}

/// What is known of a packet after its last flit told.
std::string FlitText::packet(const std::vector<Flit>& flits) const {
  const std::uint8_t opcode = Formats::opcode(flits.front());
  const Flit& last = flits.back();
  if (flits.size() == 1)
    return fmt::format("{} to {}", opcode_name(opcode), Formats::destination(last));
  if (last.tail())
    if (std::string text = packet_text(flits); !text.empty()) return text;
  if (opcode == fabric::kOpcodeDevice) return {};
  if (opcode == fabric::kOpcodeAnswer && last.tail() && flits.size() == fabric::kAnswerFlits) {
    const fabric::RegisterAnswer a = fabric::register_answer(flits);
    return fmt::format("register {:#05x} of {} was {:#x}, status {}", a.address, a.by, a.before,
                       static_cast<unsigned>(a.status));
  }
  if (opcode == fabric::kOpcodeRequest && flits.size() == 3)
    return fmt::format("{} of register {:#05x}", last.lo >> 15 & 1 ? "write" : "read",
                       last.lo & 0xfff);
  if (flits.size() == 2 && opcode != fabric::kOpcodeWorm)
    return fmt::format("from {}", Formats::source(last));
  if (flits.size() == 3 && opcode == fabric::kOpcodeData)
    return fmt::format("sequence {}", Formats::sequence(last));
  if (last.tail() && fabric::is_barrier_opcode(opcode)) {
    const Formats::BarrierOf of = formats_.barrier_of(last);
    return fmt::format("barrier {} of group {}", of.number, of.gid);
  }
  return {};
}

}  // namespace muster::verif
