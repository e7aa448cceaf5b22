// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "models/clocking.hpp"
#include "muster/core/rng.hpp"
#include "rtl/clocked.hpp"

namespace muster::test::endpoint {

constexpr unsigned kTail = 1, kHead = 2, kSync = 4;

template <class M, unsigned V, unsigned D, unsigned W, unsigned G, unsigned P, unsigned Dests,
          unsigned Timeout, unsigned Address = 65536>
struct Endpoint {
  using Model = M;
  static constexpr unsigned kChannels = V, kDepth = D, kFlitW = W, kGidW = 8, kGroups = G;
  static constexpr unsigned kDests = Dests, kTimeout = Timeout, kAddress = Address;
  static constexpr bool kPocket = P == 1;
  static constexpr unsigned kDataW = W - 2 - kGidW;
};
struct Flit {
  unsigned vc, kind;
  std::uint64_t payload;
  bool operator==(const Flit&) const = default;
};

/// A cut mark, which is no head.
inline bool is_cut(const Flit& flit) {
  return flit.kind == (kHead | kTail) && (flit.payload >> 11 & 31) == 31;
}

struct Packet {
  unsigned vc, dest, opcode;
  std::vector<std::uint64_t> beats;
  bool cut = false;  // the last is a cut mark
  bool operator==(const Packet&) const = default;
};

/// Packets of one channel are in order, those of two are not.
inline std::vector<Packet> by_channel(std::vector<Packet> packets) {
  std::stable_sort(packets.begin(), packets.end(),
                   [](const Packet& a, const Packet& b) { return a.vc < b.vc; });
  return packets;
}

template <class T>
std::uint64_t head_of(const Packet& packet) {
  const std::uint64_t head = (packet.dest & 0x7FF) | std::uint64_t{packet.opcode} << 11 |
                             std::uint64_t{packet.dest >> 11} << 16;
  return head & ((std::uint64_t{1} << T::kFlitW) - 1);
}

/// An endpoint, the host at its registers, the user of its streams, and the switch at its link.
template <class T>
class Bench {
 public:
  explicit Bench(std::uint64_t seed) : rng(seed), dut(seed) {
    dut->s_axis_tvalid_i = dut->m_axis_tready_i = dut->reg_valid_i = 0;
    dut->tx_credit_i = dut->rx_valid_i = 0;
    dut.reset();
    credits_.fill(T::kDepth);
  }

  void write(unsigned address, std::uint32_t word) {
    verif::put_request(*dut, address, true, word);
    cycle();
    dut->reg_valid_i = 0;
  }
  std::uint32_t read(unsigned address) { return verif::read_now(*dut, address); }
  /// The switch sends these with credits, those of a channel and barrier messages in turn each; a
  /// sync flit waits only for its pocket.
  void from_switch(const Flit& flit) {
    to_send_.at(flit.kind == kSync ? T::kChannels : flit.vc).push_back(flit);
  }
  void from_switch(const Packet& packet) {
    from_switch(Flit{packet.vc, kHead, head_of<T>(packet)});
    for (std::size_t i = 0; i < packet.beats.size(); ++i) {
      const unsigned tail = packet.cut ? kHead | kTail : kTail;
      from_switch(Flit{packet.vc, i + 1 == packet.beats.size() ? tail : 0, packet.beats[i]});
    }
  }
  void release(unsigned gid, std::uint64_t data = 0) {
    const std::uint64_t type = 1;
    from_switch(Flit{0, kSync, (type << T::kGidW | gid) << T::kDataW | data});
  }
  void send(const Packet& packet) { packets_.push_back(packet); }
  /// No beat is offered behind so many of a packet.
  std::optional<std::size_t> stops_at;
  void withdraw() { offered_ = false; }  ///< a beat that waits is offered no more
  Packet some_packet(unsigned destinations) {
    Packet packet{static_cast<unsigned>(rng.below(T::kChannels)),
                  static_cast<unsigned>(rng.below(destinations)),
                  static_cast<unsigned>(rng.below(31)),
                  {}};
    for (std::uint64_t i = 0, n = 1 + rng.below(6); i < n; ++i)
      packet.beats.push_back(rng.next() & ((std::uint64_t{1} << T::kFlitW) - 1));
    return packet;
  }

  void cycle() {
    REQUIRE(now < kLongest);
    offer();
    dut.settle();
    look_at_link();
    look_at_stream();
    const bool beat = dut->s_axis_tvalid_i && dut->s_axis_tready_o;
    const bool was_offered = dut->s_axis_tvalid_i;
    dut.edge();
    dut->rx_valid_i = dut->tx_credit_i = 0;
    offered_ = was_offered && !beat;
    if (beat && ++beats_ == packets_.front().beats.size()) {
      packets_.pop_front();
      beats_ = 0;
    }
    switch_side();
  }
  void cycles(int count) {
    for (int i = 0; i < count; ++i) cycle();
  }
  /// Until all packets are sent, and some cycles more.
  void finish(int more) {
    while (!idle()) cycle();
    cycles(more);
  }
  bool idle() const {
    return packets_.empty() &&
           std::all_of(to_send_.begin(), to_send_.end(), [](const auto& q) { return q.empty(); });
  }

  Rng rng;
  Clocked<typename T::Model> dut;
  unsigned offers = 100, takes = 100, returns = 100, sends = 100;  // percent
  std::vector<Packet> received;                                    // of the stream
  std::vector<Packet> on_link;
  std::vector<std::uint64_t> messages;
  int now = 0, message_at = -1;

