// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "systems/esc/cube.hpp"

namespace muster::esc {

enum class FaultKind : std::uint8_t {
  kBox,    ///< box `index` of stage `stage`, 0 .. m, with its links to or from multiplexers
  kLink,   ///< link `index` out of stage `stage`; stage m + 1: out of the PE, into the input stage
  kBypass  ///< link `index` around the boxes of an outer stage, `stage` 0 or m
};

/// One broken part of an Extra Stage Cube: whatever is sent into it is lost. docs/systems/esc.md.
struct Fault {
  FaultKind kind = FaultKind::kBox;
  unsigned stage = 0;
  std::uint32_t index = 0;
  friend bool operator==(const Fault&, const Fault&) = default;
};

/// "box:2:17", "link:0:3", "bypass:4:3".
std::string fault_text(const Fault& fault);
/// The inverse. Throws InputError that says how a fault is written.
Fault fault_named(const std::string& text);
/// Throws InputError that names what this network has.
void require_exists(const Cube& cube, const Fault& fault);

/// Pairs (source, destination), of N^2, between which a way without a fault leads through boxes,
/// links and bypasses under this setting of the outer stages. It knows of no tags: whatever a box
/// can reach counts.
std::uint64_t connected_pairs(const Cube& cube, const OuterStages& stages,
                              std::span<const Fault> faults);

/// The packets that a fault cuts off, under one setting of the outer stages: those whose source and
/// whose destination agree with it in some bits, and that leave the input stage on output `x`.
struct Cut {
  std::uint32_t source_mask = 0, source = 0;
  std::uint32_t destination_mask = 0, destination = 0;
  std::optional<std::uint32_t> x;  ///< none: any

  /// `free`: bits of the destination that a broadcast leaves open.
  bool hits(std::uint32_t s, std::uint32_t d, std::uint32_t out, std::uint32_t free = 0) const {
    return ((s ^ source) & source_mask) == 0 &&
           ((d ^ destination) & destination_mask & ~free) == 0 && (!x || *x == out);
  }
};

/// What the fault cuts off; none if no packet comes to it under this setting.
std::optional<Cut> cut_of(const Cube& cube, const OuterStages& stages, const Fault& fault);

/// The setting of the outer stages: the first of `preferred`, normal, both enabled, output bypassed
/// under which no fault is on all ways of a pair; `preferred` if there is none. For one fault it
/// leaves all pairs connected.
OuterStages choose_stages(const Cube& cube, std::span<const Fault> faults,
                          const OuterStages& preferred = {});

/// Bits of a release packet: the stages in which it is broadcast, and its routing tag.
struct Broadcast {
  std::uint32_t mask = 0, tag = 0;
  friend bool operator==(const Broadcast&, const Broadcast&) = default;
};

/// Routing tags that a sender chooses, knowing the faults and the setting. Without a fault that
/// concerns them they are those of the plain network.
class FaultRouting {
 public:
  FaultRouting(const Cube& cube, const OuterStages& stages, std::span<const Fault> faults)
      : cube_(cube), stages_(stages) {
    for (const Fault& fault : faults)
      if (const auto cut = cut_of(cube, stages, fault)) cuts_.push_back(*cut);
  }

  /// If a fault is on the way of a packet that leaves the input stage, if enabled, on output x.
  bool is_cut(std::uint32_t source, std::uint32_t destination, std::uint32_t x,
              std::uint32_t free = 0) const {
    return std::ranges::any_of(
        cuts_, [&](const Cut& cut) { return cut.hits(source, destination, x, free); });
  }

  /// The output of the input stage for a packet that should leave it on `wanted`: that one if no
  /// fault is on the way, else one of the others, at first the one that the sum of both numbers
  /// picks, so that what avoids a fault is spread over all ways there are. `keep_0`: not output 0,
  /// which hot-spot policies reserve, unless there is no other. With the output stage bypassed it
  /// is digit 0 of the destination, with the input stage bypassed 0 and without meaning. None if
  /// all ways are cut.
  std::optional<std::uint32_t> output(std::uint32_t source, std::uint32_t destination,
                                      std::uint32_t wanted, bool keep_0 = false) const {
    return common_output(source, destination, 0, wanted, keep_0);
  }

  /// Packets that together bring one copy to every PE to which there is a way: one packet if that
  /// is possible, as it is with one fault; else the destinations are halved (n-thed) by their
  /// highest open digit until it is.
  std::vector<Broadcast> broadcast(std::uint32_t source) const {
    std::vector<Broadcast> packets;
    cover(source, 0, cube_.input_stage(), packets);
    return packets;
  }

 private:
  /// For all destinations that differ from `destination` in `free` bits only.
  std::optional<std::uint32_t> common_output(std::uint32_t source, std::uint32_t destination,
                                             std::uint32_t free, std::uint32_t wanted,
                                             bool keep_0) const {
    const auto if_whole = [&](std::uint32_t x) {
      return is_cut(source, destination, x, free) ? std::nullopt : std::optional(x);
    };
    if (!stages_.input) return if_whole(0);
    if (!stages_.output) return if_whole(cube_.digit(destination, 0));
    if (const auto x = if_whole(wanted)) return x;
    std::array<std::uint32_t, 8> others{};
    std::uint32_t count = 0;
    for (std::uint32_t x = keep_0 ? 1 : 0; x < cube_.size(); ++x)
      if (x != wanted) others[count++] = x;
    for (std::uint32_t k = 0; k < count; ++k)
      if (const auto x = if_whole(others[(source + destination + k) % count])) return x;
    return keep_0 ? if_whole(0) : std::nullopt;
  }
  /// To the PEs that agree with `destination` in all digits but 0 .. open - 1.
  void cover(std::uint32_t source, std::uint32_t destination, unsigned open,
             std::vector<Broadcast>& packets) const {
    const auto x =
        common_output(source, destination, cube_.below(open), cube_.digit(source, 0), false);
    if (x) {
      const unsigned sets_digit_0 = stages_.output ? 0 : cube_.input_stage();
      const std::uint32_t upper = ((1u << open) - 1) & ~1u;
      packets.push_back({.mask = open == 0 ? 0 : upper | (1u << sets_digit_0),
                         .tag = cube_.tag(destination, *x)});
      return;
    }
    if (open == 0) return;
    for (std::uint32_t digit = 0; digit < cube_.size(); ++digit)
      cover(source, cube_.with_digit(destination, open - 1, digit), open - 1, packets);
  }

  Cube cube_;
  OuterStages stages_;
  std::vector<Cut> cuts_;
};

}  // namespace muster::esc
