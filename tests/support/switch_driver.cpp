// SPDX-License-Identifier: Apache-2.0
#include "support/switch_driver.hpp"

#include "network/formats.hpp"

namespace muster::testing {

using network::Flit;

SwitchDriver::SwitchDriver(network::Bank& bank, std::uint32_t block,
                           const network::SwitchConfig& config, const DriverMix& mix,
                           std::uint64_t seed)
    : bank_(bank),
      block_(block),
      config_(config),
      mix_(mix),
      rng_(seed, block),
      lanes_(std::size_t{config.ports} * config.vcs),
      paused_(config.ports, 0) {
  for (Lane& l : lanes_) l.credits = config.depth;
  bank_.write_register(block, 0x003, mix.own);
  for (std::uint32_t d = 0; d < config.dests; ++d)
    bank_.write_register(block, 0x800 + d,
                         rng_.below(16) == 0
                             ? 0
                             : static_cast<std::uint32_t>(rng_.below(1u << config.ports)));
  for (std::uint32_t r = 0; r < config.regs; ++r) {
    const std::uint32_t gid = (r * 5 + 3) % (1u << config.gid_w);
    const bool turn = rng_.below(4) == 0;
    const auto parent = static_cast<std::uint32_t>(rng_.below(config.ports));
    auto children = static_cast<std::uint32_t>(rng_.below(1u << config.ports));
    if (!turn) children &= ~(1u << parent);
    gids_.push_back(gid);
    bank_.write_register(block, 0x041 + 4 * r, children);
    bank_.write_register(block, 0x040 + 4 * r,
                         (1u << 31) | (std::uint32_t{turn} << 30) | (parent << 16) | gid);
  }
}

Flit SwitchDriver::random_payload() {
  const auto p = network::Formats::low_bits({rng_.next(), static_cast<std::uint16_t>(rng_.next())},
                                            config_.flit_w);
  Flit flit;
  flit.lo = p.lo;
  flit.hi = p.hi;
  return flit;
}

Flit SwitchDriver::message() {
  if (rng_.uniform() < mix_.forged) {
    Flit flit = random_payload();
    flit.kind = Flit::kSync;
    return flit;
  }
  const network::Formats formats(config_.flit_w, config_.gid_w);
  network::BarrierMessage m;
  m.type = static_cast<network::MessageType>(rng_.below(3) == 0);
  m.gid = gids_[rng_.below(gids_.size())];
  m.data = {rng_.next(), static_cast<std::uint16_t>(rng_.next())};
  return formats.barrier_flit(m, 0);
}

void SwitchDriver::take_outputs() {
  for (std::uint32_t rest = bank_.wires(block_).tx_valid; rest != 0; rest &= rest - 1) {
    const auto p = static_cast<std::uint32_t>(__builtin_ctz(rest));
    ++lane(p, bank_.tx(block_, p).vc).owed;
    ++received_;
  }
  const std::uint64_t back = bank_.wires(block_).rx_back;
  for (std::uint32_t p = 0; p < config_.ports; ++p)
    for (std::uint32_t v = 0; v < config_.vcs; ++v)
      lane(p, v).credits += (back >> (4 * p + v)) & 1;
}

void SwitchDriver::return_credits(bool all) {
  std::uint64_t back = 0;
  for (std::uint32_t p = 0; p < config_.ports; ++p)
    for (std::uint32_t v = 0; v < config_.vcs; ++v) {
      Lane& l = lane(p, v);
      if (l.owed == 0 || !(all || rng_.uniform() < mix_.credit)) continue;
      --l.owed;
      back |= std::uint64_t{1} << (4 * p + v);
    }
  bank_.wires(block_).tx_back = back;
}

void SwitchDriver::send(std::uint32_t port, bool draining) {
  const bool sync = !draining && rng_.uniform() < mix_.sync;
  // A stray barrier message, on a channel that is not the barrier channel, now and then.
  auto vc = static_cast<std::uint32_t>(rng_.below(config_.vcs));
  if (sync && rng_.below(16) != 0) vc = barrier_vc();
  Lane& l = lane(port, vc);
  if (l.credits == 0) return;
  Flit flit;
  if (sync) {
    flit = message();
  } else if (draining ? l.in_packet : rng_.uniform() < mix_.data) {
    flit = random_payload();
    const bool tail = draining || rng_.below(4) == 0;
    flit.kind =
        static_cast<std::uint8_t>((l.in_packet ? 0 : Flit::kHead) | (tail ? Flit::kTail : 0));
    l.in_packet = !tail;
  } else {
    return;
  }
  flit.vc = static_cast<std::uint8_t>(vc);
  --l.credits;
  ++sent_;
  bank_.rx(block_, port) = flit;
  bank_.wires(block_).rx_valid |= 1u << port;
}

void SwitchDriver::drive() {
  take_outputs();
  return_credits(false);
  for (std::uint32_t p = 0; p < config_.ports; ++p) {
    if (paused_[p] > 0) {
      --paused_[p];
      continue;
    }
    if (rng_.uniform() < mix_.pause) paused_[p] = static_cast<std::uint32_t>(rng_.below(40));
    send(p, false);
  }
}

bool SwitchDriver::drain() {
  take_outputs();
  return_credits(true);
  bool quiet = bank_.wires(block_).tx_back == 0;
  for (std::uint32_t p = 0; p < config_.ports; ++p) send(p, true);
  for (const Lane& l : lanes_) quiet = quiet && !l.in_packet && l.credits == config_.depth;
  return quiet && bank_.wires(block_).rx_valid == 0 && bank_.quiescent(block_);
}

}  // namespace muster::testing
