// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "core/text.hpp"
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

inline constexpr std::array<const char*, 3> kFaultKinds = {"box", "link", "bypass"};

/// "box:2:17", "link:0:3", "bypass:4:3".
inline std::string fault_text(const Fault& fault) {
  return fmt::format("{}:{}:{}", kFaultKinds[static_cast<std::size_t>(fault.kind)], fault.stage,
                     fault.index);
}

/// Of any size.
inline bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The inverse. Throws InputError that says how a fault is written.
inline Fault fault_named(const std::string& text) {
  const std::size_t first = text.find(':'), second = text.find(':', first + 1);
  const auto kind = std::ranges::find(kFaultKinds, text.substr(0, first));
  const std::string stage = text.substr(first + 1, second - first - 1),
                    index = text.substr(second + 1);
  if (kind != kFaultKinds.end() && second != std::string::npos && is_number(stage) &&
      is_number(index)) {
    const auto s = topology::whole_number(stage), i = topology::whole_number(index);
    if (!s || !i) throw InputError("--fault '{}': the number is too large", text);
    return {static_cast<FaultKind>(kind - kFaultKinds.begin()), *s, *i};
  }
  throw InputError(
      "--fault '{}': write box:STAGE:BOX, link:STAGE:LINK or bypass:STAGE:LINK, for "
      "instance box:2:5",
      text);
}

/// Throws InputError that names what this network has.
inline void require_exists(const Cube& cube, const Fault& fault) {
  const unsigned m = cube.input_stage();
  const auto refuse = [&fault](const std::string& what) {
    throw InputError("--fault {}: {}", fault_text(fault), what);
  };
  switch (fault.kind) {
    case FaultKind::kBox:
      if (fault.stage > m) refuse(fmt::format("stages with boxes are 0 to {}", m));
      if (fault.index >= cube.boxes_per_stage())
        refuse(fmt::format("a stage has boxes 0 to {}", cube.boxes_per_stage() - 1));
      return;
    case FaultKind::kLink:
      if (fault.stage > m + 1)
        refuse(
            fmt::format("links come out of stages 0 to {} and, as {}, out of the PEs", m, m + 1));
      break;
    case FaultKind::kBypass:
      if (fault.stage != 0 && fault.stage != m)
        refuse(fmt::format("only the outer stages, 0 and {}, have a bypass", m));
      break;
  }
  if (fault.index >= cube.pes()) refuse(fmt::format("links are numbered 0 to {}", cube.pes() - 1));
}

/// For each link of one stage: which of 64 sources have a way there.
using SourceSet = std::vector<std::uint64_t>;

inline void cut_off(std::span<const Fault> faults, FaultKind kind, unsigned stage, SourceSet& at) {
  for (const Fault& fault : faults)
    if (fault.kind == kind && fault.stage == stage) at[fault.index] = 0;
}

inline void pass_boxes(const Cube& cube, std::span<const Fault> faults, unsigned stage,
                       SourceSet& at) {
  SourceSet boxes(cube.boxes_per_stage());
  for (std::uint32_t link = 0; link < cube.pes(); ++link) boxes[cube.box(stage, link)] |= at[link];
  cut_off(faults, FaultKind::kBox, stage, boxes);
  for (std::uint32_t link = 0; link < cube.pes(); ++link) at[link] = boxes[cube.box(stage, link)];
}

/// The links to the PEs, for the sources first .. first + 63.
inline SourceSet reached(const Cube& cube, const OuterStages& stages, std::span<const Fault> faults,
                         std::uint32_t first) {
  const unsigned m = cube.input_stage();
  SourceSet at(cube.pes());
  for (std::uint32_t k = 0; k < 64 && first + k < cube.pes(); ++k)
    at[first + k] = std::uint64_t{1} << k;
  if (stages.input) cut_off(faults, FaultKind::kLink, m + 1, at);
  for (unsigned stage = m + 1; stage-- > 0;) {
    const bool enabled = stage == m ? stages.input : stage != 0 || stages.output;
    if (enabled)
      pass_boxes(cube, faults, stage, at);
    else
      cut_off(faults, FaultKind::kBypass, stage, at);
    // A bypassed output stage has no links of its own to the PEs.
    if (enabled || stage == m) cut_off(faults, FaultKind::kLink, stage, at);
  }
  return at;
}

