// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "muster/core/error.hpp"
#include "muster/core/observer.hpp"
#include "muster/fabric/barrier_end.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::checkers {

/// Subject::worm_channel without worms.
inline constexpr std::uint8_t kNoWorms = 0xff;

/// What a checker knows: the network as it is meant to be, and no model of it. The references must
/// outlive the checker.
struct Subject {
  const topology::Graph& graph;    ///< the network
  const fabric::Layout& layout;    ///< its channels
  const topology::Routes& routes;  ///< in force
  std::uint32_t vcs = 2;           ///< virtual channels of every link, 1..4
  std::uint32_t depth = 4;         ///< buffers for each virtual channel at every receiver, flits
  fabric::Formats formats{16, 8};  ///< FlitW, GidW
  bool own = false;  ///< packets of devices have the last virtual channel, and nothing else has
  /// Credits that barrier messages take: where there are barrier buffers, they go on the virtual
  /// channels `cuttable`, a bit each.
  fabric::SyncCredits sync_credits = fabric::SyncCredits::kNone;
  std::uint32_t buffers = 1;  ///< credits for messages: pockets or barrier buffers of a receiver
  std::uint8_t cuttable = 0;  ///< see sync_credits
  /// The virtual channel of worms (fabric::LastChannel::kWorms).
  std::uint8_t worm_channel = kNoWorms;
  bool held = false;  ///< links are held for some time, as if data without credit stood on them
  bool pads = false;  ///< switches may put pads (core::Flit::kPad) into packets
  /// Packets of fabric::is_unit_opcode() end and begin in switches.
  bool units = false;
  /// Cycles of the delay pipe in every channel, 0 without: see fabric::Network. Checkers see
  /// channels of the layout only, unless they say what they see behind the pipe.
  std::uint32_t pipe = 0;
  /// With checkers in several partitions (core::DividedObserver): the one that this checker is in,
  /// and those of the ends of all channels. Blocks of others are to it as outside the network.
  std::size_t partition = 0;
  const std::vector<core::EndPartitions>* ends = nullptr;  ///< nullptr: it looks at all

  /// Flits of the channel are sent by a block that it looks at.
  bool sends(core::ChannelId channel) const {
    return ends == nullptr || (*ends)[channel].sender == partition;
  }
  /// They are for one.
  bool receives(core::ChannelId channel) const {
    return ends == nullptr || (*ends)[channel].receiver == partition;
  }

  /// What packets add to their virtual channel behind a channel (topology::Phases): 0 or 1.
  std::uint8_t raise(core::ChannelId channel) const {
    const topology::Phases* const phases = routes.phases();
    const fabric::End& to = layout.channels()[channel].to;
    return phases == nullptr || to.node ? 0 : phases->raising(to.id) >> to.port & 1;
  }
  /// The route of a head that is in a switch in virtual channel `vc`.
  core::PortMask route(topology::SwitchId s, const core::Flit& head, std::uint32_t vc) const {
    const std::uint32_t destination = fabric::Formats::destination(head);
    const bool by_way = vc == 0 && routes.phases() != nullptr && routes.phases()->ways() != 0;
    return routes.mask_by(by_way ? fabric::Formats::way(head) : 0, s, destination);
  }
};

/// What a checker throws.
class Breach : public InternalError {
 public:
  /// `checker`: its name, which outlives this; `place`: number of the channel, or of the switch of
  /// which the checker speaks, by which several breaches of a cycle are put in order.
  Breach(const char* checker, const std::string& text, std::uint32_t place)
      : InternalError(text), checker_(checker), place_(place) {}
  std::string_view checker() const { return checker_; }  ///< its name()
  std::uint32_t place() const { return place_; }         ///< number of the channel or switch

 private:
  const char* checker_;
  std::uint32_t place_;
};

/// Base of all checkers: a property of what is seen on the links. A breach throws Breach
/// with cycle, place, checker and state, and ends the run; `checks()` tells how often the property
/// has been looked at and held.
class Checker {
 public:
  /// `name`: as in results, with static storage.
  Checker(const char* name, const Subject& subject) : subject_(subject), name_(name) {}
  const char* name() const { return name_; }                         ///< as in results
  std::uint64_t checks() const { return checks_; }                   ///< passed so far
  void count_again_from(std::uint64_t checks) { checks_ = checks; }  ///< those before a breach

 protected:
  /// Counts a check, or throws Breach if it does not hold. `describe()` makes the text of the
  /// report; it runs only then.
  template <std::invocable Describe>
  void require(bool holds, std::uint64_t cycle, core::ChannelId channel, Describe&& describe) {
    if (!holds) [[unlikely]]
      report(cycle, channel, describe);
    ++checks_;
  }
  /// The same with a text as fmt::format() has it.
  template <class... Args>
  void require(bool holds, std::uint64_t cycle, core::ChannelId channel,
               fmt::format_string<const Args&...> text, const Args&... args) {
    require(holds, cycle, channel, [&] { return fmt::format(text, args...); });
  }
  /// The same for what nearly every event passes: `kText` is a member function of the checker that
  /// makes the text from the event and `more`. It is one of several checks of the event, of which
  /// `before` have held, and counts none: the caller counts them together when all have held.
  template <auto kText, class Event, class... More>
  void demand(bool holds, unsigned before, std::uint64_t cycle, const Event& event, More... more) {
    if (!holds) [[unlikely]]
      refuse<kText>(before, cycle, event, more...);
  }
  /// So many checks have held.
  void count(std::uint64_t checks) { checks_ += checks; }
  /// As require(), of a switch instead of a channel.
  template <std::invocable Describe>
  void require_at(bool holds, std::uint64_t cycle, topology::SwitchId s, Describe&& describe) {
    if (!holds) [[unlikely]]
      report_at(cycle, s, describe);
    ++checks_;
  }
  /// The same with a text as fmt::format() has it.
  template <class... Args>
  void require_at(bool holds, std::uint64_t cycle, topology::SwitchId s,
                  fmt::format_string<const Args&...> text, const Args&... args) {
    require_at(holds, cycle, s, [&] { return fmt::format(text, args...); });
  }

  Subject subject_;  ///< what it knows

 private:
  // Out of line, so that a check that holds costs a comparison and no more.
  template <class Describe>
  [[noreturn, gnu::cold, gnu::noinline]] void report(std::uint64_t cycle, core::ChannelId channel,
                                                     Describe& describe) const {
    violation(cycle, subject_.layout.name(channel), describe(), channel);
  }
  template <class Describe>
  [[noreturn, gnu::cold, gnu::noinline]] void report_at(std::uint64_t cycle, topology::SwitchId s,
                                                        Describe& describe) const {
    violation(cycle, fmt::format("switch {}", s), describe(), s);
  }
  template <auto kText, class Event, class... More>
  [[noreturn, gnu::cold, gnu::noinline]] void refuse(unsigned before, std::uint64_t cycle,
                                                     const Event& event, More... more) {
    count(before);
    violation(cycle, subject_.layout.name(event.channel),
              (as_class_of(kText).*kText)(event, more...), event.channel);
  }
  template <class C, class... Of>
  const C& as_class_of(std::string (C::*)(Of...) const) const {
    return static_cast<const C&>(*this);
  }
  [[noreturn]] void violation(std::uint64_t cycle, const std::string& where,
                              const std::string& text, std::uint32_t place) const {
    throw Breach(name_, fmt::format("cycle {}, {}: checker {}: {}", cycle, where, name_, text),
                 place);
  }
  const char* name_;
  std::uint64_t checks_ = 0;
};

}  // namespace muster::checkers
