// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/tree_wave_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "muster/fabric/formats.hpp"
#include "muster/systems/btin.hpp"

namespace muster::btin {

namespace {

using core::Flit;
using fabric::MessageType;

class Words {
 public:
  explicit Words(const fabric::SwitchConfig& config)
      : config_(config), formats_(config.flit_w, config.gid_w) {}

  void barriers(const PlannedGroup& group) {
    for (const auto& [type, name] : {std::pair{MessageType::kReduction, "reduction"},
                                     std::pair{MessageType::kDistribution, "distribution"}})
      data(type, fmt::format("{}_g{}", name, group.gid), group.gid);
  }
  void spill(const PlannedGroup& group) {
    for (const auto& [type, name] : {std::pair{MessageType::kReduction, "reduction"},
                                     std::pair{MessageType::kDistribution, "distribution"}})
      for (std::uint32_t port = 0; port < config_.ports; ++port)
        add(formats_.barrier_flit(fabric::spill_place({type, group.gid, {}}, port), 0),
            fmt::format("place_port{}_{}_g{}", port, name, group.gid));
    data(MessageType::kSpillData, fmt::format("spilled_g{}", group.gid), group.gid);
  }
  void heads(std::uint32_t nodes, std::uint32_t switches) {
    for (const auto& [opcode, name] :
         {std::pair{fabric::kOpcodeData, "data"}, std::pair{fabric::kOpcodeRequest, "request"},
          std::pair{fabric::kOpcodeAnswer, "answer"}, std::pair{fabric::kOpcodeGroup, "group"}})
      for (std::uint32_t d = 0; d < nodes + switches; ++d) {
        if ((opcode == fabric::kOpcodeRequest) != (d >= nodes)) continue;
        Flit head;
        head.kind = Flit::kHead;
        head.lo = d | std::uint64_t{opcode} << fabric::kDestinationWidth;
        add(head, d < nodes ? fmt::format("{}_to_n{}", name, d)
                            : fmt::format("{}_to_switch{}", name, d - nodes));
      }
  }
  /// A link that has carried nothing yet.
  void rest() { text_ += hex(0) + " .\n"; }
  std::string take() { return std::move(text_); }

 private:
  __extension__ using Wide = unsigned __int128;

  void data(MessageType type, const std::string& name, std::uint32_t gid) {
    const std::uint64_t values = std::uint64_t{1} << std::min(formats_.data_width(), 6u);
    for (std::uint64_t value = 0; value < values; ++value)
      add(formats_.barrier_flit({type, gid, {value, 0}}, 0),
          value == 0 ? name : fmt::format("{}_d{}", name, value));
  }
  void add(const Flit& flit, const std::string& meaning) {
    const Wide payload = (Wide{flit.hi} << 64) | flit.lo;
    const Wide bits = payload | Wide{flit.kind} << config_.flit_w;
    text_ += fmt::format("{} {}\n{} .\n", hex(bits | Wide{1} << (config_.flit_w + 3)), meaning,
                         hex(bits));
  }
  std::string hex(Wide value) const {
    std::string text;
    for (unsigned d = (config_.flit_w + 4 + 3) / 4; d-- > 0;)
      text += "0123456789abcdef"[static_cast<unsigned>(value >> (4 * d)) & 15];
    return text;
  }

  const fabric::SwitchConfig& config_;
  fabric::Formats formats_;
  std::string text_;
};

}  // namespace

std::string wave_words(const run::RunSpec& spec, std::span<const PlannedGroup> groups,
                       const fabric::SwitchConfig& config) {
  const Spec choice = spec.parts.get<Spec>();
  Words words(config);
  for (const PlannedGroup& group : groups) {
    words.barriers(group);
    if (choice.spill) words.spill(group);
  }
  words.rest();
  if (choice.in_band) words.heads(spec.graph->nodes(), spec.graph->switches());
  return words.take();
}

}  // namespace muster::btin
