// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/barrier_unit.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

bool GroupData::edge(Ports ports, const fabric::Payload* data) {
  const bool folds = chosen != 0;
  if (folds) combine(latch[lowest(chosen)]);
  folding &= static_cast<Ports>(~chosen);
  chosen = static_cast<Ports>(folding & -folding);
  for_each_bit(ports, [&](std::uint32_t port) {
    if (at_once()) {
      combine(data[port]);
    } else {
      latch[port] = data[port];
      folding |= static_cast<Ports>(bit(port));
    }
  });
  return folds;
}

GroupData::Wide GroupData::complemented(const fabric::Payload& data) const {
  const Wide value = Wide{data.hi} << 64 | data.lo;
  return (op & 4) != 0 ? ones() ^ value : value;
}

void GroupData::combine(const fabric::Payload& data) {
  const Wide x = complemented(data), so_far = Wide{up.hi} << 64 | up.lo;
  Wide next = 0;
  switch (op & 3) {
    case 0:
      next = so_far | x;
      break;
    case 1:
      next = so_far ^ x;
      break;
    case 2:
      next = std::max(so_far, x);
      break;
    default:
      next = std::min(so_far + x, ones());
      break;
  }
  up = {static_cast<std::uint64_t>(next), static_cast<std::uint16_t>(next >> 64)};
}

fabric::Payload GroupData::result() const {
  const Wide value = complemented(up);
  return {static_cast<std::uint64_t>(value), static_cast<std::uint16_t>(value >> 64)};
}

void GroupData::clear() {
  folding = chosen = 0;
  up = {};
}

using fabric::BarrierMessage;
using fabric::MessageType;

Ports BarrierRegister::requests(std::uint32_t ports) const {
  if (!valid) return 0;
  const bool reduction = full() && !reflect && !sent && parent < ports;
  return static_cast<Ports>(serve | (reduction ? bit(parent) : 0u));
}

BarrierMessage BarrierRegister::message(std::uint32_t port) const {
  const std::uint32_t name = labels ? (*labels)[port] : gid;
  if (has(serve, port)) return {MessageType::kDistribution, name, down};
  return {MessageType::kReduction, name, data.result()};
}

bool BarrierRegister::accepts(MessageType type, std::uint32_t port) const {
  if (type == MessageType::kReduction) return has(children, port) && !has(arrived | serve, port);
  return !reflect && port == parent && sent;
}

void BarrierRegister::edge(const Arrivals& accepted, Ports departed) {
  const bool was_full = full(), was_here = all_here();
  // A message at an output that is served is a distribution, any other the reduction.
  const auto released = static_cast<Ports>(departed & serve);
  if (departed != released) sent = true;
  serve = static_cast<Ports>(serve & ~released);

  const bool folds = data.edge(accepted.reductions, accepted.data);
  arrived |= accepted.reductions;
  // All that had arrived before wait for the parent, not for children.
  if (keeps_straggler && !was_here) straggler.edge(accepted.reductions, all_here());
  // It reflects with what completes the barrier: the last arrivals, or the last data.
  const bool reflects = reflect && full() && (data.at_once() ? accepted.reductions != 0 : folds);
  fresh =
      !data.serial && (accepted.distribution || accepted.reductions != 0 || (full() && !was_full));
  if (accepted.distribution || reflects) {
    down = accepted.distribution ? accepted.down : data.result();
    serve = children;
    arrived = 0;
    data.up = {};
    sent = false;
  }
}

void BarrierRegister::clear() {
  arrived = serve = 0;
  sent = fresh = false;
  data.clear();
  down = {};
  straggler = {};
}

ManyUnit::ManyUnit(const fabric::SwitchConfig& config)
    : ports_(config.ports), groups_(btin::variant(config).groups) {
  const fabric::Formats formats(config.flit_w, config.gid_w);
  for (std::uint32_t gid = 0; gid < groups_.size(); ++gid) {
    groups_[gid].gid = static_cast<std::uint16_t>(gid);
    groups_[gid].data.width = static_cast<std::uint8_t>(formats.data_width());
    groups_[gid].data.serial = true;
  }
}

const ManyUnit::Waiting* ManyUnit::waiting(std::uint32_t gid) const {
  if (first_ && first_->message.gid == gid) return &*first_;
  const auto at = std::find_if(behind_.begin(), behind_.end(),
                               [&](const Waiting& w) { return w.message.gid == gid; });
  return at == behind_.end() ? nullptr : &*at;
}

