// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "muster/core/flit.hpp"

namespace muster::core {

/// What stands on the register port of a block in one cycle; docs/reference/registers.md.
struct RegisterRequest {
  std::uint32_t block = 0;    ///< of the bank
  bool write = false;         ///< else a read
  std::uint32_t address = 0;  ///< 12 bits
  std::uint32_t value = 0;    ///< of a write
};

class Divisible;
class Replayable;
class SharedPart;

inline constexpr std::uint32_t kRowPorts = 16;  ///< of a row, but those of the last ones

/// The wires of a row of kRowPorts ports of one block; a block of no more ports has one row, and
/// port numbers here are those within the row. Bit p of a mask belongs to port p; nibble p of a
/// `back` word (bits 4p+3..4p) holds one bit per virtual channel of port p: credits returned.
struct BlockWires {
  std::uint32_t rx_valid = 0;  ///< in: rx(p) holds a flit in this cycle
  std::uint32_t tx_valid = 0;  ///< out, registered: tx(p) holds a flit in this cycle
  std::uint64_t tx_back = 0;   ///< in: what the neighbours behind the outputs return
  /// out, registered: what this block returns to the neighbours behind its inputs
  std::uint64_t rx_back = 0;
};

/// A bank is all blocks of one type and size, in one contiguous array: the contract that golden,
/// RTL, lockstep and endpoints share. A cycle of the network is
///
///   carry    the engine copies every tx flit and rx_back word to the other end of its link,
///   clock    the rising edge: the bank reads the inputs of the awake blocks, computes the next
///            registered outputs, and clears the inputs it has consumed.
///
/// Rules:
/// - tx, tx_valid and rx_back hold from one clock() to the next; blocks outside `awake` keep
///   their outputs, which are idle (a block with an output that is not idle is awake, see below).
/// - clock() gets every block that has an input in this cycle or is not quiescent; it may be given
///   more, and it is called with none as well, for blocks of the harness whose time has come, a
///   node for instance. After it `quiescent(b)` tells if clocking b with idle inputs would change
///   nothing, its outputs included: a block that drives a flit or a credit is never quiescent.
/// - An error inside (lockstep difference, assertion) throws InternalError.
class Bank {
 public:
  /// Blocks as after reset: nothing on a wire, none quiescent. `ports` of each: 1..64.
  Bank(std::uint32_t blocks, std::uint32_t ports)
      : ports_(ports),
        rows_((ports + kRowPorts - 1) / kRowPorts),
        stride_(rows_ > 1 ? rows_ * kRowPorts : ports),
        wires_(std::size_t{blocks} * rows_),
        rx_(std::size_t{blocks} * stride_),
        tx_(std::size_t{blocks} * stride_),
        quiescent_(blocks, 0),
        irq_(blocks, 0) {}
  virtual ~Bank() = default;
  Bank(const Bank&) = delete;
  Bank& operator=(const Bank&) = delete;

  /// Number of blocks.
  std::uint32_t blocks() const { return static_cast<std::uint32_t>(quiescent_.size()); }
  std::uint32_t ports() const { return ports_; }  ///< of each block
  std::uint32_t rows() const { return rows_; }    ///< of the wires of each block
  /// The wires of block 0..blocks() - 1, ports 16 * row and on; the rows lie one behind the other.
  BlockWires& wires(std::uint32_t block, std::uint32_t row = 0) {
    return wires_[std::size_t{block} * rows_ + row];
  }
  /// The flit into port 0..ports() - 1 of a block; counts if its bit of `rx_valid` is set.
  Flit& rx(std::uint32_t block, std::uint32_t port) { return rx_[index(block, port)]; }
  /// The flit out of a port; counts if its bit of `tx_valid` is set.
  Flit& tx(std::uint32_t block, std::uint32_t port) { return tx_[index(block, port)]; }
  /// Clocking the block with idle inputs would change nothing, its outputs included.
  bool quiescent(std::uint32_t block) const { return quiescent_[block] != 0; }
  /// The same of all blocks, 1 if it is so.
  std::span<const std::uint8_t> quiescent() const { return quiescent_; }
  /// Output `irq_o`: it wants its host. Of a block that has none false.
  bool irq(std::uint32_t block) const { return irq_[block] != 0; }

  /// The rising edge at the end of `cycle`, of the blocks `awake`, each once. Throws InternalError
  /// for what must not happen in a block: a failed assertion, a lockstep difference, a flit without
  /// a buffer.
  virtual void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) = 0;
  /// The register port. Addresses and values: docs/reference/registers.md. A write takes no
  /// simulated time in the network, one clock of that block inside. REQUIRES: the block is
  /// quiescent. A block without registers ignores writes and gives 0.
  virtual void write_register(std::uint32_t /*block*/, std::uint32_t /*address*/,
                              std::uint32_t /*value*/) {}
  /// At any time between two cycles, whatever moves in the block; changes nothing in it.
  virtual std::uint32_t read_register(std::uint32_t /*block*/, std::uint32_t /*address*/) {
    return 0;
  }

