// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/register_client.hpp"

#include <algorithm>
#include <utility>

namespace muster::btin {

using fabric::AccessStatus;

void RegisterClient::read(std::uint32_t destination, std::uint32_t address, Done done) {
  pending_.push_back({{destination, node_, 0, false, address, 0, 0}, std::move(done)});
}

void RegisterClient::write(std::uint32_t destination, std::uint32_t address, std::uint32_t old,
                           std::uint32_t value, Done done) {
  pending_.push_back({{destination, node_, 0, true, address, old, value}, std::move(done)});
}

void RegisterClient::receive(const fabric::RegisterAnswer& answer) {
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

void RegisterClient::clock(std::uint64_t cycle) {
  if (pending_.empty()) return;
  if (!sent_) {
    retry_after_ = kFirstRetry;
    repeat(cycle);
  } else if (cycle >= due_) {
    ++repetitions_;
    retry_after_ = std::min(2 * retry_after_, kLongestRetry);
    repeat(cycle);
  }
}

void RegisterClient::repeat(std::uint64_t cycle) {
  tag_ = (tag_ + 1) % 32;
  pending_.front().access.tag = tag_;
  sent_ = true;
  ++requests_;
  due_ = cycle + retry_after_;
  send_(fabric::register_request(pending_.front().access, kVc));
}

}  // namespace muster::btin