ManyUnit::Waiting* ManyUnit::waiting(std::uint32_t gid) {
  return const_cast<Waiting*>(std::as_const(*this).waiting(gid));
}

/// A message from before the host wrote the group counts as one for the children, if it is not
/// first in the queue.
Ports ManyUnit::serve(std::uint32_t gid) const {
  const Waiting* const own = waiting(gid);
  if (own == nullptr || !own->stale) return groups_[gid].serve;
  return first_ && own == &*first_ ? own->ports : groups_[gid].children;
}

Fate ManyUnit::judge(const Taken& taken) const {
  const std::uint32_t gid = taken.message.gid;
  if (gid >= groups_.size() || !groups_[gid].valid) return Fate::kUnknown;
  const BarrierRegister& group = groups_[gid];
  if (!group.accepts(taken.message.type, taken.port)) return Fate::kRefused;
  if (taken.message.type == MessageType::kDistribution) return Fate::kTaken;
  if (has(serve(gid), taken.port)) return Fate::kRefused;
  const bool last = (group.arrived | bit(taken.port)) == group.children;
  return last && waiting(gid) != nullptr ? Fate::kRefused : Fate::kTaken;
}

std::optional<ManyUnit::Waiting> ManyUnit::decide(const Taken& taken, Verdict& verdict) {
  verdict = {taken, judge(taken)};
  if (verdict.fate != Fate::kTaken) return std::nullopt;
  BarrierRegister& group = groups_[taken.message.gid];
  const bool waited = waiting(group.gid) != nullptr;
  std::array<fabric::Payload, kMaxPorts> data;
  data[taken.port] = taken.message.data;
  Arrivals arrivals;
  if (taken.message.type == MessageType::kReduction) {
    arrivals.reductions = static_cast<Ports>(bit(taken.port));
    arrivals.data = data.data();
  } else {
    arrivals.distribution = true;
    arrivals.down = taken.message.data;
  }
  group.edge(arrivals, 0);
  const Ports ports = group.requests(ports_);
  if (waited || ports == 0) return std::nullopt;
  return Waiting{group.message(lowest(ports)), ports};
}

void ManyUnit::leave(Ports departed) {
  if (departed == 0) return;
  first_->ports &= static_cast<Ports>(~departed);
  if (!first_->stale) groups_[first_->message.gid].edge({}, departed);
  if (first_->ports == 0) first_.reset();
}

/// The memory behind the first message shows what came at an edge two edges later.
void ManyUnit::advance(std::optional<Waiting> made) {
  const bool ready = behind_.size() > 1 || (behind_.size() == 1 && !fresh_);
  fresh_ = false;
  if (!first_ && ready) {
    first_ = behind_.front();
    behind_.pop_front();
  } else if (!first_ && behind_.empty()) {
    std::swap(first_, made);
  }
  if (!made) return;
  behind_.push_back(*made);
  fresh_ = true;
}

std::optional<ManyUnit::Verdict> ManyUnit::edge(const std::optional<Taken>& taken, Ports departed) {
  std::optional<Verdict> verdict;
  std::optional<Waiting> made;
  if (taken_) made = decide(*taken_, verdict.emplace());
  leave(departed);
  advance(made);
  taken_ = taken;
  written_ = false;
  return verdict;
}

/// The host's window on one group: docs/systems/many-groups.md, "The host". And the state as text.
namespace {
constexpr std::uint32_t kSelectionWord = kRegisterWords, kGroupsWord = kRegisterWords + 1;
}

bool ManyUnit::writes(std::uint32_t word, std::uint32_t ports) {
  return word == kControlWord || is_half(word, kChildrenWord, ports) || word == kSelectionWord;
}

void ManyUnit::write(std::uint32_t word, std::uint32_t value) {
  if (!writes(word, ports_)) return;
  if (word == kSelectionWord) selected_ = value & static_cast<std::uint32_t>(groups_.size() - 1);
  BarrierRegister& group = groups_[selected_];
  Waiting* const own = waiting(selected_);
  if (word != kSelectionWord) {
    group.clear();
    if (own != nullptr) own->stale = true;
  }
  if (word == kControlWord) {
    group.write(Control::of(value, 0, ports_));
    group.gid = static_cast<std::uint16_t>(selected_);
  } else if (is_half(word, kChildrenWord, ports_)) {
    group.children = written_mask(group.children, word & 1, value, ports_);
  }
  for (std::uint32_t w = 0; w < seen_.size(); ++w) seen_[w] = this->word(selected_, w);
  written_ = true;
}