/// Pairs (source, destination), of N^2, between which a way without a fault leads through boxes,
/// links and bypasses under this setting of the outer stages. It knows of no tags: whatever a box
/// can reach counts.
inline std::uint64_t connected_pairs(const Cube& cube, const OuterStages& stages,
                                     std::span<const Fault> faults) {
  std::uint64_t pairs = 0;
  for (std::uint32_t first = 0; first < cube.pes(); first += 64)
    for (const std::uint64_t sources : reached(cube, stages, faults, first))
      pairs += static_cast<std::uint64_t>(std::popcount(sources));
  return pairs;
}

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

/// Of a place behind the input and before the output stage, where digits 1 .. unset - 1 of the link
/// number still are those of the source, digits `set` and above those of the destination, and
/// digit 0 is what the input stage has made it.
inline Cut interior(const Cube& cube, const OuterStages& stages, std::uint32_t link, unsigned unset,
                    unsigned set) {
  const std::uint32_t zero = cube.below(1);
  Cut cut{.source_mask = cube.below(unset) & ~zero,
          .source = link,
          .destination_mask = (cube.pes() - 1) & ~cube.below(set),
          .destination = link,
          .x = {}};
  if (!stages.input)
    cut.source_mask |= zero;
  else if (!stages.output)
    cut.destination_mask |= zero;
  else
    cut.x = cube.digit(link, 0);
  return cut;
}

/// What the fault cuts off; none if no packet comes to it under this setting.
inline std::optional<Cut> cut_of(const Cube& cube, const OuterStages& stages, const Fault& fault) {
  const bool box = fault.kind == FaultKind::kBox, bypass = fault.kind == FaultKind::kBypass;
  const std::uint32_t all = cube.pes() - 1, mask = box ? all & ~cube.below(1) : all;
  const std::uint32_t link = box ? cube.link(fault.stage, fault.index, 0) : fault.index;
  const bool at_input = fault.stage + box > cube.input_stage() || (bypass && fault.stage != 0);
  if (!at_input && fault.stage != 0)
    return interior(cube, stages, link, fault.stage, fault.stage + box);
  // The boxes and links of an outer stage are used if it is enabled, its bypass if it is not.
  if ((at_input ? stages.input : stages.output) == bypass) return {};
  if (at_input) return Cut{.source_mask = mask, .source = link, .x = {}};
  return Cut{.destination_mask = mask, .destination = link, .x = {}};
}

/// The setting of the outer stages: the first of `preferred`, normal, both enabled, output bypassed
/// under which no fault is on all ways of a pair; `preferred` if there is none. For one fault it
/// leaves all pairs connected.
inline OuterStages choose_stages(const Cube& cube, std::span<const Fault> faults,
                                 const OuterStages& preferred = {}) {
  const std::array<OuterStages, 4> settings = {{preferred,
                                                {.input = false, .output = true},
                                                {.input = true, .output = true},
                                                {.input = true, .output = false}}};
  const auto avoidable = [&](const OuterStages& stages) {
    return std::ranges::all_of(faults, [&](const Fault& fault) {
      const std::optional<Cut> cut = cut_of(cube, stages, fault);
      return !cut || cut->x;
    });
  };
  const auto found = std::ranges::find_if(settings, avoidable);
  return found == settings.end() ? preferred : *found;
}

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
  /// all ways are cut. `free`: for all destinations that differ in these bits only.
  std::optional<std::uint32_t> output(std::uint32_t source, std::uint32_t destination,
                                      std::uint32_t wanted, bool keep_0 = false,
                                      std::uint32_t free = 0) const {
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

  /// Packets that together bring one copy to every PE to which there is a way: one packet if that
  /// is possible, as it is with one fault; else the destinations are halved (n-thed) by their
  /// highest open digit until it is.
  std::vector<Broadcast> broadcast(std::uint32_t source) const {
    std::vector<Broadcast> packets;
    cover(source, 0, cube_.input_stage(), packets);
    return packets;
  }

 private:
  /// To the PEs that agree with `destination` in all digits but 0 .. open - 1.
  void cover(std::uint32_t source, std::uint32_t destination, unsigned open,
             std::vector<Broadcast>& packets) const {
    const auto x = output(source, destination, cube_.digit(source, 0), false, cube_.below(open));
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