  /// As write_register and read_register, but in a cycle: the request stands on the block's port
  /// during the next clock(), whatever moves there; a write takes effect at its edge. REQUIRES:
  /// that clock() is given the block, and this is its only request until then.
  virtual void request(const RegisterRequest& request);

  /// Between two cycles: the block is as after reset. What has no reset stays, a routing table for
  /// instance. It takes no simulated time.
  virtual void reset(std::uint32_t block);

  /// Outputs compared with a reference so far; 0 for a bank that has none.
  virtual std::uint64_t comparisons() const { return 0; }

  /// What `muster bench` records and replays; nullptr if this bank cannot.
  virtual Replayable* replayable() { return nullptr; }

  /// Now, for threads that clock the blocks; nullptr if one must.
  virtual Divisible* divisible() { return nullptr; }

  /// Of a bank whose blocks several processes clock (docs/reference/ranks.md); nullptr if the
  /// blocks are those of this process.
  virtual SharedPart* shared() { return nullptr; }

  /// The bank of the blocks that this process clocks, itself unless several share the blocks.
  virtual Bank& local() { return *this; }

  /// What a switch with groups in block RAM shows to someone who watches a run: a word of the
  /// window on `group` (docs/systems/many-groups.md), as if it were selected now. The register port
  /// would need a write to select it. 0 if there is no such group, or the bank does not show it.
  virtual std::uint32_t memory_word(std::uint32_t /*block*/, std::uint32_t /*group*/,
                                    std::uint32_t /*word*/) const {
    return 0;
  }

  /// After a failure in `cycle`, clocked by all: goes on with the waveform, if there is one. The
  /// bank is of no use afterwards.
  virtual void run_on(std::uint64_t /*cycle*/) {}

  /// The state of a block as text, for reports.
  virtual std::string describe(std::uint32_t block) const = 0;

 protected:
  /// Of a port of a block in `rx_` and `tx_`.
  std::size_t index(std::uint32_t block, std::uint32_t port) const {
    return std::size_t{block} * stride_ + port;
  }
  std::uint32_t ports_;                  ///< of each block
  std::uint32_t rows_;                   ///< of wires of each block
  std::uint32_t stride_;                 ///< places of its ports: whole rows, if there are several
  std::vector<BlockWires> wires_;        ///< by block and row
  std::vector<Flit> rx_;                 ///< by block and port, see index()
  std::vector<Flit> tx_;                 ///< by block and port, see index()
  std::vector<std::uint8_t> quiescent_;  ///< by block, written by clock()
  std::vector<std::uint8_t> irq_;        ///< by block, written by clock()
};

/// What a bank implements beside Bank (Bank::divisible()) whose blocks may be clocked by several
/// threads at once: they have nothing in common but what begin_clock() and end_clock() touch.
/// Bank::clock() is these, one after the other, with all blocks.
class Divisible {
 public:
  virtual ~Divisible() = default;
  /// Before any block is clocked, on one thread.
  virtual void begin_clock(std::uint64_t /*cycle*/) {}
  /// The edge of some of the blocks that are awake, on any thread. No block is given to two calls.
  /// Throws what Bank::clock() throws; the other calls of the cycle are still made.
  virtual void clock_some(std::uint64_t cycle, std::span<const std::uint32_t> awake) = 0;
  /// When all blocks have been clocked, on one thread.
  virtual void end_clock(std::uint64_t /*cycle*/) {}
  /// After end_clock() clock_rest() is called for all blocks, whether awake or not.
  virtual bool has_rest() const { return false; }
  /// What blocks first <= b < end do after end_clock(), on any thread; `first` is a multiple of
  /// kFlags. It may find work for blocks that were not awake.
  virtual void clock_rest(std::uint64_t /*cycle*/, std::uint32_t /*first*/, std::uint32_t /*end*/) {
  }
};

/// The inputs of all blocks of a bank in successive cycles, in the bank's own form.
class Recording {
 public:
  virtual ~Recording() = default;
  virtual std::uint64_t cycles() const = 0;  ///< recorded
};

/// What a bank of generated models implements beside Bank (Bank::replayable()), so that `muster
/// bench` can tell the time of the models from that of everything around them.
class Replayable {
 public:
  virtual ~Replayable() = default;
  /// From now on every clock() keeps the inputs it gives to its models. It must be given all
  /// blocks.
  virtual void start_recording() = 0;
  /// What was kept since. REQUIRES: start_recording() before.
  virtual std::unique_ptr<Recording> stop_recording() = 0;
  /// Sets the recorded inputs of cycles first <= c < last on the models and evaluates them, no
  /// more. If the bank was in the state in which the recording began, and is given all cycles in
  /// order, it goes through the same states. REQUIRES: a recording of a bank of the same type and
  /// size.
  virtual void replay(const Recording& recording, std::uint64_t first, std::uint64_t last) = 0;
};

}  // namespace muster::core
