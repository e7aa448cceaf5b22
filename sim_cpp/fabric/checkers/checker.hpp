// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/observer.hpp"
#include "fabric/formats.hpp"
#include "fabric/layout.hpp"
#include "topology/graph.hpp"
#include "topology/routes.hpp"

namespace muster::checkers {

/// Subject::worm_channel without worms.
inline constexpr std::uint8_t kNoWorms = 0xff;

/// What a checker knows: the network as it is meant to be, and no model of it. The references must
/// outlive the checker.
struct Subject {
  const topology::Graph& graph;
  const fabric::Layout& layout;
  const topology::Routes& routes;
  std::uint32_t vcs = 2;             ///< virtual channels of every link, 1..4
  std::uint32_t depth = 4;           ///< buffers for each virtual channel at every receiver, flits
  fabric::Formats formats{16, 8};    ///< FlitW, GidW
  std::uint8_t barrier_channel = 0;  ///< the virtual channel of barrier messages
  bool own = false;                  ///< it carries nothing else but packets of NICs
  /// The virtual channel of worms, which carries nothing else; see
  /// docs/systems/multicast-switch.md.
  std::uint8_t worm_channel = kNoWorms;
  /// Preempting switches (docs/systems/preempting-switches.md): pads in the data channels.
  bool preempts = false;
  /// Cycles of the delay pipe in every channel, 0 without: see fabric::Network. Checkers see
  /// channels of the layout alone, unless they say what they see behind the pipe.
  std::uint32_t pipe = 0;
  /// By switch, the mask of its spill port, 0 without; empty if no switch has one.
  std::span<const std::uint16_t> spill_ports = {};
};

/// What a checker throws.
class Breach : public InternalError {
 public:
  Breach(const char* checker, const std::string& text) : InternalError(text), checker_(checker) {}
  std::string_view checker() const { return checker_; }  ///< its name()

 private:
  const char* checker_;
};

/// Base of all checkers: a property of what is seen on the links. A breach throws Breach
/// with cycle, place, checker and state, and ends the run; `checks()` tells how often the property
/// has been looked at and held.
class Checker {
 public:
  Checker(const char* name, const Subject& subject) : subject_(subject), name_(name) {}
  const char* name() const { return name_; }
  std::uint64_t checks() const { return checks_; }

 protected:
  /// `describe()` makes the text of the report; it runs only if the check fails.
  template <class Describe>
  void require(bool holds, std::uint64_t cycle, core::ChannelId channel, Describe&& describe) {
    if (!holds) [[unlikely]]
      report(cycle, channel, describe);
    ++checks_;
  }
  template <class Describe>
  void require_at(bool holds, std::uint64_t cycle, topology::SwitchId s, Describe&& describe) {
    if (!holds) [[unlikely]]
      report_at(cycle, s, describe);
    ++checks_;
  }

  Subject subject_;

 private:
  // Out of line, so that a check that holds costs a comparison and no more.
  template <class Describe>
  [[noreturn, gnu::cold, gnu::noinline]] void report(std::uint64_t cycle, core::ChannelId channel,
                                                     Describe& describe) const {
    violation(cycle, subject_.layout.name(channel), describe());
  }
  template <class Describe>
  [[noreturn, gnu::cold, gnu::noinline]] void report_at(std::uint64_t cycle, topology::SwitchId s,
                                                        Describe& describe) const {
    violation(cycle, "switch " + std::to_string(s), describe());
  }
  [[noreturn]] void violation(std::uint64_t cycle, const std::string& place,
                              const std::string& text) const;
  const char* name_;
  std::uint64_t checks_ = 0;
};

}  // namespace muster::checkers
