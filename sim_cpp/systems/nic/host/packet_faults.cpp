// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/host/packet_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "muster/core/error.hpp"

namespace muster::nic {

const FaultRates& validate(const FaultRates& rates) {
  const auto check = [](const char* option, double rate) {
    if (!(rate >= 0.0 && rate <= 1.0))
      throw InputError(fmt::format("{} {}: must be a share of packets, 0 to 1", option, rate));
  };
  check("--drop", rates.drop);
  check("--duplicate", rates.duplicate);
  check("--delay", rates.delay);
  check("--reorder", rates.reorder);
  check("--corrupt", rates.corrupt);
  if (rates.longest_delay == 0)
    throw InputError("--longest-delay 0: the delay must be at least 1 cycle");
  return rates;
}

bool PacketFaults::draw(double rate, std::uint64_t& count) {
  // Without a rate no draw, so that a kind of fault does not move the draws of another.
  if (rate == 0.0 || rng_.uniform() >= rate) return false;
  ++count;
  return true;
}

void PacketFaults::put(std::uint64_t cycle, std::vector<core::Flit> packet) {
  ++counts_.packets;
  if (draw(rates_.drop, counts_.dropped)) return;
  if (draw(rates_.corrupt, counts_.corrupted)) damage(packet);
  const bool twice = draw(rates_.duplicate, counts_.duplicated);
  if (twice) hold(cycle, packet);
  hold(cycle, std::move(packet));
}

void PacketFaults::hold(std::uint64_t cycle, std::vector<core::Flit> packet) {
  std::uint64_t due = std::max(cycle, not_before_);
  if (draw(rates_.delay, counts_.delayed))
    not_before_ = due = due + 1 + rng_.below(rates_.longest_delay);
  if (draw(rates_.reorder, counts_.reordered)) due += 1 + rng_.below(rates_.longest_delay);
  const auto place = std::upper_bound(held_.begin(), held_.end(), due,
                                      [](std::uint64_t d, const Held& h) { return d < h.due; });
  held_.insert(place, {due, std::move(packet)});
}

void PacketFaults::damage(std::vector<core::Flit>& packet) {
  constexpr std::uint64_t kBits = 16;  // those that mean something, whatever the width of a flit
  const std::uint64_t flips = 1 + rng_.below(3);
  for (std::set<std::uint64_t> flipped; flipped.size() < flips;) {
    const std::uint64_t bit = rng_.below(packet.size() * kBits);
    if (flipped.insert(bit).second) packet[bit / kBits].lo ^= std::uint64_t{1} << bit % kBits;
  }
}

std::optional<std::vector<core::Flit>> PacketFaults::take(std::uint64_t cycle) {
  if (held_.empty() || held_.front().due > cycle) return std::nullopt;
  std::vector<core::Flit> packet = std::move(held_.front().packet);
  held_.pop_front();
  return packet;
}

}  // namespace muster::nic
