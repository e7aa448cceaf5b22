// SPDX-License-Identifier: Apache-2.0
#include "lockstep/link/frame_text.hpp"

#include <fmt/format.h>

#include "lockstep/fabric/flit_text.hpp"

namespace muster::verif {

std::string frame_text(const fabric::LinkConfig& config, const core::Flit& frame) {
  const fabric::LinkFrame f = fabric::LinkFormat(config).unpack(frame);
  std::string text = f.init ? "init ack " : "ack ";
  text += fmt::format("{} count", f.ack);
  for (std::uint32_t c = 0; c < config.backs(); ++c) text += fmt::format(" {}", f.count[c]);
  if (f.news) text += " news";
  if (f.echo) text += " echo";
  if (f.ask) text += " ask";
  const core::Flit flit{.lo = f.payload, .vc = f.vc, .kind = f.kind};
  if (f.flit)
    text += fmt::format(", flit {}: {}", f.seq, show(flit));
  else if (f.seq != 0 || flit != core::Flit{})
    text += fmt::format(", no flit {}: {}", f.seq, show(flit));
  return text + fmt::format(", CRC {:#06x}", f.crc);
}

}  // namespace muster::verif
