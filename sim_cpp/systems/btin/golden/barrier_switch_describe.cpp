// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "muster/fabric/formats.hpp"
#include "systems/btin/golden/barrier_switch.hpp"

/// The state of a barrier switch as text.
namespace muster::golden {

namespace {
using core::Flit;
using fabric::Formats;
using fabric::MessageType;

std::string text(const Flit& flit, const Formats& formats) {
  if (!flit.sync()) {
    const char* part =
        flit.head() ? (flit.tail() ? "single flit" : "head") : (flit.tail() ? "tail" : "body");
    if (!flit.head()) return part;
    return fmt::format("{} for {}", part, Formats::destination(flit));
  }
  const auto message = formats.barrier_message(flit);
  switch (message.type) {
    case MessageType::kReduction:
      return fmt::format("reduction of group {}", message.gid);
    case MessageType::kDistribution:
      return fmt::format("distribution of group {}", message.gid);
    default:
      return fmt::format("sync flit of type {}", static_cast<int>(message.type));
  }
}

std::string ports(std::uint32_t mask) {
  std::string list;
  for_each_bit(mask, [&](std::uint32_t port) {
    fmt::format_to(std::back_inserter(list), "{}{}", list.empty() ? "" : ",", port);
  });
  return fmt::format("{{{}}}", list);
}

std::string text(const BarrierRegister& at) {
  const std::string parent = at.reflect ? "reflects" : fmt::format("parent {}", at.parent);
  return fmt::format("group {} {} children {} arrived {}{} serve {}", at.gid, parent,
                     ports(at.children), ports(at.arrived), at.sent ? " sent" : "",
                     ports(at.serve));
}
}  // namespace

std::string BarrierSwitch::describe() const {
  std::string all;
  const auto add = [&](const std::string& part) {
    if (!all.empty()) all += "; ";
    all += part;
  };
  const Formats formats(config_.flit_w, config_.gid_w);

  for_each_bit(queues_.filled(), [&](std::uint32_t lane) {
    std::string route;
    if (data_.routed(lane)) route = fmt::format(" to port {}", data_.output(lane));
    if (data_.draining(lane)) route = " dropped, no route";
    add(fmt::format("queue {}.{}: {} flits, {}{}", port_of(lane), vc_of(lane), queues_.size(lane),
                    text(queues_.head(lane), formats), route));
  });
  for (std::uint32_t port = 0; port < config_.ports; ++port) {
    for (std::uint32_t vc = 0; vc < config_.vcs; ++vc) {
      const std::uint32_t lane = lane_of(port, vc), credits = credits_.count(lane);
      const std::uint8_t owner = data_.owner(lane), next = data_.next(lane);
      std::string state;
      if (owner != ChannelPath::kNone) state = fmt::format(" owned by port {}", owner);
      if (owner != ChannelPath::kNone && credits != 0)
        state += fmt::format(", {} credits", credits);
      if (credits == 0) state += state.empty() ? " without credits" : ", no credits";
      if (next != ChannelPath::kNone) state += fmt::format(", next port {}", next);
      if (!state.empty()) add(fmt::format("channel {}.{}{}", port, vc, state));
    }
  }
  if (agent_.state() != RegisterAgent::State::kIdle) {
    add(fmt::format("agent {}", agent_.state_name()));
  }
  if (barriers_.many() != nullptr) {
    if (const std::string groups = barriers_.many()->describe(); !groups.empty()) add(groups);
  }
  if (barriers_.retry() != nullptr) {
    if (const std::string groups = barriers_.retry()->describe(); !groups.empty()) add(groups);
  }
  for (std::uint32_t r = 0; r < config_.regs; ++r) {
    if (barriers_.at(r).valid) add(fmt::format("register {}: {}", r, text(barriers_.at(r))));
  }
  for_each_bit(pockets_.full(), [&](std::uint32_t port) {
    const PortMessages messages = pockets_.messages(0, nullptr);
    add(fmt::format("pocket {}: {}", port, text(messages.at(port), formats)));
  });
  if (spill_.closed()) add("spill closed");
  if (spill_.requested() != 0) add("spill waits for outputs " + ports(spill_.requested()));
  return all.empty() ? "empty" : all;
}

}  // namespace muster::golden
