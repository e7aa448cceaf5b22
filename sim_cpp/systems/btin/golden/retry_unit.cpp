// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/retry_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace muster::golden {

using fabric::MessageType;
using fabric::RetryMessage;

bool RetryRegister::accepts(const RetryMessage& message, std::uint32_t port) const {
  if (message.epoch != control_.epoch) return false;
  if (message.type == MessageType::kReduction) return has(children_, port);
  return !control_.reflect && port == control_.parent;
}

std::uint16_t RetryRegister::requests(std::uint32_t ports) const {
  if (!control_.valid) return 0;
  if (ask_)
    return has_parent(ports) ? static_cast<std::uint16_t>(bit(control_.parent)) : std::uint16_t{0};
  const auto notices = static_cast<std::uint16_t>(failed_ ? arrived_ & ~serve_ : 0);
  return notices != 0 ? notices : serve_;
}

RetryMessage RetryRegister::message() const {
  if (ask_)
    return {MessageType::kReduction,
            control_.gid,
            phase_,
            failed_,
            control_.epoch,
            failed_ ? fabric::Payload{} : kept_};
  if (failed_ && (arrived_ & ~serve_) != 0)
    return {MessageType::kDistribution, control_.gid, phase_, true, control_.epoch, {}};
  return {MessageType::kDistribution, control_.gid, !phase_, false, control_.epoch, kept_};
}

void RetryRegister::release(const fabric::Payload& data) {
  arrived_ = 0;
  serve_ = children_;
  up_ = ask_ = sent_ = false;
  age_ = 0;
  phase_ = !phase_;
  kept_ = data;
  data_.up = {};
  released_ = true;
}

void RetryRegister::fail(bool parent) {
  failed_ = true;
  arrived_ = children_;
  ask_ = parent;
  age_ = 0;
}

void RetryRegister::edge(const Cycle& cycle, std::uint32_t ports) {
  const bool asked = ask_, was_up = up_, was_under_way = under_way();
  const bool parent = has_parent(ports);
  std::array<fabric::Payload, kMaxPorts> data;
  std::uint16_t arrives = 0, asks = 0;
  const fabric::Payload* down = nullptr;
  bool fails = false;

  for_each_bit(cycle.arriving, [&](std::uint32_t port) {
    const RetryMessage& message = cycle.by_port[port];
    const bool now = message.phase == phase_;
    const auto here = static_cast<std::uint16_t>(bit(port));
    if (message.fail) {
      fails = fails || now;
    } else if (message.type == MessageType::kDistribution) {
      if (now && !failed_ && sent_) down = &message.data;
    } else if (now) {
      if (failed_ || up_ || has(arrived_, port)) return;
      arrives |= here;
      data[port] = message.data;
    } else if (!up_ && (failed_ || !has(arrived_, port))) {
      asks |= here;
    }
  });

  // What leaves; what sets a bit again comes below.
  if (cycle.departed != 0) {
    if (asked) {
      ask_ = false;
      sent_ = sent_ || !failed_;
    } else if (failed_ && (arrived_ & ~serve_) != 0) {
      arrived_ &= static_cast<std::uint16_t>(~cycle.departed);
    } else {
      serve_ &= static_cast<std::uint16_t>(~cycle.departed);
    }
  }

  data_.edge(arrives, data.data());
  arrived_ |= arrives;
  serve_ = static_cast<std::uint16_t>((serve_ & ~arrives) | asks);
  fresh_ = arrives != 0 || down != nullptr;
  released_ = false;

  if (cycle.age && was_under_way && !failed_ && age_ < kOldest) ++age_;
  if (cycle.repeat && control_.valid) {
    if (failed_) arrived_ = children_;
    if (failed_ || was_up) ask_ = parent;
  }
  const bool completes = full();
  fresh_ = fresh_ || completes;
  if (completes && !control_.reflect) {
    up_ = true;
    ask_ = parent;
    kept_ = data_.result();
    data_.up = {};
  }
  if (fails && control_.valid && !failed_) return fail(parent);
  if (down != nullptr) {
    release(*down);
  } else if (completes && control_.reflect) {
    release(data_.result());
  }
}

void RetryRegister::abort(std::uint32_t ports) {
  if (!control_.valid || failed_ || up_ || released_ || all_here()) return;
  fail(has_parent(ports));
}

/// The words of a register that repeats: 0x100 + 16r on, of docs/reference/registers.md.
namespace {
constexpr std::uint32_t kAbortBit = 2;
}  // namespace

void RetryRegister::begin(std::uint32_t control, std::uint32_t ports, std::uint32_t gid_width) {
  RetryRegister next(data_.width);
  next.children_ = children_;
  next.control_ = Control::of(control, gid_width, ports);
  next.data_.op = next.control_.op;
  *this = next;
}