std::uint32_t ManyUnit::word(std::uint32_t gid, std::uint32_t word) const {
  if (gid >= groups_.size()) return 0;
  const BarrierRegister& group = groups_[gid];
  if (is_half(word, kChildrenWord, ports_)) return word_of(group.children, word & 1);
  if (is_half(word, kArrivedWord, ports_)) return word_of(group.arrived, word & 1);
  if (is_half(word, kServeWord, ports_)) return word_of(serve(gid), word & 1);
  switch (word) {
    case kControlWord:
      return group.word();
    case kStateWord:
      return std::uint32_t{waiting(gid) != nullptr} << 1 | group.sent;
    default:
      return 0;
  }
}

std::uint32_t ManyUnit::read(std::uint32_t word) const {
  if (word == kSelectionWord) return selected_;
  if (word == kGroupsWord) return static_cast<std::uint32_t>(groups_.size());
  return word < seen_.size() ? seen_[word] : 0;
}

std::string ManyUnit::describe() const {
  std::string all;
  const auto add = [&](const std::string& part) { all += (all.empty() ? "" : "; ") + part; };
  for (const BarrierRegister& group : groups_) {
    if (!group.valid || (group.arrived | serve(group.gid) | group.sent) == 0) continue;
    add(fmt::format("group {} children {:#x} arrived {:#x}{} serve {:#x}", group.gid,
                    group.children, group.arrived, group.sent ? " sent" : "", serve(group.gid)));
  }
  if (first_)
    add(fmt::format("message of group {} for ports {:#x}, {} behind", first_->message.gid,
                    first_->ports, behind_.size()));
  if (taken_) add(fmt::format("message of group {} taken", taken_->message.gid));
  return all;
}

using core::Flit;

BarrierUnit::BarrierUnit(const fabric::SwitchConfig& config)
    : formats_(config.flit_w, config.gid_w),
      ports_(config.ports),
      regs_(config.regs),
      ops_(btin::variant(config).ops),
      labels_(btin::variant(config).labels),
      registers_(config.regs) {
  const btin::Variant variant = btin::variant(config);
  for (BarrierRegister& r : registers_) {
    r.data.width = static_cast<std::uint8_t>(formats_.data_width());
    r.data.serial = variant.serial;
    r.keeps_straggler = variant.straggler;
    if (variant.labels) r.labels.emplace();
  }
  if (variant.groups != 0) many_ = std::make_unique<ManyUnit>(config);
  if (variant.retry) retry_ = std::make_unique<RetryUnit>(config);
}

Flit BarrierUnit::message(std::uint32_t port) const {
  if (many_) return formats_.barrier_flit(many_->message(), 0);
  if (retry_) return formats_.barrier_flit(retry_->message(port), 0);
  return formats_.barrier_flit(registers_[requests_.candidate(port)].message(port), 0);
}

std::uint32_t BarrierUnit::find(std::uint32_t gid) const {
  if (labels_) return gid < regs_ && registers_[gid].valid ? gid : regs_;
  std::uint32_t r = 0;
  while (r < regs_ && !(registers_[r].valid && registers_[r].gid == gid)) ++r;
  return r;
}

void BarrierUnit::edge_of_many(Ports ports, const PortMessages& messages, Ports departed) {
  std::optional<ManyUnit::Taken> taken;
  for_each_bit(ports, [&](std::uint32_t port) {
    const BarrierMessage message = formats_.barrier_message(messages.at(port));
    if (message.type > MessageType::kDistribution) return drop(port, message, false);
    taken = {port, message};
  });
  const auto verdict = many_->edge(taken, departed);
  if (verdict && verdict->fate != Fate::kTaken) {
    drop(verdict->of.port, verdict->of.message, verdict->fate == Fate::kRefused);
  }
}

void BarrierUnit::edge_of_retry(Ports ports, const PortMessages& messages, Ports departed) {
  Ports formed = 0;
  for_each_bit(ports, [&](std::uint32_t port) {
    const BarrierMessage message = formats_.barrier_message(messages.at(port));
    if (message.type > MessageType::kDistribution) return drop(port, message, false);
    formed |= static_cast<Ports>(bit(port));
  });
  const RetryUnit::Fates fates = retry_->edge(formed, messages, departed);
  for_each_bit(formed, [&](std::uint32_t port) {
    if (fates[port] == Fate::kTaken) return;
    drop(port, formats_.barrier_message(messages.at(port)), fates[port] == Fate::kRefused);
  });
}

