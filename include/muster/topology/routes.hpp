// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "muster/core/bits.hpp"
#include "muster/topology/graph.hpp"

namespace muster::topology {

using core::PortMask;

/// Masks of ports, by place: two bytes each as long as none has a port above 15, for the caches.
class MaskTable {
 public:
  explicit MaskTable(std::size_t places = 0) : small_(places, 0) {}  ///< all 0
  /// The mask of a place.
  PortMask at(std::size_t place) const { return large_.empty() ? small_[place] : large_[place]; }
  /// Puts it.
  void set(std::size_t place, PortMask mask) {
    constexpr PortMask kSmall = 0xffff;
    if (mask > kSmall && large_.empty()) {
      large_.assign(small_.begin(), small_.end());
      small_ = {};
    }
    if (large_.empty())
      small_[place] = static_cast<std::uint16_t>(mask);
    else
      large_[place] = mask;
  }

 private:
  std::vector<std::uint16_t> small_;
  std::vector<PortMask> large_;  ///< instead, if not empty
};

/// Told how far long work is: its step, what is counted ("switches"), how many are done and how
/// many there are. May be empty.
using Steps = std::function<void(const char* step, const char* parts, std::uint32_t done,
                                 std::uint32_t total)>;

/// Routes on which packets change their virtual channel: a packet begins in channel 0 and goes on
/// in the next higher one behind each raising link. Its head may name a way, by which it goes as
/// far as the first of these links; from there on it goes by RouteRule. Read by several threads.
class Phases {
 public:
  virtual ~Phases() = default;
  virtual std::uint32_t channels() const = 0;       ///< virtual channels that packets take
  virtual PortMask raising(SwitchId s) const = 0;   ///< ports with such a link: both of its ends
  virtual std::uint32_t ways() const { return 0; }  ///< that can be named: 1 to ways()
  /// What Routes::mask() gives for a head in channel 0 that names a way.
  virtual PortMask mask_by(std::uint32_t /*way*/, SwitchId /*s*/, std::uint32_t /*d*/) const {
    return 0;
  }
  /// The ways of which a source draws one for a packet to another node; 0: it names none, way 0.
  virtual std::uint32_t choices(NodeId /*from*/, NodeId /*to*/) const { return 0; }
  /// One of them, i < choices(from, to).
  virtual std::uint32_t choice(NodeId /*from*/, NodeId /*to*/, std::uint32_t /*i*/) const {
    return 0;
  }
};

/// Legal next ports by a rule, which takes less memory than a table. Read by several threads.
class RouteRule {
 public:
  virtual ~RouteRule() = default;
  /// nullptr: packets keep their virtual channel.
  virtual const Phases* phases() const { return nullptr; }
  /// What Routes::mask() gives.
  virtual PortMask mask(SwitchId s, std::uint32_t d) const = 0;
  /// Above `d`: all destinations below it have the mask of `d` at `s`.
  virtual std::uint32_t run_end(SwitchId /*s*/, std::uint32_t d) const { return d + 1; }
  /// `d`, or one above it that is not above the next destination with one of these ports at `s`.
  virtual std::uint32_t next_by(PortMask /*ports*/, SwitchId /*s*/, std::uint32_t d) const {
    return d;
  }
};

/// The routing tables of all switches: for switch `s` and destination `d` (nodes first, then
/// switches) the mask of legal next ports. The lowest set bit is the deterministic route; the
/// others are for adaptive messages. The entry of a switch for itself is 0.
class Routes {
 public:
  /// Tables without a route.
  Routes(std::uint32_t switches, std::uint32_t destinations);
  /// Those of a rule; copies share it. REQUIRES: by the rule every packet arrives and there is no
  /// cycle of channel dependencies: large networks are not checked for that.
  Routes(std::uint32_t switches, std::uint32_t destinations, std::shared_ptr<const RouteRule> rule);

