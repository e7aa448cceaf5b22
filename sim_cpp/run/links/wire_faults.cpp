// SPDX-License-Identifier: Apache-2.0
#include "run/links/wire_faults.hpp"

#include <algorithm>
#include <array>

namespace muster::run {

namespace {

constexpr std::uint64_t kMostBits = 3;  // of a frame that are flipped

}  // namespace

WireFaults::WireFaults(const LinkSpec& spec, const fabric::LinkConfig& config, std::uint32_t wires,
                       std::uint64_t seed)
    : spec_(spec), format_(config), numbers_(2 * config.slots), seed_(seed), next_(wires) {}

core::Arriving WireFaults::pass(std::uint32_t wire, std::uint64_t cycle, const core::Flit& frame) {
  ++counts_.frames;
  const fabric::LinkFrame fields = format_.unpack(frame);
  count_replay(wire, fields);
  core::Arriving arriving{.count = 1, .flits = {frame, frame}};
  if (flapping(wire, cycle)) {
    ++counts_.flapped;
    arriving.count = 0;
    return arriving;
  }
  Rng rng(seed_ ^ mix64(cycle), wire);
  if (spec_.drop != 0.0 && rng.uniform() < spec_.drop) {
    ++counts_.dropped;
    arriving.count = 0;
    return arriving;
  }
  // The jammer knows which frames carry only acknowledgements and credits.
  if (spec_.ack_drop != 0.0 && !fields.flit && !fields.init && rng.uniform() < spec_.ack_drop) {
    ++counts_.acks_dropped;
    arriving.count = 0;
    return arriving;
  }
  if (spec_.corrupt != 0.0 && rng.uniform() < spec_.corrupt) {
    ++counts_.corrupted;
    corrupt(arriving.flits[0], rng);
  }
  if (spec_.duplicate != 0.0 && rng.uniform() < spec_.duplicate) {
    ++counts_.duplicated;
    arriving.count = 2;
  }
  return arriving;
}

/// Channels 2l and 2l + 1 are of one link.
bool WireFaults::flapping(std::uint32_t wire, std::uint64_t cycle) const {
  return std::any_of(spec_.flaps.begin(), spec_.flaps.end(), [&](const Flap& flap) {
    return flap.channel / 2 == wire / 2 && cycle >= flap.first && cycle - flap.first < flap.cycles;
  });
}

void WireFaults::count_replay(std::uint32_t wire, const fabric::LinkFrame& fields) {
  if (fields.init && !fields.echo) next_[wire] = 0;  // a session begins
  if (!fields.flit) return;
  if (fields.seq == next_[wire])
    next_[wire] = (next_[wire] + 1) % numbers_;
  else
    ++counts_.replayed;
}

void WireFaults::corrupt(core::Flit& frame, Rng& rng) const {
  const std::uint64_t bits = 1 + rng.below(kMostBits);
  std::array<unsigned, kMostBits> flipped{};
  for (std::size_t i = 0; i < bits;) {
    const auto bit = static_cast<unsigned>(rng.below(format_.width()));
    if (std::find(flipped.begin(), flipped.begin() + i, bit) != flipped.begin() + i) continue;
    format_.flip(frame, bit);
    flipped[i++] = bit;
  }
}

}  // namespace muster::run
