// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/retry_register.hpp"

#include <array>

namespace muster::golden {

using fabric::MessageType;
using fabric::RetryMessage;

bool RetryRegister::accepts(const RetryMessage& message, std::uint32_t port) const {
  if (message.epoch != epoch_) return false;
  if (message.type == MessageType::kReduction) return has(children_, port);
  return !turn_ && port == parent_;
}

std::uint16_t RetryRegister::requests(std::uint32_t ports) const {
  if (!valid_) return 0;
  if (ask_) return has_parent(ports) ? static_cast<std::uint16_t>(bit(parent_)) : std::uint16_t{0};
  const auto notices = static_cast<std::uint16_t>(failed_ ? arrived_ & ~serve_ : 0);
  return notices != 0 ? notices : serve_;
}

RetryMessage RetryRegister::message() const {
  if (ask_)
    return {MessageType::kReduction,
            gid_,
            phase_,
            failed_,
            epoch_,
            failed_ ? fabric::Payload{} : kept_};
  if (failed_ && (arrived_ & ~serve_) != 0)
    return {MessageType::kDistribution, gid_, phase_, true, epoch_, {}};
  return {MessageType::kDistribution, gid_, !phase_, false, epoch_, kept_};
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
  const RetryRegister before = *this;
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
    if (before.ask_) {
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

  if (cycle.age && before.under_way() && !failed_ && age_ < kOldest) ++age_;
  if (cycle.repeat && valid_) {
    if (failed_) arrived_ = children_;
    if (failed_ || before.up_) ask_ = parent;
  }
  const bool completes = full();
  fresh_ = fresh_ || completes;
  if (completes && !turn_) {
    up_ = true;
    ask_ = parent;
    kept_ = data_.result();
    data_.up = {};
  }
  if (fails && valid_ && !failed_) return fail(parent);
  if (down != nullptr) {
    release(*down);
  } else if (completes && turn_) {
    release(data_.result());
  }
}

void RetryRegister::abort(std::uint32_t ports) {
  if (!valid_ || failed_ || up_ || released_ || all_here()) return;
  fail(has_parent(ports));
}

}  // namespace muster::golden
