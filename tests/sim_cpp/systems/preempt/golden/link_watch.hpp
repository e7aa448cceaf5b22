// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "systems/preempt/blocks/bsr_message.hpp"

namespace muster::golden {

/// A pad, or what is not sync: goes in the input buffer of any preempting switch.
inline bool is_data(const core::Flit& flit) {
  return !flit.sync() || flit.kind == core::Flit::kPad;
}

/// What one preempting switch sends by one output, held to the rules of the link
/// (docs/systems/preempting-switches.md, The link and Output p). Throws std::logic_error.
class LinkWatch {
 public:
  void see(std::uint64_t cycle, const core::Flit& flit) {
    cycle_ = cycle;
    if (is_data(flit))
      data(flit);
    else if (flit.kind == core::Flit::kControl)
      control(flit);
    else
      message(flit);
  }
  bool held = false;  ///< the link is held at times: each channel is as if it had an owner

  /// Nothing is cut, no message is under way.
  bool at_rest() const { return !cut_ && missing_ == 0; }
  bool in_message() const { return missing_ != 0; }
  std::uint64_t cuts() const { return cuts_; }
  /// Those that are whole.
  const std::vector<preempt::BsrMessage>& messages() const { return messages_; }

 private:
  void require(bool holds, const char* rule) const {
    if (!holds) throw std::logic_error("cycle " + std::to_string(cycle_) + ": not so: " + rule);
  }
  bool open(std::uint8_t vc) const { return open_ >> vc & 1; }

  void data(const core::Flit& flit) {
    require(cut_ != flit.vc, "a cut channel carries no data");
    require(missing_ == 0 || vc_ != flit.vc, "a message has its channel for itself");
    require(flit.kind != core::Flit::kPad || open(flit.vc), "a pad is within a packet");
    if (flit.kind == core::Flit::kPad) return;
    require(flit.head() != open(flit.vc), "a packet begins with its head, in a free channel");
    const auto channel = 1u << flit.vc;
    open_ = flit.tail() ? open_ & ~channel : open_ | channel;
  }
  void control(const core::Flit& flit) {
    require(preempt::is_control(flit), "a padding request or end");
    const preempt::LinkControl control = preempt::link_control(flit);
    require(control.channel == flit.vc, "it goes on the channel that it is about");
    require(missing_ == 0, "no request or end in a message");
    if (control.end) {
      require(cut_ == flit.vc, "the channel that is given back is the one that was cut");
      cut_.reset();
      return;
    }
    require(!cut_, "one channel is cut at a time");
    require(open(flit.vc) || held, "a channel that is cut has an owner");
    cut_ = flit.vc;
    ++cuts_;
  }
  void message(const core::Flit& flit) {
    if (missing_ == 0) {
      require(preempt::begins_bsr_message(flit), "a message begins with its first flit");
      require(cut_ ? cut_ == flit.vc : !open(flit.vc),
              "a message goes in the channel that is cut, else in a free one");
      missing_ = bsr_length(preempt::bsr_type(flit));
      vc_ = flit.vc;
      flits_.clear();
    } else {
      require(flit.kind == core::Flit::kSync && flit.vc == vc_, "the next flit of the message");
      require(cycle_ - last_ <= 2, "flits of a message have at most one cycle between them");
    }
    last_ = cycle_;
    flits_.push_back(flit);
    if (--missing_ == 0) messages_.push_back(preempt::bsr_message(flits_));
  }

  std::uint64_t cycle_ = 0, last_ = 0, cuts_ = 0;
  std::uint32_t open_ = 0;  // channels within a packet
  std::optional<std::uint8_t> cut_;
  std::uint32_t missing_ = 0;  // flits of the message that is under way, in channel vc_
  std::uint8_t vc_ = 0;
  std::vector<core::Flit> flits_;
  std::vector<preempt::BsrMessage> messages_;
};

}  // namespace muster::golden
