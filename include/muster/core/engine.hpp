// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/core/bits.hpp"
#include "muster/core/observer.hpp"

namespace muster::core {

class RankedCycle;
class Ranks;
class ThreadPool;
class ThreadWork;

/// The channel of a wire inside a node, which is no link of the network: observers do not see it.
inline constexpr ChannelId kUnobserved = ~ChannelId{0};

/// A port of a block of a bank, banks in the order in which they were added.
struct Terminal {
  std::uint32_t bank = 0;   ///< number of the bank
  std::uint32_t block = 0;  ///< of the bank
  std::uint32_t port = 0;   ///< of the block
};

/// Banks joined by channels, clocked together (the cycle is described at Bank). The engine knows
/// neither switches nor nodes: a new kind of block is a bank and some calls of connect().
///
/// Work per cycle is proportional to what moves: only blocks with an output that is not idle are
/// carried from, only blocks that are awake are clocked. What is not connected stays idle.
/// A block's inputs, flag and outputs are touched by its own wires only, so that blocks can be
/// split over threads.
class Engine {
 public:
  Engine();
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// REQUIRES: no step() yet. Returns the bank's number.
  std::uint32_t add_bank(std::unique_ptr<Bank> bank);
  /// Flits from tx(from) to rx(to), credits back; `latency` at least 1, cycles in both
  /// directions. REQUIRES: neither end has a channel of this direction yet.
  void connect(ChannelId channel, Terminal from, Terminal to, std::uint32_t latency);
  /// Observers see every cycle from the next one on; they must outlive the engine's last step().
  void observe_with(Observer& observer) { observers_.push_back(&observer); }
  /// Clock every block in every cycle instead of only the awake ones.
  void set_skip(bool skip);

  /// From the next cycle on so many threads, 1 to 256, carry what is on the wires and clock the
  /// blocks of banks that can be divided. Divided observers look at their partitions first, others
  /// meanwhile. It changes nothing else.
  /// REQUIRES: no step() yet, if one of the observers is divided.
  void use_threads(unsigned threads);

  /// A fault: from the next cycle on nothing that is put on the wires of `channel` arrives (its
  /// flits, its credits or both). Observers still see what the sender puts there.
  void stop_channel(ChannelId channel, bool flits, bool credits);

  /// From the next cycle on `by` decides the fate of the flits that the block puts on the wires
  /// of this port; `wire` is the number under which it is asked. Observers still see what was put
  /// there; credits pass. It must outlive the last step(). REQUIRES: the port is connected.
  void disturb(Terminal from, std::uint32_t wire, Disturbance& by);

  /// From the next cycle on the block is dead: it is clocked no more, its outputs are idle, and
  /// what arrives there is lost, also what is on the way.
  void kill(std::uint32_t bank, std::uint32_t block);
  /// It has not been killed.
  bool alive(std::uint32_t bank, std::uint32_t block) const {
    return dead_[wirings_[bank].first_block + block] == 0;
  }
  /// The block is as after reset from the next cycle on; what is on the way to it arrives.
  /// REQUIRES: it is alive.
  void reset(std::uint32_t bank, std::uint32_t block);

  /// The next step() clocks this block, whatever it does, unless it is dead. REQUIRES: between two
  /// steps, as for all that changes a block.
  void wake(std::uint32_t bank, std::uint32_t block) {
    awake_[wirings_[bank].first_block + block] = alive(bank, block);
    if (ranked_) wake_elsewhere(bank, block);
  }
  /// One cycle: carries what is on the wires, shows it to the observers, clocks all banks. Then it
  /// throws what an observer has thrown, or else what the first bank that failed has.
  void step();
  /// Number of the next cycle; the first is 0.
  std::uint64_t cycle() const { return cycle_; }
  /// Nothing is on a wire or in a block: without events of nodes the network stays as it is.
  bool idle() const;
  /// Blocks of a bank clocked so far, all cycles together.
  std::uint64_t clocked(std::uint32_t bank) const { return wirings_[bank].clocked; }

