// SPDX-License-Identifier: Apache-2.0
#include "run/links/links_io.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace muster::run {

namespace {

std::string name_of(const KilledLink& link) {
  return fmt::format("{}:{}-{}:{}", link.a.sw, link.a.port, link.b.sw, link.b.port);
}

Json link_json(const LinkResult& l) {
  const auto since = [&](std::uint64_t cycle) {
    return cycle == 0 ? Json(nullptr) : Json(cycle - l.link.cycle);
  };
  return {{"link", name_of(l.link)},          {"declared_in_cycle", l.link.cycle},
          {"acyclic_together", l.acyclic},    {"packets_held", l.quiesced},
          {"groups_held", l.groups_held},     {"masks_narrowed", l.narrowed},
          {"words_written", l.entries},       {"empty_cycles", since(l.empty)},
          {"routed_cycles", since(l.routed)}, {"out_cycles", since(l.out)}};
}

const char* held_text(const LinkResult& l) {
  if (l.groups_held) return " with packets and groups held";
  return l.quiesced ? " with packets held" : "";
}

}  // namespace

Json links_to_json(std::span<const LinkResult> links) {
  Json list = Json::array();
  for (const LinkResult& l : links) list.push_back(link_json(l));
  return list;
}

std::string links_text(std::span<const LinkResult> links) {
  std::string text;
  for (const LinkResult& l : links)
    text += fmt::format(
        "dead link    {} declared in cycle {}, {} words written{}, {}\n", name_of(l.link),
        l.link.cycle, l.entries, held_text(l),
        l.out == 0 ? "not taken out" : fmt::format("out after {} cycles", l.out - l.link.cycle));
  return text;
}

}  // namespace muster::run