  std::uint32_t destinations() const { return destinations_; }  ///< nodes, then switches
  /// Destination number of a switch.
  std::uint32_t destination_of(SwitchId s) const { return destinations_ - switches_ + s; }
  /// Bit p: port p of switch `s` may be next on the way to destination `d`; 0: none.
  PortMask mask(SwitchId s, std::uint32_t d) const {
    return rule_ ? rule_->mask(s, d) : masks_.at(std::size_t{s} * destinations_ + d);
  }
  /// Of a rule; nullptr: packets keep their virtual channel.
  const Phases* phases() const { return rule_ ? rule_->phases() : nullptr; }
  /// The mask for a head in channel 0 that names a way, 0 for none. REQUIRES: there are such ways.
  PortMask mask_by(std::uint32_t way, SwitchId s, std::uint32_t d) const {
    return way == 0 ? mask(s, d) : phases()->mask_by(way, s, d);
  }
  /// Above `d`: all destinations below it have the mask of `d` at `s`.
  std::uint32_t run_end(SwitchId s, std::uint32_t d) const {
    return rule_ ? rule_->run_end(s, d) : d + 1;
  }
  /// `d`, or one above it that is not above the next destination with one of these ports at `s`.
  std::uint32_t next_by(PortMask ports, SwitchId s, std::uint32_t d) const {
    return rule_ && d < destinations_ ? rule_->next_by(ports, s, d) : d;
  }
  /// By a rule, unchanged.
  bool by_rule() const { return rule_ != nullptr; }
  /// Puts an entry. Routes by a rule become tables; throws InputError if these were too large.
  /// REQUIRES: switch and destination exist.
  void set(SwitchId s, std::uint32_t d, PortMask mask) {
    if (rule_) write_out();
    masks_.set(std::size_t{s} * destinations_ + d, mask);
  }
  /// Deterministic next port, or kMaxPorts if there is none.
  std::uint32_t next_port(SwitchId s, std::uint32_t d) const;

 private:
  void write_out();

  std::uint32_t switches_, destinations_;
  std::shared_ptr<const RouteRule> rule_;  // or
  MaskTable masks_;
};

/// up*/down* by destination only: the up direction of a link leads to the end with the lower BFS
/// level (ties: lower identifier) around the routing root, or by graph.levels, if it has them. A
/// switch with an all-down path to the destination offers its shortest down links, any other its
/// best up links. Hence every route is up*/down*, no phase travels, and the deterministic routes to
/// one destination form a tree. With graph.levels there is one up link for each destination, by a
/// digit of its number, and a switch without nodes has a route to other switches only where there
/// is one.
Routes up_down_routes(const Graph& graph, const Steps& steps = {});

/// The levels that up_down_routes() counts by, one for each switch.
std::vector<std::uint32_t> up_down_levels(const Graph& graph);

/// The same by other levels, for instance those of the network before it lost a link: entries on
/// ways that did not lead over the link are then as before. A switch that has lost its last link up
/// may have no way by them to some destination, whose entry is 0. REQUIRES: a level for each
/// switch.
Routes up_down_routes(const Graph& graph, const std::vector<std::uint32_t>& levels,
                      const Steps& steps = {});

/// X-Y routes of a mesh. Needs graph.mesh.
Routes xy_routes(const Graph& graph);

/// X-Y for a mesh, up*/down* for anything else, of tori and fat trees by a rule without a table.
Routes routes_for(const Graph& graph, const Steps& steps = {});

/// Routes of a dragonfly.
enum class DragonflyRoutes : std::uint8_t {
  kMinimal,  ///< a local link, a global one, a local one; in two virtual channels
  kValiant,  ///< the same to a group that is drawn for each packet, and on from there; in three
};

/// Throws InputError if the network is none of generate_dragonfly().
Routes dragonfly_routes(const Graph& graph, DragonflyRoutes kind);

/// The switch around which up*/down* levels are counted: least eccentricity, then lowest
/// identifier.
SwitchId routing_root(const Graph& graph);

/// Level of a switch that cannot be reached.
inline constexpr std::uint32_t kUnreachable = ~std::uint32_t{0};

/// BFS levels around `root`, in hops between switches.
std::vector<std::uint32_t> bfs_levels(const Graph& graph, SwitchId root);

}  // namespace muster::topology
