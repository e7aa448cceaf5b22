// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/parallel.hpp"
#include "core/ranked_cycle.hpp"
#include "muster/core/engine.hpp"

// A cycle: what is on the wires is carried, and all is clocked.
namespace muster::core {
namespace {

inline void put_back(BlockWires& to, unsigned port, std::uint8_t back) {
  to.tx_back |= std::uint64_t{back} << (4 * port);
}

/// Bit 4p: nibble p of a `back` word, which has the credits of port p, is not 0.
inline std::uint64_t returning_ports(std::uint64_t back) {
  back |= back >> 2;
  return (back | back >> 1) & 0x1111111111111111u;
}
}  // namespace

inline void Engine::receive(const Wire& wire, const Flit& flit) {
  *wire.rx = flit;
  wire.to->rx_valid |= wire.bit;
  awake_[wire.block] = 1;
}
inline void Engine::receive(const Wire& wire, std::uint8_t back) {
  put_back(*wire.to, wire.port, back);
  awake_[wire.block] = 1;
}

/// At the end of a wire that is not Path::kDirect.
template <class Value>
inline void Engine::deliver(Partition& partition, const Wire& wire, const Value& value) {
  if (wire.partition != partition.number)
    partition.late(value).crossing[wire.partition].push_back({&wire, value});
  else if (!dead_[wire.block])
    receive(wire, value);
}

void Engine::deliver_delayed(Partition& partition) {
  if (partition.in_delay == 0) return;
  const auto deliver_due = [&](auto& late) {
    auto& due = late.delayed[cycle_ % kWheel];
    for (const auto& [wire, value] : due) deliver(partition, *wire, value);
    partition.in_delay -= due.size();
    due.clear();
  };
  deliver_due(partition.flits);
  deliver_due(partition.backs);
}

void Engine::take_crossing(Partition& partition) {
  const auto take = [&](const auto& late) {
    for (const auto& [wire, value] : late.crossing[partition.number])
      if (!dead_[wire->block]) receive(*wire, value);
  };
  for (const Partition& from : partitions_) {
    take(from.flits);
    take(from.backs);
  }
}

/// REQUIRES: `cycles` below kWheel.
template <class Value>
void Engine::deliver_after(Partition& partition, const Wire& wire, const Value& value,
                           std::uint32_t cycles) {
  if (cycles == 0) return deliver(partition, wire, value);
  partition.late(value).delayed[(cycle_ + cycles) % kWheel].push_back({&wire, value});
  ++partition.in_delay;
}

/// On a wire that is not Path::kDirect. Of disturbed ones only flits are asked.
template <class Value>
void Engine::delay(Partition& partition, const Wire& wire, const Value& value) {
  if (wire.path == Path::kCrossing) return deliver(partition, wire, value);
  if (wire.path == Path::kDelayed) return deliver_after(partition, wire, value, wire.latency - 1u);
  if constexpr (std::is_same_v<Value, Flit>) {
    if (wire.path != Path::kDisturbed) return;
    const Disturbed& disturbed = disturbed_.at(&wire);
    const Arriving arriving = disturbed.by->pass(disturbed.wire, cycle_, value);
    for (std::uint32_t i = 0; i < arriving.count; ++i)
      deliver_after(partition, wire, arriving.flits[i], wire.latency - 1u + i);
  }
}

/// What another rank has put on a wire.
template <class Value>
void Engine::arrive(const Wire& wire, const Value& value) {
  wire.path == Path::kDirect ? receive(wire, value) : delay(partitions_[0], wire, value);
}
template void Engine::arrive(const Wire& wire, const Flit& flit);
template void Engine::arrive(const Wire& wire, const std::uint8_t& back);

/// What drives a wire is awake. Here a block is a row of ports. The ports of some are a word, so
/// that the loops are long: where one ends cannot be predicted, and that is most of its time. In
/// `sending` the ports of a block lie together, in `returning` they lie apart, which is less work.
///
/// What the loops need is in local variables: a store to a flag, a byte, may alias any member.
template <bool kObserved, unsigned kWidth>
void Engine::carry(Wiring& wiring, Partition& partition) {
  using Ports = PortWords<kWidth>;
  const Awake& here = wiring.awake[partition.number];
  const std::span<const std::uint32_t> driving =
      wiring.rows == 1 ? here.list.numbers() : std::span<const std::uint32_t>(here.driving);
  std::uint8_t* const awake = awake_.data();
  const std::size_t stride = wiring.ports;
  const BlockWires* const wires = wiring.wires;
  const Wire* const forward = wiring.forward.data();
  const Wire* const backward = wiring.backward.data();
  const Flit* const tx = wiring.tx;
  FlitEvent* flit_event = partition.flit_events.data() + partition.flit_count;
  CreditEvent* credit_event = partition.credit_events.data() + partition.credit_count;
  for (std::size_t first = 0; first < driving.size(); first += Ports::kBlocks) {
    const std::uint32_t* const blocks = &driving[first];
    const auto together =
        static_cast<std::uint32_t>(std::min<std::size_t>(driving.size() - first, Ports::kBlocks));
    std::uint64_t sending = 0, returning = 0;
    for (std::uint32_t i = 0; i < together; ++i) {
      sending |= std::uint64_t{wires[blocks[i]].tx_valid} << Ports::together(i);
      returning |= returning_ports(wires[blocks[i]].rx_back) << Ports::apart(i);
    }
    for_each_bit(sending, [&](std::uint32_t bit) {
      const std::size_t at =
          blocks[Ports::together_block(bit)] * stride + Ports::together_port(bit);
      const Wire& wire = forward[at];
      if constexpr (kObserved) {
        *flit_event = {wire.channel, tx[at]};
        flit_event += wire.channel != kUnobserved;
      }
      if (wire.path == Path::kDirect) [[likely]] {
        *wire.rx = tx[at];
        wire.to->rx_valid |= wire.bit;
        awake[wire.block] = 1;
      } else {
        if constexpr (kObserved) {
          if (wire.partition != partition.number && wire.channel != kUnobserved &&
              !divided_observers_.empty())
            partition.leaving[wire.partition].push_back(
                static_cast<std::uint32_t>(flit_event - 1 - partition.flit_events.data()));
        }
        delay(partition, wire, tx[at]);
      }
    });
    for_each_bit(returning, [&](std::uint32_t bit) {
      const std::uint32_t block = blocks[Ports::apart_block(bit)];
      const std::uint32_t port = Ports::apart_port(bit);
      const Wire& wire = backward[block * stride + port];
      const auto back = static_cast<std::uint8_t>((wires[block].rx_back >> (4 * port)) & 15u);
      if constexpr (kObserved) {
        *credit_event = {wire.channel, back};
        credit_event += wire.channel != kUnobserved;
      }
      if (wire.path == Path::kDirect) [[likely]] {
        put_back(*wire.to, wire.port, back);
        awake[wire.block] = 1;
      } else {
        delay(partition, wire, back);
      }
    });
  }
  partition.flit_count = static_cast<std::size_t>(flit_event - partition.flit_events.data());
  partition.credit_count = static_cast<std::size_t>(credit_event - partition.credit_events.data());
}

/// The awake blocks in ascending order.
void Engine::list_awake(Wiring& wiring, std::uint8_t partition) {
  Awake& here = wiring.awake[partition];
  here.list.clear();
  for (std::uint32_t piece = here.first; piece < here.end; ++piece) {
    const std::size_t before = here.list.numbers().size();
    for (std::uint32_t b = piece * wiring.piece_size; b < wiring.end_of(piece); b += kFlags)
      here.list.add(&awake_[wiring.first_block + b], b);
    wiring.pieces[piece] = here.list.numbers().subspan(before);
  }
  if (wiring.rows == 1) return;
  here.driving.clear();
  for (const std::uint32_t block : here.list.numbers())
    for (std::uint32_t row = 0; row < wiring.rows; ++row)
      here.driving.push_back(block * wiring.rows + row);
}

/// What a partition drives, into the inputs of the same one.
void Engine::carry_from(Partition& partition) {
  for (Wiring& wiring : wirings_) list_awake(wiring, partition.number);
  partition.flit_count = partition.credit_count = 0;
  for (auto& crossing : partition.flits.crossing) crossing.clear();
  for (auto& crossing : partition.backs.crossing) crossing.clear();
  for (auto& leaving : partition.leaving) leaving.clear();
  partition.counts.clear();
  deliver_delayed(partition);
  if (ranked_) ranked_->receive_wires();  // over what is late
  for (Wiring& wiring : wirings_) {
    with_port_width(wiring.ports, [&](auto width) {
      observers_.empty() ? carry<false, width>(wiring, partition)
                         : carry<true, width>(wiring, partition);
    });
    partition.counts.emplace_back(partition.flit_count, partition.credit_count);
  }
}

/// What comes from other partitions; then it is known which blocks are clocked.
void Engine::carry_into(Partition& partition) {
  take_crossing(partition);
  for (Wiring& wiring : wirings_) list_awake(wiring, partition.number);
}

struct Engine::CarryWork final : ThreadWork {
  explicit CarryWork(Engine& of) : engine(of) {}
  void open(std::size_t partition) override {
    if (partition < engine.partitions_.size()) engine.carry_from(engine.partitions_[partition]);
  }
  Engine& engine;
};

/// What decides the fate of flits on disturbed wires is asked by one thread.
void Engine::carry() {
  if (!divided_) divide();
  threaded_ = threads_ != nullptr && threads_->worthwhile();
  shares_.assign(partitions_.size(), 0);
  CarryWork work(*this);
  do_work(threaded_ && partitions_.size() > 1 && disturbed_.empty(), work);
}

void Engine::step() {
  if (ranked_) return ranked_->step();
  carry();
  for (std::size_t first = 0, end; first < wirings_.size(); first = end) {
    end = clocked_together(first);
    clock(std::span(wirings_).subspan(first, end - first), first == 0);
  }
  if (breach_) std::rethrow_exception(std::exchange(breach_, nullptr));
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  ++cycle_;
}

// The edge of a cycle, by one thread or several (docs/reference/performance.md, Threads).

void Engine::observe_partition(Partition& partition) {
  partition.entering.clear();
  for (const Partition& from : partitions_)
    for (const std::uint32_t place : from.leaving[partition.number])
      partition.entering.push_back(from.flit_events[place]);
  for (DividedObserver* observer : divided_observers_)
    observer->observe_partition(
        partition.number, cycle_, {partition.flit_events.data(), partition.flit_count},
        partition.entering, {partition.credit_events.data(), partition.credit_count});
}

/// The flits of several partitions are put in the order that they have in one, by bank and block;
/// so checkers and recordings are the same for any number of threads.
void Engine::gather_events() {
  const auto append = [](auto& all, const auto& events, std::size_t first, std::size_t end) {
    all.insert(all.end(), &events[first], &events[end]);
  };
  flits_.clear();
  credits_.clear();
  for (std::size_t bank = 0; bank < wirings_.size(); ++bank)
    for (const Partition& partition : partitions_) {
      const auto [flit, credit] =
          bank == 0 ? std::pair<std::size_t, std::size_t>() : partition.counts[bank - 1];
      append(flits_, partition.flit_events, flit, partition.counts[bank].first);
      append(credits_, partition.credit_events, credit, partition.counts[bank].second);
    }
}

/// Breaches wait until the first banks are clocked, which other threads may have begun.
void Engine::observe() {
  if (observers_.empty()) return;
  const Partition& one = partitions_.front();
  std::span flits(one.flit_events.data(), one.flit_count);
  std::span credits(one.credit_events.data(), one.credit_count);
  if (partitions_.size() > 1) {
    gather_events();
    flits = flits_;
    credits = credits_;
  }
  try {
    for (Observer* observer : observers_) observer->observe(cycle_, flits, credits);
  } catch (...) {
    breach_ = std::current_exception();
  }
}

/// With the pieces of `shares_`: on threads, or share after share on this one.
void Engine::do_work(bool threaded, ThreadWork& work) {
  if (threaded) {
    shares_.resize(threads_->threads());
    return threads_->run(shares_, work);
  }
  for (std::size_t share = 0; share < shares_.size(); ++share) work.open(share);
  work.meanwhile();
  for (std::size_t share = 0; share < shares_.size(); ++share)
    for (std::uint32_t i = 0; i < shares_[share]; ++i) work.piece(share, i);
}

void Engine::share_out(std::span<const Wiring> banks) {
  shares_.assign(partitions_.size(), 0);
  for (const Wiring& wiring : banks)
    for (std::size_t p = 0; p < shares_.size(); ++p) shares_[p] += wiring.awake[p].pieces();
}

/// Of several failures in a cycle the first is kept, by bank and block, whatever threads there are.
template <class Work>
void Engine::guarded(const Wiring& wiring, std::uint32_t block, const Work& work) {
  try {
    work();
  } catch (...) {
    const std::pair at(&wiring, block);
    const std::lock_guard lock(failure_lock_);
    if (failure_ && failed_at_ < at) return;
    failure_ = std::current_exception();
    failed_at_ = at;
  }
}

std::span<const std::uint32_t> Engine::all_awake(const Wiring& wiring) {
  if (partitions_.size() == 1) return wiring.undivided();
  gathered_.clear();
  for (const Awake& here : wiring.awake)
    gathered_.insert(gathered_.end(), here.list.numbers().begin(), here.list.numbers().end());
  return gathered_;
}

/// The end of the banks from this one on whose blocks may be clocked in any order.
std::size_t Engine::clocked_together(std::size_t first) const {
  for (std::size_t end = first; end < wirings_.size(); ++end) {
    const Divisible* const bank = wirings_[end].bank->divisible();
    if (bank == nullptr) return std::max(end, first + 1);
    if (bank->has_rest()) return end + 1;
  }
  return wirings_.size();
}

/// The blocks of banks that are awake; with the first banks, what comes before.
struct Engine::ClockWork final : ThreadWork {
  ClockWork(Engine& of, std::span<Wiring> together, bool the_first)
      : engine(of), banks(together), first(the_first) {}
  void open(std::size_t number) override {
    if (!first || number >= engine.partitions_.size()) return;
    Partition& partition = engine.partitions_[number];
    engine.carry_into(partition);
    if (!engine.divided_observers_.empty()) engine.observe_partition(partition);
  }
  void meanwhile() override {
    if (first) engine.observe();
  }
  void piece(std::size_t partition, std::uint32_t i) override {
    Wiring* wiring = banks.data();
    for (; i >= wiring->awake[partition].pieces(); ++wiring) i -= wiring->awake[partition].pieces();
    const std::uint32_t piece = wiring->awake[partition].first + i;
    const std::span<const std::uint32_t> awake = wiring->pieces[piece];
    engine.guarded(*wiring, piece * wiring->piece_size, [&] {
      if (!awake.empty()) wiring->bank->divisible()->clock_some(engine.cycle_, awake);
      engine.settle(*wiring, piece);
    });
  }
  Engine& engine;
  std::span<Wiring> banks;
  bool first;
};

struct Engine::RestWork final : ThreadWork {
  RestWork(Engine& of, Wiring& its) : engine(of), wiring(its) {}
  void piece(std::size_t partition, std::uint32_t i) override {
    const std::uint32_t piece = wiring.awake[partition].first + i,
                        first = piece * wiring.piece_size;
    engine.guarded(wiring, first, [&] {
      wiring.bank->divisible()->clock_rest(engine.cycle_, first, wiring.end_of(piece));
      engine.settle(wiring, piece);
    });
  }
  Engine& engine;
  Wiring& wiring;
};

/// Banks that are clocked together: one that cannot be divided, or several that can.
void Engine::clock(std::span<Wiring> banks, bool first) {
  Wiring& last = banks.back();
  Divisible* const divisible = last.bank->divisible();
  share_out(divisible == nullptr ? std::span<Wiring>() : banks);
  if (divisible != nullptr)
    for (const Wiring& wiring : banks) wiring.bank->divisible()->begin_clock(cycle_);
  ClockWork work(*this, banks, first);
  if (divisible != nullptr || first) do_work(threaded_, work);
  if (divisible == nullptr) {
    guarded(last, 0, [&] { last.bank->clock(cycle_, all_awake(last)); });
    for (std::uint32_t p = 0; p < last.pieces.size(); ++p) settle(last, p);
  } else {
    for (const Wiring& wiring : banks)
      if (!failure_) guarded(wiring, 0, [&] { wiring.bank->divisible()->end_clock(cycle_); });
    if (divisible->has_rest() && !failure_) {
      share_out(banks.last(1));
      RestWork rest(*this, last);
      do_work(threaded_, rest);
    }
  }
  for (Wiring& wiring : banks) after_clock(wiring);
}

/// Which of these blocks are clocked again, whatever comes to them.
void Engine::settle(Wiring& wiring, std::uint32_t piece) {
  if (!skip_) return;
  const std::uint32_t first = piece * wiring.piece_size, count = wiring.end_of(piece) - first;
  std::uint8_t* __restrict awake = &awake_[wiring.first_block + first];
  const std::uint8_t* __restrict dead = &dead_[wiring.first_block + first];
  const std::uint8_t* __restrict quiescent = &wiring.bank->quiescent()[first];
  for (std::uint32_t i = 0; i < count; ++i) awake[i] = (quiescent[i] | dead[i]) == 0;
}

void Engine::after_clock(Wiring& wiring) {
  for (const Awake& here : wiring.awake) wiring.clocked += here.list.numbers().size();
  for (const std::uint32_t block : wiring.dead) wiring.silence(block);
}

}  // namespace muster::core
