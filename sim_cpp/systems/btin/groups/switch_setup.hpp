// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "systems/btin/groups/group_message.hpp"
#include "systems/btin/spill_nodes.hpp"

namespace muster::btin {

using fabric::AccessStatus;

/// One node's way to the registers of switches: requests one after the other, each repeated with a
/// new tag until its latest repetition has been answered. Requests and answers stay in order, so
/// that then nothing of the earlier ones is left in the network.
class RegisterClient {
 public:
  /// How it went, and the word before. A write that an earlier repetition has done is kDone.
  using Done = std::function<void(fabric::AccessStatus, std::uint32_t before)>;
  using Send = std::function<void(std::vector<core::Flit>)>;

  static constexpr std::uint64_t kFirstRetry = 256, kLongestRetry = 1u << 16;  ///< cycles
  static constexpr std::uint8_t kVc = 0;

  RegisterClient(std::uint32_t node, Send send) : node_(node), send_(std::move(send)) {}

  void read(std::uint32_t destination, std::uint32_t address, Done done) {
    pending_.push_back({{destination, node_, 0, false, address, 0, 0}, std::move(done)});
  }
  void write(std::uint32_t destination, std::uint32_t address, std::uint32_t old,
             std::uint32_t value, Done done) {
    pending_.push_back({{destination, node_, 0, true, address, old, value}, std::move(done)});
  }

  void receive(const fabric::RegisterAnswer& answer) {
    if (!sent_ || answer.tag != tag_ || answer.by != pending_.front().access.destination) return;
    if (answer.status == AccessStatus::kBusy) return;  // repeated as if there were none
    const Pending done = std::move(pending_.front());
    pending_.pop_front();
    sent_ = false;
    // No other node writes this value: an earlier repetition has.
    const bool earlier = done.access.write && answer.status == AccessStatus::kDiffers &&
                         answer.before == done.access.value;
    done.done(earlier ? AccessStatus::kDone : answer.status, answer.before);
  }
  /// Once a cycle: sends what waits, repeats what has not been answered.
  void clock(std::uint64_t cycle) {
    if (pending_.empty() || (sent_ && cycle < due_)) return;
    repetitions_ += sent_;
    retry_after_ = sent_ ? std::min(2 * retry_after_, kLongestRetry) : kFirstRetry;
    tag_ = (tag_ + 1) % 32;
    pending_.front().access.tag = tag_;
    sent_ = true;
    ++requests_;
    due_ = cycle + retry_after_;
    send_(fabric::register_request(pending_.front().access, kVc));
  }
  std::uint64_t repetitions() const { return repetitions_; }
  /// Requests sent, repetitions too.
  std::uint64_t requests() const { return requests_; }

 private:
  friend struct NodeState;  // in tests

  struct Pending {
    fabric::RegisterAccess access;
    Done done;
  };

  std::uint32_t node_;
  Send send_;
  std::deque<Pending> pending_;  ///< the first is under way if sent_
  bool sent_ = false;
  std::uint32_t tag_ = 0;
  std::uint64_t retry_after_ = kFirstRetry, due_ = 0;
  std::uint64_t repetitions_ = 0, requests_ = 0;
};

/// The steps of a group's lifecycle at a switch.
enum class Phase : std::uint8_t { kReserve, kCommit, kUndo, kRelease };

/// The registers of switches that one node writes for groups, by packets:
///   reserve   claim the lowest free register with the identifier of the group, then its child mask
///   commit    make the claimed register valid
///   undo      clear the child mask, then the control word: a free register is all 0
///   release   the same from a valid register, which is looked for: others may have changed it
/// A group that may be spilled goes to the spill node of the switch where none is free, by messages
/// (docs/systems/groups.md, "Spill"), which does the next phase too. A release looks for it in both
/// places.
/// How many registers a switch has is read before the first reservation there.
/// A register is claimed by a write that is done only if the word is 0, so two nodes never get one.
class SwitchSetup {
 public:
  using Done = std::function<void(Outcome)>;
  using Send =
      std::function<void(Kind, NodeId, std::uint32_t gid, std::vector<std::uint32_t> words)>;