 private:
  static constexpr int kLongest = 100000;  // cycles: no test needs as many

  void offer() {
    const bool stopped = stops_at && beats_ >= *stops_at;
    if (!offered_) dut->s_axis_tvalid_i = !packets_.empty() && !stopped && rng.below(100) < offers;
    if (dut->s_axis_tvalid_i) {
      const Packet& packet = packets_.front();
      dut->s_axis_tdata_i = packet.beats[beats_];
      dut->s_axis_tlast_i = beats_ + 1 == packet.beats.size();
      dut->s_axis_tid_i = beats_ == 0 ? packet.vc : rng.below(T::kChannels);
      dut->s_axis_tdest_i = beats_ == 0 ? packet.dest : rng.below(65536);
      dut->s_axis_tuser_i = beats_ == 0 ? packet.opcode : rng.below(32);
    }
    dut->m_axis_tready_i = rng.below(100) < takes;
  }

  /// A flit on the wires to the switch: with a credit, packets whole, on their channel.
  void look_at_link() {
    if (dut->tx_valid_o) {
      const unsigned vc = dut->tx_vc_o, kind = dut->tx_kind_o;
      const std::uint64_t payload = dut->tx_payload_o;
      if (kind == kSync) {
        REQUIRE((!T::kPocket || pocket_));
        pocket_ = false;
        messages.push_back(payload);
        message_at = now;
      } else {
        ++queued_.at(vc);
        REQUIRE(queued_[vc] <= T::kDepth);
        take_flit({vc, kind, payload});
      }
    }
    for (unsigned v = 0; v < T::kChannels; ++v) credits_[v] += dut->rx_credit_o >> v & 1;
    if (T::kPocket && (dut->rx_credit_o >> T::kChannels & 1) != 0) own_pocket_ = true;
    for (const unsigned credits : credits_) REQUIRE(credits <= T::kDepth);
    ++now;
  }
  void take_flit(const Flit& flit) {
    REQUIRE(((flit.kind & kHead) != 0 && !is_cut(flit)) == !open_);
    if (!open_) {
      const auto at = [&](unsigned from, unsigned bits) {
        return static_cast<unsigned>(flit.payload >> from & ((1u << bits) - 1));
      };
      const unsigned high = T::kFlitW > 16 ? at(16, std::min(5u, T::kFlitW - 16)) : 0;
      on_link.push_back({flit.vc, at(0, 11) | high << 11, at(11, 5), {}});
      open_ = true;
      return;
    }
    REQUIRE(flit.vc == on_link.back().vc);
    on_link.back().beats.push_back(flit.payload);
    on_link.back().cut = is_cut(flit);
    open_ = (flit.kind & kTail) == 0;
  }

  /// A beat that is not taken stays.
  void look_at_stream() {
    if (!dut->m_axis_tvalid_o) {
      REQUIRE(!held_);
      return;
    }
    const Packet beat{dut->m_axis_tid_o,
                      dut->m_axis_tdest_o,
                      dut->m_axis_tuser_o,
                      {dut->m_axis_tdata_o, dut->m_axis_tlast_o}};
    if (held_) REQUIRE(beat == *held_);
    held_ = beat;
    if (!dut->m_axis_tready_i) return;
    held_.reset();
    if (!receiving_) received.push_back({beat.vc, beat.dest, beat.opcode, {}});
    REQUIRE(received.back().vc == beat.vc);
    REQUIRE(received.back().dest == beat.dest);
    received.back().beats.push_back(beat.beats[0]);
    receiving_ = beat.beats[1] == 0;
    received.back().cut = beat.opcode == 31;
    REQUIRE((beat.opcode == received.back().opcode || (beat.opcode == 31 && !receiving_)));
  }

  void switch_side() {
    for (unsigned v = 0; v < T::kChannels; ++v) {
      if (queued_[v] == 0 || rng.below(100) >= returns) continue;
      --queued_[v];
      dut->tx_credit_i |= 1u << v;
    }
    if (T::kPocket && !pocket_ && rng.below(100) < returns) {
      pocket_ = true;
      dut->tx_credit_i |= 1u << T::kChannels;
    }
    if (rng.below(100) >= sends) return;
    const std::uint64_t first = rng.below(to_send_.size());
    for (std::size_t i = 0; i < to_send_.size(); ++i)
      if (switch_sends(to_send_[(first + i) % to_send_.size()])) return;
  }
  bool switch_sends(std::deque<Flit>& queue) {
    if (queue.empty()) return false;
    const Flit flit = queue.front();
    if (flit.kind == kSync) {
      if (T::kPocket && !own_pocket_) return false;
      own_pocket_ = false;
    } else {
      if (credits_[flit.vc] == 0) return false;
      --credits_[flit.vc];
    }
    queue.pop_front();
    dut->rx_valid_i = 1;
    dut->rx_vc_i = flit.vc;
    dut->rx_kind_i = flit.kind;
    dut->rx_payload_i = flit.payload;
    return true;
  }

  std::deque<Packet> packets_;
  std::size_t beats_ = 0;
  bool offered_ = false, open_ = false, receiving_ = false;
  std::optional<Packet> held_;
  std::array<unsigned, T::kChannels> queued_{};   // in the switch
  std::array<unsigned, T::kChannels> credits_{};  // of the switch, for queues of the endpoint
  bool pocket_ = true, own_pocket_ = true;
  std::array<std::deque<Flit>, T::kChannels + 1> to_send_;  // behind the channels: messages
};

}  // namespace muster::test::endpoint
