// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/faults.hpp"

#include "core/text.hpp"

namespace muster::esc {
namespace {

constexpr std::array<const char*, 3> kNames = {"box", "link", "bypass"};

/// Of any size.
bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// For each link of one stage: which of 64 sources have a way there.
using SourceSet = std::vector<std::uint64_t>;

void remove(std::span<const Fault> faults, FaultKind kind, unsigned stage, SourceSet& at) {
  for (const Fault& fault : faults)
    if (fault.kind == kind && fault.stage == stage) at[fault.index] = 0;
}

void pass_boxes(const Cube& cube, std::span<const Fault> faults, unsigned stage, SourceSet& at) {
  SourceSet boxes(cube.boxes_per_stage());
  for (std::uint32_t link = 0; link < cube.pes(); ++link) boxes[cube.box(stage, link)] |= at[link];
  remove(faults, FaultKind::kBox, stage, boxes);
  for (std::uint32_t link = 0; link < cube.pes(); ++link) at[link] = boxes[cube.box(stage, link)];
}

/// The links to the PEs, for the sources first .. first + 63.
SourceSet reached(const Cube& cube, const OuterStages& stages, std::span<const Fault> faults,
                  std::uint32_t first) {
  const unsigned m = cube.input_stage();
  SourceSet at(cube.pes());
  for (std::uint32_t k = 0; k < 64 && first + k < cube.pes(); ++k)
    at[first + k] = std::uint64_t{1} << k;
  if (stages.input) remove(faults, FaultKind::kLink, m + 1, at);
  for (unsigned stage = m + 1; stage-- > 0;) {
    const bool enabled = stage == m ? stages.input : stage != 0 || stages.output;
    if (enabled)
      pass_boxes(cube, faults, stage, at);
    else
      remove(faults, FaultKind::kBypass, stage, at);
    // A bypassed output stage has no links of its own to the PEs.
    if (enabled || stage == m) remove(faults, FaultKind::kLink, stage, at);
  }
  return at;
}

/// Of a place behind the input and before the output stage, where digits 1 .. unset - 1 of the link
/// number still are those of the source, digits `set` and above those of the destination, and
/// digit 0 is what the input stage has made it.
Cut interior(const Cube& cube, const OuterStages& stages, std::uint32_t link, unsigned unset,
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

}  // namespace

std::string fault_text(const Fault& fault) {
  return fmt::format("{}:{}:{}", kNames[static_cast<std::size_t>(fault.kind)], fault.stage,
                     fault.index);
}

Fault fault_named(const std::string& text) {
  const std::size_t first = text.find(':'), second = text.find(':', first + 1);
  const auto kind = std::ranges::find(kNames, text.substr(0, first));
  const std::string stage = text.substr(first + 1, second - first - 1),
                    index = text.substr(second + 1);
  if (kind != kNames.end() && second != std::string::npos && is_number(stage) && is_number(index)) {
    const auto s = topology::whole_number(stage), i = topology::whole_number(index);
    if (!s || !i) throw InputError("--fault '{}': the number is too large", text);
    return {static_cast<FaultKind>(kind - kNames.begin()), *s, *i};
  }
  throw InputError(
      "--fault '{}': write box:STAGE:BOX, link:STAGE:LINK or bypass:STAGE:LINK, for "
      "instance box:2:5",
      text);
}

void require_exists(const Cube& cube, const Fault& fault) {
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

std::uint64_t connected_pairs(const Cube& cube, const OuterStages& stages,
                              std::span<const Fault> faults) {
  std::uint64_t pairs = 0;
  for (std::uint32_t first = 0; first < cube.pes(); first += 64)
    for (const std::uint64_t sources : reached(cube, stages, faults, first))
      pairs += static_cast<std::uint64_t>(std::popcount(sources));
  return pairs;
}

std::optional<Cut> cut_of(const Cube& cube, const OuterStages& stages, const Fault& fault) {
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

OuterStages choose_stages(const Cube& cube, std::span<const Fault> faults,
                          const OuterStages& preferred) {
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

}  // namespace muster::esc