  /// Switch s is destination first_switch + s. `memory`: that of all spill nodes, each of which
  /// uses its own; null if there are none.
  SwitchSetup(RegisterClient& client, std::uint32_t first_switch, SpillNodes* const& memory,
              Send send)
      : client_(client), first_switch_(first_switch), memory_(memory), send_(std::move(send)) {}

  /// `may_spill` counts in the first phase.
  void run(Phase phase, const RegisterImage& image, bool may_spill, Done done) {
    if (spilled_.erase(key(image)) != 0) {
      spill(phase, image, std::move(done));
      return;
    }
    switch (phase) {
      case Phase::kReserve:
        registers_.erase(key(image));
        return know_size(image.sw, [=, this] { claim(image, 0, may_spill, done); });
      case Phase::kCommit:
        return write(image, regs::control(registers_.at(key(image))), claimed(image),
                     control_word(image), [done] { done(Outcome::kDone); });
      case Phase::kUndo:
        // A reservation that was refused has left nothing.
        if (registers_.count(key(image)) == 0) return done(Outcome::kDone);
        return free(image, claimed(image), done);
      case Phase::kRelease:
        return release(image, done);
    }
  }

  /// A message between this node and a spill node.
  void receive(const GroupMessage& m) {
    if (m.kind == Kind::kSpill) return serve(m);
    const auto asked = asked_.extract({m.words[1], m.gid});
    if (!asked)
      throw InternalError("group {}: switch {} was not asked to spill", m.gid, m.words[1]);
    asked.mapped()(Outcome::kDone);
  }

  // Of live groups, which another node may have set up.

  /// Looks for the register that holds `image`; kNotHere if there is none. Changes nothing.
  void find(const RegisterImage& image, const Done& done) {
    know_size(image.sw, [=, this] { find_from(image, 0, done); });
  }
  /// Writes the words in which `after` differs from `before`. No barrier of the group is under way.
  /// REQUIRES: find() of `before` has found it, and both are of one switch and group.
  /// Where parent and children change, the child mask is 0 in between: the old parent may be a new
  /// child, and a register never has its parent in its mask.
  void rewrite(const RegisterImage& before, const RegisterImage& after, const Done& done) {
    const std::uint32_t r = registers_.at(key(before));
    const std::uint32_t control = regs::control(r), children = regs::children(r);
    const auto finish = [done] { done(Outcome::kDone); };
    if (control_word(before) == control_word(after)) {
      if (before.child_mask == after.child_mask) return finish();
      return write(after, children, before.child_mask, after.child_mask, finish);
    }
    if (before.child_mask == after.child_mask)
      return write(after, control, control_word(before), control_word(after), finish);
    write(after, children, before.child_mask, 0, [=, this] {
      write(after, control, control_word(before), control_word(after),
            [=, this] { write(after, children, 0, after.child_mask, finish); });
    });
  }

 private:
  friend struct NodeState;  // in tests

  /// Switch and group.
  using RegisterKey = std::pair<topology::SwitchId, std::uint32_t>;
  static RegisterKey key(const RegisterImage& i) { return {i.sw, i.gid}; }

