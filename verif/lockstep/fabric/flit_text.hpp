// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "muster/core/flit.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/switch_kind.hpp"

namespace muster::verif {

/// A flit on a link of a block.
struct LinkMessage {
  core::Flit flit;
  std::uint64_t cycle = 0;
  std::uint32_t port = 0;
  bool out = false;
};

/// "head vc 1 payload 0x8005".
std::string show(const core::Flit& flit);

/// The meaning of the flits of a block's links, told one after the other. A flit whose head was not
/// told has no meaning but its bits.
class FlitText {
 public:
  using SyncText = decltype(fabric::SwitchKind::sync_text);
  /// `sync`: how sync flits are read.
  FlitText(const fabric::Formats& formats, SyncText sync) : formats_(formats), sync_(sync) {}

  /// "cycle 7 in port 3: head vc 0 payload 0x4005: arrival to 5".
  std::string line(const LinkMessage& message);

 private:
  std::string meaning(const LinkMessage& message);
  std::string packet(const std::vector<core::Flit>& flits) const;

  /// Direction, port, virtual channel, sync.
  using Stream = std::tuple<bool, std::uint32_t, std::uint8_t, bool>;

  fabric::Formats formats_;
  SyncText sync_;
  std::map<Stream, std::vector<core::Flit>> begun_;  ///< flits of a message so far
};

}  // namespace muster::verif
