// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace muster::topology {

/// A port of another device, as a line of a section names it.
struct IbPeer {
  std::string device;      ///< "S-..." of a switch, "H-..." of an adapter, "R-..." of a router
  std::uint32_t port = 0;  ///< from 1
  std::size_t line = 0;    ///< of the file
  std::string name;        ///< what the comment calls it, if it does
};

/// A device and what is connected to it.
struct IbSection {
  std::string device;
  std::size_t line = 0;
  std::string name;  ///< what the comment calls it, if it does
  std::uint32_t ports = 0;
  std::map<std::uint32_t, IbPeer> peers;  ///< by port, from 1
};

inline bool is_ib_switch(std::string_view device) { return device.starts_with('S'); }

/// The sections of the output of ibnetdiscover, in its order. Throws InputError "line N: reason;
/// how to fix" where a line is not of it.
std::vector<IbSection> read_ib_sections(std::string_view content);

}  // namespace muster::topology