  /// Has the spill node of the switch do the phase; false if the switch has none.
  bool spill(Phase phase, const RegisterImage& image, Done done) {
    if (memory_ == nullptr || !memory_->serves(image.sw)) return false;
    asked_[key(image)] = std::move(done);
    send_(Kind::kSpill, memory_->node_of(image.sw), image.gid,
          {word(phase), image.sw, image.parent_port, mask_word(image),
           word(image.op) | std::uint32_t{image.reflect} << 3});
    return true;
  }
  /// As the spill node.
  void serve(const GroupMessage& m) {
    const SwitchId sw = m.words[1];
    switch (static_cast<Phase>(m.words[0])) {
      case Phase::kReserve:
        memory_->reserve({sw, m.gid, (m.words[4] >> 3 & 1) != 0, m.words[2], m.words[3],
                          static_cast<fabric::ReduceOp>(m.words[4] & 7)});
        break;
      case Phase::kCommit:
        memory_->commit(sw, m.gid);
        break;
      case Phase::kUndo:
      case Phase::kRelease:
        memory_->forget(sw, m.gid);
        break;
    }
    send_(Kind::kSpilled, m.source, m.gid, {m.words[0], sw});
  }
  static std::uint32_t claimed(const RegisterImage& image) {
    return regs::kBarrierControlClaimed.mask() | image.gid;
  }
  void claim(const RegisterImage& image, std::uint32_t r, bool may_spill, const Done& done) {
    if (r == sizes_.at(image.sw)) {
      if (!may_spill || !spill(Phase::kReserve, image, done)) return done(Outcome::kNoRegister);
      spilled_.insert(key(image));
      return;
    }
    client_.write(first_switch_ + image.sw, regs::control(r), 0, claimed(image),
                  [=, this](AccessStatus status, std::uint32_t) {
                    switch (status) {
                      case AccessStatus::kDone:
                        registers_[key(image)] = r;
                        return write(image, regs::children(r), 0, image.child_mask,
                                     [done] { done(Outcome::kDone); });
                      case AccessStatus::kNoPermit:
                        return done(Outcome::kNoPermit);
                      default:
                        return claim(image, r + 1, may_spill, done);
                    }
                  });
  }
  void free(const RegisterImage& image, std::uint32_t control, const Done& done) {
    const std::uint32_t r = registers_.at(key(image));
    write(image, regs::children(r), image.child_mask, 0, [=, this] {
      write(image, regs::control(r), control, 0, [=, this] {
        registers_.erase(key(image));
        done(Outcome::kDone);
      });
    });
  }
  void release(const RegisterImage& image, const Done& done) {
    find(image, [=, this](Outcome outcome) {
      // No register has it: it is spilled.
      if (outcome != Outcome::kDone && spill(Phase::kRelease, image, done)) return;
      if (outcome != Outcome::kDone)
        throw InternalError("switch {} has no register of group {} to free", image.sw, image.gid);
      free(image, control_word(image), done);
    });
  }
  void know_size(topology::SwitchId sw, const std::function<void()>& then) {
    if (sizes_.count(sw) != 0) return then();
    client_.read(first_switch_ + sw, regs::kSizes, [=, this](AccessStatus, std::uint32_t sizes) {
      sizes_[sw] = regs::kSizesRegs.of(sizes);
      then();
    });
  }
  void find_from(const RegisterImage& image, std::uint32_t r, const Done& done) {
    if (r == sizes_.at(image.sw)) return done(Outcome::kNotHere);
    client_.read(first_switch_ + image.sw, regs::control(r),
                 [=, this](AccessStatus, std::uint32_t word) {
                   if (word != control_word(image)) return find_from(image, r + 1, done);
                   registers_[key(image)] = r;
                   done(Outcome::kDone);
                 });
  }
  /// A write to a register that is this group's: no other node changes it.
  void write(const RegisterImage& image, std::uint32_t address, std::uint32_t old,
             std::uint32_t value, const std::function<void()>& then) {
    client_.write(first_switch_ + image.sw, address, old, value,
                  [=](AccessStatus status, std::uint32_t before) {
                    if (status != AccessStatus::kDone)
                      throw InternalError(
                          "switch {} register {:#05x} of group {}: write of {:#x} over {:#x} has "
                          "status {}, the word is {:#x}",
                          image.sw, address, image.gid, value, old, static_cast<int>(status),
                          before);
                    then();
                  });
  }

  RegisterClient& client_;
  std::uint32_t first_switch_;
  SpillNodes* const& memory_;
  Send send_;
  std::map<RegisterKey, Done> asked_;                  ///< of spill nodes that have not answered
  std::map<RegisterKey, std::uint32_t> registers_;     ///< reserved or found
  std::set<RegisterKey> spilled_;                      ///< reserved in spill nodes
  std::map<topology::SwitchId, std::uint32_t> sizes_;  ///< registers of switches
};

}  // namespace muster::btin