  /// Blocks of banks that are shared (docs/reference/ranks.md) are clocked by all these ranks from
  /// now on; the others by rank 0, which alone may call step(), in whose engine all happens as if
  /// it was the only one. REQUIRES: all is connected, no step() yet; all ranks do it, and equally.
  void share(std::shared_ptr<Ranks> ranks);
  /// What other ranks do then, until the engine of rank 0 has gone: they clock their blocks.
  /// `interrupted` is asked now and then.
  void serve(const std::function<bool()>& interrupted);
  /// If a rank that serves has been interrupted.
  bool interrupted_elsewhere() const;
  /// Other ranks may, or may not, begin the cycle after the next step() while that still works:
  /// until step() is called again no caller reads, writes, wakes, resets or kills a block. After a
  /// call that does, as at the end of a run, no step() can follow.
  void run_ahead(bool may);

  Bank& bank(std::uint32_t b) { return *wirings_[b].bank; }  ///< by number
  /// Tells the observers that the run is over; `drained`: with an empty network.
  void finish(bool drained);

 private:
  friend class RankedCycle;
  enum class Path : std::uint8_t {
    kDirect,     ///< latency 1: from output register to input
    kCrossing,   ///< the same, to a block of another partition
    kDelayed,    ///< latency above 1
    kDisturbed,  ///< what arrives is asked of a Disturbance; any latency
    kStopped,    ///< by a fault, or to a dead block: what is on it is lost
    kOpen,       ///< not connected
  };
  /// Where a wire of one port leads. Small, because every flit and credit looks one up.
  struct Wire {
    BlockWires* to = nullptr;  ///< of the receiver, the row of its port
    Flit* rx = nullptr;        ///< of its port
    ChannelId channel = kUnobserved;
    std::uint32_t block = 0;  ///< of the receiver, all banks counted through
    std::uint16_t bit = 0;    ///< of its port in the row
    std::uint8_t port = 0;    ///< at the receiver, in the row
    std::uint8_t latency = 0;
    std::uint8_t partition = 0;  ///< of the receiver
    Path path = Path::kOpen;
  };
  /// The blocks of a bank that are in a partition. Aligned, for different threads write them.
  struct alignas(64) Awake {
    std::uint32_t first = 0, end = 0;  ///< of its pieces
    FlagList list;
    std::uint32_t pieces() const { return end - first; }
    std::vector<std::uint32_t> driving;  ///< the rows of these, if blocks have several
  };
  struct Wiring {
    std::unique_ptr<Bank> bank;
    BlockWires* wires;
    const Flit* tx;
    std::uint32_t blocks, rows;  ///< rows of a block's wires
    std::uint32_t ports;         ///< of a row
    std::uint32_t first_block;   ///< place of block 0 when all banks are counted through
    std::uint64_t clocked = 0;
    std::vector<Wire> forward, backward;  ///< by row and port, rows of all blocks counted through
    std::vector<Awake> awake;             ///< by partition
    /// The awake blocks among each `piece_size` neighbours, a multiple of kFlags, which one thread
    /// clocks together.
    std::vector<std::span<const std::uint32_t>> pieces;
    std::uint32_t piece_size = kFlags;
    std::vector<std::uint32_t> dead;  ///< blocks, whatever the bank makes of them

    /// Behind the last block of a piece.
    std::uint32_t end_of(std::uint32_t piece) const {
      return std::min((piece + 1) * piece_size, blocks);
    }
    /// REQUIRES: one partition.
    std::span<const std::uint32_t> undivided() const { return awake.front().list.numbers(); }
    std::size_t place(std::uint32_t block, std::uint32_t port) const {
      return std::size_t{block} * rows * ports + port;
    }
    void silence(std::uint32_t block) {
      std::fill_n(wires + std::size_t{block} * rows, rows, BlockWires{});
    }
  };
  struct Disturbed {
    std::uint32_t wire;
    Disturbance* by;
  };
  static constexpr unsigned kWheel = 256;       ///< more than any latency
  static constexpr std::uint32_t kPieces = 16;  ///< of a bank in one of several partitions, at most
  /// Flits, or credits, that do not arrive in the cycle in which they are driven, or at a block of
  /// another partition.
  template <class Value>
  struct Late {
    /// One of them.
    struct OnWire {
      const Wire* wire;  ///< that it is on
      Value value;       ///< the flit, or credits
    };
    std::array<std::vector<OnWire>, kWheel> delayed;
    std::vector<std::vector<OnWire>> crossing;  ///< in this cycle, by partition
  };
  /// An equal share of each bank, neighbours. One thread carries what they drive, so its processor
  /// keeps their state from cycle to cycle. A flit to another partition waits in a list until the
  /// thread of that partition takes it.
  struct alignas(64) Partition {
    std::uint8_t number = 0;
    /// Room for one of each wire, and one that is not observed.
    std::vector<FlitEvent> flit_events;
    std::vector<CreditEvent> credit_events;
    std::size_t flit_count = 0, credit_count = 0;  ///< events of this cycle
    /// What these were when a bank had been carried from, by bank.
    std::vector<std::pair<std::size_t, std::size_t>> counts;
    std::vector<std::vector<std::uint32_t>> leaving;  ///< flit events, by partition of the receiver
    std::vector<FlitEvent> entering;                  ///< those that are leaving others for this
    Late<Flit> flits;
    Late<std::uint8_t> backs;
    std::uint64_t in_delay = 0;
    Late<Flit>& late(const Flit&) { return flits; }
    Late<std::uint8_t>& late(std::uint8_t) { return backs; }
  };

