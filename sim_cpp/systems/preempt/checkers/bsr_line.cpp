// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/checkers/bsr_line.hpp"

#include <fmt/format.h>

namespace muster::checkers {

using core::Flit;

namespace {

/// Virtual channels of the link that a message may take or cut.
std::uint32_t usable(const Subject& subject) {
  return subject.cuttable & ((1u << subject.vcs) - 1);
}

/// Which of these it is depends on credits of data, which the flits do not show.
bool by_credits(const Subject& subject) {
  return subject.sync_credits == fabric::SyncCredits::kBoth;
}

}  // namespace

std::string BsrLine::fault(const Subject& subject, std::uint64_t cycle, const Flit& flit) {
  message_.reset();
  if (!fabric::passes_data(flit)) return data(subject, flit);
  if (flit.kind == Flit::kControl) return control(subject, flit);
  std::string fault = flit.kind == Flit::kFirst ? first(subject, flit) : following(cycle, flit);
  if (!fault.empty()) return fault;
  message_ = assembly_.add(flit);
  channel_ = flit.vc;
  last_ = cycle;
  used_ = true;
  return {};
}

/// A flit of a packet, or a pad.
std::string BsrLine::data(const Subject& subject, const Flit& flit) {
  if (cut_ == flit.vc) return fmt::format("a flit in virtual channel {}, which is cut", flit.vc);
  if (assembly_.in_progress() && channel_ == flit.vc)
    return fmt::format("a flit in virtual channel {} between those of a message", flit.vc);
  if (cut_ && !used_ && !by_credits(subject))
    return fmt::format("a flit in virtual channel {} between a request and its message", flit.vc);
  if (flit.head()) under_way_ |= 1u << flit.vc;
  if (flit.tail()) under_way_ &= ~(1u << flit.vc);
  return {};
}

std::string BsrLine::control(const Subject& subject, const Flit& flit) {
  const bool known = fabric::is_control(flit) && fabric::link_control(flit).channel == flit.vc &&
                     fabric::control_flit(fabric::link_control(flit)) == flit;
  if (!known) return fmt::format("undefined link control {:#x}", flit.lo);
  const bool end = fabric::link_control(flit).end;
  const char* const name = end ? "end" : "request";
  if (assembly_.in_progress()) return fmt::format("padding {} within a message", name);
  if (end ? cut_ != flit.vc : cut_.has_value())
    return fmt::format("padding {} for virtual channel {}, of which {} is cut", name, flit.vc,
                       cut_ ? fmt::format("{}", *cut_) : "none");
  if (end && !used_) return std::string("padding end for a cut without a message");
  const std::uint32_t busy = by_credits(subject) ? 1u << flit.vc : usable(subject);
  // On a link that is held a channel is as if it had an owner, and the flits do not show it.
  if (!end && !subject.held && (under_way_ & busy) != busy)
    return fmt::format("padding request for virtual channel {}, packets are under way in {:#x}",
                       flit.vc, under_way_);
  used_ = false;
  if (end)
    cut_.reset();
  else
    cut_ = flit.vc;
  return {};
}

std::string BsrLine::first(const Subject& subject, const Flit& flit) const {
  if (!preempt::begins_bsr_message(flit))
    return fmt::format("a first flit {:#x} of no type of message", flit.lo);
  if (assembly_.in_progress()) return std::string("a message within another");
  if (cut_) {
    if (*cut_ == flit.vc) return {};
    return fmt::format("a message in virtual channel {}, but {} is cut", flit.vc, *cut_);
  }
  if (under_way_ >> flit.vc & 1)
    return fmt::format("a message in virtual channel {} within a packet that is not cut", flit.vc);
  const std::uint32_t lower = usable(subject) & ((1u << flit.vc) - 1) & ~under_way_;
  if (lower != 0 && !by_credits(subject))
    return fmt::format("a message in virtual channel {}, but lower ones are free: {:#x}", flit.vc,
                       lower);
  return {};
}

std::string BsrLine::following(std::uint64_t cycle, const Flit& flit) const {
  if (!assembly_.in_progress()) return std::string("a flit without a message");
  if (flit.vc != channel_)
    return fmt::format("a message in virtual channel {} goes on in {}", channel_, flit.vc);
  if (cycle > last_ + 2)
    return fmt::format("{} cycles between two flits of a message", cycle - last_ - 1);
  return {};
}

}  // namespace muster::checkers