void BarrierUnit::edge_of_registers(Ports ports, const PortMessages& messages, Ports departed) {
  std::array<Arrivals, kMaxRegisters> arrivals{};
  std::array<fabric::Payload, kMaxPorts> data;  // by port: one message each that counts

  for_each_bit(ports, [&](std::uint32_t port) {
    BarrierMessage message = formats_.barrier_message(messages.at(port));
    if (ops_ == 2) message.data = {};
    if (message.type > MessageType::kDistribution) return drop(port, message, false);
    const std::uint32_t r = find(message.gid);
    if (r == regs_) return drop(port, message, false);
    if (!registers_[r].accepts(message.type, port)) return drop(port, message, true);

    if (message.type == MessageType::kReduction) {
      arrivals[r].reductions |= static_cast<Ports>(bit(port));
      arrivals[r].data = data.data();
      data[port] = message.data;
    } else {
      arrivals[r].distribution = true;
      arrivals[r].down = message.data;
    }
  });
  for (std::uint32_t r = 0; r < regs_; ++r)
    registers_[r].edge(arrivals[r], requests_.of(r, departed));
  requests_.left(departed, regs_);
}

void BarrierUnit::edge(Ports ports, const PortMessages& messages, Ports departed, Ports malformed) {
  if (many_)
    edge_of_many(ports, messages, departed);
  else if (retry_)
    edge_of_retry(ports, messages, departed);
  else
    edge_of_registers(ports, messages, departed);
  for_each_bit(malformed, [&](std::uint32_t port) {
    drop(port, formats_.barrier_message(messages.at(port)), false);
  });
  look();
}

void BarrierUnit::look() {
  if (many_) {
    requested_ = many_->requested();
    busy_ = many_->busy();
  } else if (retry_) {
    requested_ = retry_->requested();
    busy_ = retry_->busy();
  } else {
    requests_.look(registers_, ports_);
    requested_ = requests_.ports();
    busy_ = std::any_of(registers_.begin(), registers_.end(),
                        [](const BarrierRegister& r) { return r.busy(); });
  }
}

void BarrierUnit::drop(std::uint32_t port, const BarrierMessage& message, bool known) {
  constexpr std::uint32_t kKnownShift = 14, kTypeShift = 12;
  drops_.note(port, std::uint32_t{known} << kKnownShift |
                        static_cast<std::uint32_t>(message.type) << kTypeShift | message.gid);
}

Written BarrierUnit::written(std::uint32_t r) const {
  if (retry_) return retry_->written(r);
  return {registers_[r], registers_[r].children};
}

void BarrierUnit::write(std::uint32_t word, std::uint32_t value) {
  if (many_)
    many_->write(word, value);
  else if (retry_)
    retry_->write(word, value);
  else
    write_register(registers_[word / kRegisterWords], word % kRegisterWords, value);
  look();
}

void BarrierUnit::write_register(BarrierRegister& at, std::uint32_t word, std::uint32_t value) {
  if (word == kLabelsWord) at.write_labels(0, value);
  if (word == kUpperLabelsWord) at.write_labels(8, value);
  if (word != kControlWord && !is_half(word, kChildrenWord, ports_)) return;
  at.clear();
  if (word != kControlWord) {
    at.children = written_mask(at.children, word & 1, value, ports_);
    return;
  }
  Control control = Control::of(value, formats_.gid_width(), ports_);
  if (ops_ == 1) control.op &= 4;
  if (ops_ == 2) control.op = 0;
  at.write(control);
}

std::uint32_t BarrierUnit::read(std::uint32_t word) const {
  if (many_) return many_->read(word);
  if (retry_) return retry_->read(word);
  const BarrierRegister& at = registers_[word / kRegisterWords];
  word %= kRegisterWords;
  if (is_half(word, kChildrenWord, ports_)) return word_of(at.children, word & 1);
  if (is_half(word, kArrivedWord, ports_)) return word_of(at.arrived, word & 1);
  if (is_half(word, kServeWord, ports_)) return word_of(at.serve, word & 1);
  if (is_half(word, kFoldingWord, ports_)) return word_of(at.data.folding, word & 1);
  switch (word) {
    case kControlWord:
      return at.word();
    case kStateWord:
      return at.sent;
    case kStragglerWord:
      return at.straggler.word;
    default:
      return 0;
  }
}

void BarrierUnit::write_ticks(std::uint32_t value) {
  if (!retry_) return;
  retry_->write_ticks(value);
  look();
}

}  // namespace muster::golden::inline MUSTER_SWITCHES
