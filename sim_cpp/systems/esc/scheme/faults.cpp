// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/faults.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include "muster/core/error.hpp"

namespace muster::esc {
namespace {

constexpr std::array<const char*, 3> kNames = {"box", "link", "bypass"};

/// The number at the front of `text`, which must end there or at a colon that is removed, too.
template <typename Number>
std::errc read_number(std::string_view& text, bool last, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::invalid_argument) return error;
  if (last ? rest != end : rest == end || *rest != ':') return std::errc::invalid_argument;
  if (!last) text.remove_prefix(static_cast<std::size_t>(rest - text.data()) + 1);
  return error;
}

}  // namespace

std::string fault_text(const Fault& fault) {
  return fmt::format("{}:{}:{}", kNames[static_cast<std::size_t>(fault.kind)], fault.stage,
                     fault.index);
}

Fault fault_named(const std::string& text) {
  for (std::size_t kind = 0; kind < kNames.size(); ++kind) {
    std::string_view rest = text;
    const std::string name = std::string(kNames[kind]) + ":";
    if (!rest.starts_with(name)) continue;
    rest.remove_prefix(name.size());
    Fault fault{.kind = static_cast<FaultKind>(kind)};
    const std::errc stage = read_number(rest, false, fault.stage);
    if (stage == std::errc::invalid_argument) continue;
    const std::errc index = read_number(rest, true, fault.index);
    if (index == std::errc::invalid_argument) continue;
    if (stage != std::errc{} || index != std::errc{})
      throw InputError(fmt::format("--fault '{}': the number is too large", text));
    return fault;
  }
  throw InputError(
      fmt::format("--fault '{}': write box:STAGE:BOX, link:STAGE:LINK or bypass:STAGE:LINK, for "
                  "instance box:2:5",
                  text));
}

void require_exists(const Cube& cube, const Fault& fault) {
  const unsigned m = cube.input_stage();
  const auto refuse = [&fault](const std::string& what) {
    throw InputError(fmt::format("--fault {}: {}", fault_text(fault), what));
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

std::vector<Fault> all_faults(const Cube& cube) {
  const unsigned m = cube.input_stage();
  std::vector<Fault> faults;
  const auto add = [&faults](FaultKind kind, unsigned stage, std::uint32_t count) {
    for (std::uint32_t index = 0; index < count; ++index) faults.push_back({kind, stage, index});
  };
  for (unsigned stage = 0; stage <= m; ++stage) add(FaultKind::kBox, stage, cube.boxes_per_stage());
  for (unsigned stage = 0; stage <= m + 1; ++stage) add(FaultKind::kLink, stage, cube.pes());
  for (const unsigned stage : {0u, m}) add(FaultKind::kBypass, stage, cube.pes());
  return faults;
}

}  // namespace muster::esc
