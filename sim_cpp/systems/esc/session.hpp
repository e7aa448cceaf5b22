// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "systems/esc/cube.hpp"
#include "systems/esc/faults.hpp"
#include "systems/esc/network.hpp"
#include "systems/esc/sources.hpp"
#include "systems/esc/spec.hpp"

namespace muster::esc {

/// Counters beside the output buffers of one enabled stage: packets in each of them, kept from what
/// enters and leaves on the links. docs/systems/esc-references.md.
class BufferCounts {
 public:
  BufferCounts(const Cube& cube, const OuterStages& stages, unsigned stage);

  void start();
  /// Packets in the buffer of output link `link` at the beginning of the cycle.
  std::uint32_t fill(std::uint32_t link) const {
    return fill_[cube_.box(stage_, link) * cube_.size() + cube_.port(stage_, link)];
  }
  /// The edge of the cycle.
  void clock(const CycleView& view);

 private:
  Cube cube_;
  unsigned stage_;
  std::size_t base_;                 ///< first port of the stage in the bank
  std::vector<std::uint32_t> fill_;  ///< by port of the stage
};

/// The wires on which boxes tell PEs what their output buffers hold, docs/systems/injection.md: the
/// feedback wire of each coordinator under throttling, the fill counts of the input stage under the
/// adaptive choice. In a cycle: show(), the network settles, clock().
class Feedback {
 public:
  Feedback(const Spec& spec, const Cube& cube);

  void start(const SessionPlan& plan);
  /// Writes busy, by PE, or fill, by link of the input stage; the other is left as it is.
  void show(std::span<std::uint8_t> busy, std::span<std::uint8_t> fill) const;
  void clock(const CycleView& view);

 private:
  std::uint32_t limit_;  ///< T; 0: not throttled
  BufferCounts counts_;  ///< of the stage that is looked at
  SessionPlan plan_;
  std::vector<std::uint8_t> wire_;  ///< by group: its coordinator is busy
};

/// Sum and number of the delays of one kind of message.
struct Delays {
  std::uint64_t sum = 0, messages = 0;
  friend bool operator==(const Delays&, const Delays&) = default;
};

struct SessionResult {
  Delays syn, background, hot;  ///< as defined in section 4.1
  std::uint64_t length = 0;     ///< of the active session, cycles
  std::uint64_t packets = 0;    ///< delivered, all kinds, copies of a broadcast each
  std::uint64_t cycles = 0;     ///< simulated
  std::uint64_t digest = 0;
  friend bool operator==(const SessionResult&, const SessionResult&) = default;
};

/// One network with its PEs, on which sessions are run one after the other. Every session starts
/// from an empty network, so its result depends on the spec and its number only.
class SessionRunner {
 public:
  /// The spec is valid and the factory supports its boxes; both outlive the runner.
  SessionRunner(const Spec& spec, const BoxFactory& factory);

  /// Sees the cycles of all sessions from now on; outlives the runner.
  void attach(Observer& observer) { observers_.push_back(&observer); }
  /// Throws InternalError if the network makes no progress, a message does not arrive or
  /// models differ.
  SessionResult run(std::uint32_t session);

  std::uint64_t comparisons() const;

 private:
  void start(std::uint32_t session);
  void reset_pes();
  void cycle(bool closed);
  void arrive(std::uint32_t pe, BoxPacket packet);
  void arrive_combined(std::uint32_t pe, BoxPacket packet);
  void take_one(std::uint64_t& due, BoxPacket packet);
  void offer(bool closed);
  void edge(const CycleView& view, bool closed);
  void make_injections(const BoxFactory& factory);
  void inject();
  void put_digits(std::span<const std::uint8_t> digit);
  void ask_policies();
  void avoid_faults();
  void respond(std::uint32_t group);
  bool counted(BoxPacket packet) const;
  bool done() const;
  void expect_progress() const;

  const Spec& spec_;
  Cube cube_;
  OuterStages stages_;
  Network network_;
  std::unique_ptr<PolicyBank> policies_;       ///< null if no policy acts
  std::unique_ptr<InjectionBank> injections_;  ///< null if no scheme needs them
  std::optional<Feedback> feedback_;           ///< of the schemes that look at buffers
  FaultRouting routing_;
  Background background_;
  Sources sources_;
  std::vector<Observer*> observers_;

  const bool combining_;  ///< synchronization packets are those of systems/esc/box_bank.hpp
  SessionPlan plan_;
  SessionResult result_;
  std::uint64_t now_ = 0;
  std::uint64_t last_ = kNever;         ///< last synchronization message has arrived
  std::uint64_t progress_ = 0;          ///< a message that is measured arrived, or will start
  BoxPacket surplus_ = 0;               ///< arrived, though none was due
  std::uint64_t counted_inside_ = 0;    ///< messages to be measured, in the network
  std::uint64_t releases_due_ = 0;      ///< copies of release packets to come
  std::vector<std::uint64_t> missing_;  ///< synchronization messages to come, by group
  std::vector<std::uint32_t> by_time_;  ///< PEs in the order of their messages
  std::size_t set_next_ = 0;            ///< the first of them whose flag has not been set
  std::vector<BoxPacket> offers_;       ///< with complete tags
};

}  // namespace muster::esc