void RetryRegister::write(std::uint32_t word, std::uint32_t value, std::uint32_t ports,
                          std::uint32_t gid_width) {
  switch (word) {
    case kControlWord:
      return begin(value, ports, gid_width);
    case kChildrenWord:
      children_ = static_cast<std::uint16_t>(value & (bit(ports) - 1));
      arrived_ &= children_;
      serve_ &= children_;
      return;
    case kStateWord:
      if (has(value, kAbortBit)) abort(ports);
      return;
    default:
      return;
  }
}

std::uint32_t RetryRegister::read(std::uint32_t word) const {
  switch (word) {
    case kControlWord:
      return control_.word();
    case kChildrenWord:
      return children_;
    case kArrivedWord:
      return arrived_;
    case kServeWord:
      return serve_;
    case kFoldingWord:
      return data_.folding;
    case kStateWord:
      return std::uint32_t{age_} << 4 | std::uint32_t{suspect()} << 3 |
             std::uint32_t{failed_} << 2 | std::uint32_t{phase_} << 1 | std::uint32_t{sent_};
    default:
      return 0;
  }
}

RetryUnit::RetryUnit(const fabric::SwitchConfig& config)
    : formats_(config.flit_w, config.gid_w),
      ports_(config.ports),
      registers_(config.regs,
                 RetryRegister(static_cast<std::uint8_t>(fabric::retry_data_width(formats_)))) {}

fabric::BarrierMessage RetryUnit::message(std::uint32_t port) const {
  return fabric::barrier_message(formats_, registers_[requests_.candidate(port)].message());
}

std::size_t RetryUnit::find(std::uint32_t gid) const {
  const auto at = std::find_if(registers_.begin(), registers_.end(),
                               [&](const RetryRegister& r) { return r.valid() && r.gid() == gid; });
  return static_cast<std::size_t>(at - registers_.begin());
}

bool RetryUnit::under_way() const {
  return std::any_of(registers_.begin(), registers_.end(),
                     [](const RetryRegister& r) { return r.under_way(); });
}

bool RetryUnit::suspect() const {
  return std::any_of(registers_.begin(), registers_.end(),
                     [](const RetryRegister& r) { return r.suspect(); });
}

RetryUnit::Fates RetryUnit::edge(std::uint16_t ports, const PortMessages& messages,
                                 std::uint16_t departed) {
  Fates fates{};
  std::array<RetryMessage, kMaxPorts> by_port;
  std::array<std::uint16_t, kMaxRegisters> arriving{};
  for_each_bit(ports, [&](std::uint32_t port) {
    by_port[port] = fabric::retry_message(formats_, formats_.barrier_message(messages.at(port)));
    const std::size_t r = find(by_port[port].gid);
    if (r == registers_.size()) {
      fates[port] = Fate::kUnknown;
    } else if (!registers_[r].accepts(by_port[port], port)) {
      fates[port] = Fate::kRefused;
    } else {
      arriving[r] |= static_cast<std::uint16_t>(bit(port));
    }
  });
  const bool counting = under_way();
  for (std::uint32_t r = 0; r < registers_.size(); ++r)
    registers_[r].edge(
        {arriving[r], by_port.data(), requests_.of(r, departed), ticks_.repeat(), ticks_.age()},
        ports_);
  requests_.left(departed, registers_.size());
  ticks_.edge(counting);
  look();
  return fates;
}

/// What the state says of the next cycle.
void RetryUnit::look() {
  requests_.look(registers_, ports_);
  busy_ = ticks_.busy(under_way()) || std::any_of(registers_.begin(), registers_.end(),
                                                  [](const RetryRegister& r) { return r.busy(); });
}

void RetryUnit::write_ticks(std::uint32_t value) {
  ticks_.write(value);
  look();
}

void RetryUnit::write(std::uint32_t word, std::uint32_t value) {
  registers_[word / kRegisterWords].write(word % kRegisterWords, value, ports_,
                                          formats_.gid_width());
  look();
}

std::uint32_t RetryUnit::read(std::uint32_t word) const {
  return registers_[word / kRegisterWords].read(word % kRegisterWords);
}

std::string RetryUnit::describe() const {
  std::string all;
  for (std::uint32_t r = 0; r < registers_.size(); ++r) {
    const RetryRegister& at = registers_[r];
    if (!at.valid()) continue;
    const std::uint32_t state = at.read(kStateWord);
    fmt::format_to(std::back_inserter(all),
                   "{}register {}: group {} children {:#x} arrived {:#x} serve {:#x} phase {}{}{}"
                   "{}",
                   all.empty() ? "" : "; ", r, at.gid(), at.read(kChildrenWord),
                   at.read(kArrivedWord), at.read(kServeWord), state >> 1 & 1,
                   has(state, 0) ? " sent" : "", has(state, 2) ? " failed" : "",
                   has(state, 3) ? " suspect" : "");
  }
  return all;
}

}  // namespace muster::golden
