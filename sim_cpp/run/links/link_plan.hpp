// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "fabric/link_config.hpp"
#include "muster/fabric/network.hpp"
#include "muster/run/faults.hpp"
#include "muster/run/run.hpp"

namespace muster::run {

/// The wires between link ends: wire c leads from the end at the sender of channel c of the layout.
/// The fate of a frame depends on seed, wire and cycle only, so it is the same on every engine
/// that puts the same frames there.
class WireFaults final : public core::Disturbance {
 public:
  /// `wires`: channels of the layout.
  WireFaults(const LinkSpec& spec, const fabric::LinkConfig& config, std::uint32_t wires,
             std::uint64_t seed)
      : spec_(spec),
        ends_(config),
        format_(config),
        numbers_(2 * config.slots),
        seed_(seed),
        next_(wires) {}

  core::Arriving pass(std::uint32_t wire, std::uint64_t cycle, const core::Flit& frame) override {
    ++counts_.frames;
    const fabric::LinkFrame fields = format_.unpack(frame);
    count_replay(wire, fields);
    core::Arriving arriving{.count = 1, .flits = {frame, frame}};
    const auto lost = [&](std::uint64_t& count) {
      ++count;
      arriving.count = 0;
      return arriving;
    };
    if (flapping(wire, cycle)) return lost(counts_.flapped);
    Rng rng(seed_ ^ mix64(cycle), wire);
    const auto drawn = [&](double share) { return share != 0.0 && rng.uniform() < share; };
    if (drawn(spec_.drop)) return lost(counts_.dropped);
    // The jammer knows which frames carry only acknowledgements and credits.
    if (!fields.flit && !fields.init && drawn(spec_.ack_drop)) return lost(counts_.acks_dropped);
    if (drawn(spec_.corrupt)) {
      ++counts_.corrupted;
      corrupt(arriving.flits[0], rng);
    }
    if (drawn(spec_.duplicate)) {
      ++counts_.duplicated;
      arriving.count = 2;
    }
    return arriving;
  }
  /// All but `down`.
  const LinkCounts& counts() const { return counts_; }
  const fabric::LinkConfig& ends() const { return ends_; }  ///< of the ends at all wires

 private:
  static constexpr std::uint64_t kMostBits = 3;  ///< of a frame that are flipped
  /// Channels 2l and 2l + 1 are of one link.
  bool flapping(std::uint32_t wire, std::uint64_t cycle) const {
    return std::ranges::any_of(spec_.flaps, [&](const Flap& flap) {
      return flap.channel / 2 == wire / 2 && cycle >= flap.first &&
             cycle - flap.first < flap.cycles;
    });
  }
  void count_replay(std::uint32_t wire, const fabric::LinkFrame& fields) {
    if (fields.init && !fields.echo) next_[wire] = 0;  // a session begins
    if (!fields.flit) return;
    if (fields.seq == next_[wire])
      next_[wire] = (next_[wire] + 1) % numbers_;
    else
      ++counts_.replayed;
  }
  void corrupt(core::Flit& frame, Rng& rng) const {
    const std::uint64_t bits = 1 + rng.below(kMostBits);
    std::array<unsigned, kMostBits> flipped{};
    for (std::size_t i = 0; i < bits;) {
      const auto bit = static_cast<unsigned>(rng.below(format_.width()));
      if (std::find(flipped.begin(), flipped.begin() + i, bit) != flipped.begin() + i) continue;
      format_.flip(frame, bit);
      flipped[i++] = bit;
    }
  }

  LinkSpec spec_;
  fabric::LinkConfig ends_;
  fabric::LinkFormat format_;
  std::uint32_t numbers_;  ///< sequence numbers there are
  std::uint64_t seed_;
  std::vector<std::uint32_t> next_;  ///< by wire: the number of the first flit never sent
  LinkCounts counts_;
};

/// What is asked of links, without the switches. Throws InputError naming the option.
void check_links(const RunSpec& spec);

/// The ends of all links of a run whose links retry: those of `rtl/configurations.json` that suit
/// its switches, in `golden` else ends as large as they need. Throws InputError if the switches'
/// links cannot retry, or the engine has no such ends.
fabric::LinkConfig link_config(const RunSpec& spec, const fabric::SwitchConfig& config);

/// The longest that two ends hold a flit while the link is up, cycles: RunSpec::links.
std::uint32_t link_delay(const RunSpec& spec, const fabric::LinkConfig& link);

/// The wires between the link ends of a run; nullptr if its links do not retry.
std::shared_ptr<WireFaults> make_wires(const RunSpec& spec, const fabric::SwitchConfig& config);
/// Ends and wires of the run; nothing without wires.
fabric::LinkEnds make_links(const RunSpec& spec, std::shared_ptr<WireFaults> wires);

/// All ends that live have begun: they are up or, already, down. REQUIRES: links that retry.
bool links_begun(fabric::Network& network);

/// `irq_o` of an end that lives; false without link ends.
bool is_down(fabric::Network& network, core::ChannelId end);
/// All of these.
std::vector<core::ChannelId> ends_down(fabric::Network& network);

/// The status register of an end. REQUIRES: links that retry, here and below.
std::uint32_t status_of(fabric::Network& network, core::ChannelId end);
/// The end's channel and why it is down, "3:0 -> 1:2: ...".
std::string end_text(fabric::Network& network, core::ChannelId end);
/// The second part of it.
std::string reason_text(std::uint32_t reason);

/// What has happened on the wires until now, and which links are down. REQUIRES: links that retry.
LinkCounts count_links(fabric::Network& network, const WireFaults& wires);

}  // namespace muster::run