  void divide();
  void divide_observers();
  template <class Value>
  void deliver(Partition& partition, const Wire& wire, const Value& value);
  void deliver_delayed(Partition& partition);
  template <class Value>
  void deliver_after(Partition& partition, const Wire& wire, const Value& value,
                     std::uint32_t cycles);
  template <class Value>
  void delay(Partition& partition, const Wire& wire, const Value& value);
  void receive(const Wire& wire, const Flit& flit);
  void receive(const Wire& wire, std::uint8_t back);
  template <class Value>
  void arrive(const Wire& wire, const Value& value);
  void take_crossing(Partition& partition);
  template <bool kObserved, unsigned kWidth>
  void carry(Wiring& wiring, Partition& partition);
  void carry_from(Partition& partition);
  void carry_into(Partition& partition);
  void carry();
  void list_awake(Wiring& wiring, std::uint8_t partition);
  std::span<const std::uint32_t> all_awake(const Wiring& wiring);
  void observe_partition(Partition& partition);
  void gather_events();
  void observe();
  struct CarryWork;
  struct ClockWork;
  struct RestWork;
  void do_work(bool threaded, ThreadWork& work);
  template <class Work>
  void guarded(const Wiring& wiring, std::uint32_t block, const Work& work);
  std::size_t clocked_together(std::size_t first) const;
  void clock(std::span<Wiring> banks, bool first);
  void share_out(std::span<const Wiring> banks);
  void settle(Wiring& wiring, std::uint32_t piece);
  void after_clock(Wiring& wiring);
  void wake_elsewhere(std::uint32_t bank, std::uint32_t block) const;
  Wire wire_to(Terminal end, ChannelId channel, std::uint32_t latency) const;

  std::vector<Wiring> wirings_;
  std::vector<std::uint8_t> awake_;  ///< flag of each block; banks start at multiples of kFlags
  std::vector<std::uint8_t> dead_;   ///< flag of each block, which is then never awake
  std::vector<Observer*> observers_;
  std::vector<DividedObserver*> divided_observers_;  ///< of several partitions
  std::exception_ptr breach_;                        ///< what an observer has thrown in this cycle
  std::unique_ptr<ThreadPool> threads_;              ///< none: the caller's alone
  bool threaded_ = false;                            ///< in this cycle
  bool divided_ = false;  ///< partitions are those of the banks, wires and threads
  std::vector<Partition> partitions_;
  std::vector<std::uint32_t> shares_;    ///< pieces of a thread, of do_work()
  std::vector<std::uint32_t> gathered_;  ///< see all_awake()
  std::vector<FlitEvent> flits_;         ///< of this cycle, if there are several partitions
  std::vector<CreditEvent> credits_;
  std::mutex failure_lock_;
  std::exception_ptr failure_;  ///< of a bank in this cycle, see guarded()
  std::pair<const Wiring*, std::uint32_t> failed_at_;
  std::unordered_map<const Wire*, Disturbed> disturbed_;
  std::uint64_t cycle_ = 0;
  bool skip_ = true;
  std::unique_ptr<RankedCycle> ranked_;  ///< none: this process alone
};

}  // namespace muster::core
