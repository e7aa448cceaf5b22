// SPDX-License-Identifier: Apache-2.0
#include "muster/run/members.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "muster/core/outputs.hpp"
#include "muster/run/scheme.hpp"
#include "topology/files/json_value.hpp"

namespace muster::run {

namespace {

constexpr std::size_t kMaxRecordingBytes = std::size_t{256} << 20;
constexpr std::size_t kMaxRecordingDepth = 4;
constexpr const char* kArrivalsSchema = "muster-arrivals-1";

using Value = topology::JsonValue;

/// Nanoseconds as cycles, rounded.
std::uint64_t cycles(const Value& value, double clock_ns) {
  if (!value.json().is_number_unsigned())
    value.fail(fmt::format("{} instead of whole nanoseconds, 0 or more", value.type()));
  const double cycles = std::round(value.json().get<double>() / clock_ns);
  if (cycles > static_cast<double>(kMostCycles))
    value.fail(fmt::format("{} ns are more than {} cycles; shorten it, or use a slower clock",
                           value.json().dump(), kMostCycles));
  return static_cast<std::uint64_t>(cycles);
}

RecordedArrivals read_fields(const Value& root, double clock_ns) {
  root.expect_object({"schema", "name", "note", "ranks", "compute_ns", "calls"});
  if (const std::string schema = root.field("schema").name(); schema != kArrivalsSchema)
    root.field("schema").fail(fmt::format("'{}' is not '{}'", schema, kArrivalsSchema));
  if (root.has("note")) root.field("note").text();
  const std::uint32_t ranks = root.field("ranks").number();
  if (ranks == 0) root.field("ranks").fail("0 ranks; a recording has at least one");
  RecordedArrivals::Work work;
  for (const Value& call : root.field("calls").elements()) {
    call.expect_object({"call", "bytes", "work_ns"});
    if (const std::string name = call.field("call").name(); name.empty())
      call.field("call").fail("is empty; name the call, such as MPI_Barrier");
    if (call.has("bytes")) call.field("bytes").number();
    std::vector<std::uint64_t>& of_barrier = work.emplace_back();
    for (const Value& time : call.field("work_ns").elements())
      of_barrier.push_back(cycles(time, clock_ns));
    if (of_barrier.size() != ranks)
      call.field("work_ns").fail(
          fmt::format("{} times for {} ranks; give one per rank", of_barrier.size(), ranks));
  }
  if (work.empty()) root.field("calls").fail("an empty list; record at least one call");
  return {root.has("name") ? root.field("name").name() : "", std::move(work)};
}

/// Sets these numbers apart from those of the arrivals, which have the same seed.
constexpr std::uint64_t kSplitStream = 0x73706c6974;

}  // namespace

std::shared_ptr<const RecordedArrivals> read_arrivals(const std::string& file, double clock_ns) {
  const std::string content = read_file(file, kMaxRecordingBytes);
  return topology::at_place(file, [&] {
    topology::screen_json(content, kMaxRecordingDepth, "a recording");
    const auto document = nlohmann::json::parse(content);
    return std::make_shared<const RecordedArrivals>(read_fields(Value(document, ""), clock_ns));
  });
}

std::uint64_t ListedArrivals::next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                                   std::uint64_t earliest) const {
  if (group >= list_.size() || barrier >= list_[group].size() ||
      member >= list_[group][barrier].size())
    throw InputError("arrivals: no time is listed for member {} of group {} at barrier {}", member,
                     group, barrier);
  return std::max(earliest, list_[group][barrier][member]);
}

std::uint64_t RecordedArrivals::next(std::uint32_t, std::uint32_t member, std::uint32_t barrier,
                                     std::uint64_t earliest) const {
  if (barrier >= work_.size() || member >= work_[barrier].size())
    throw InputError("arrivals: member {} at barrier {} is not in '{}'", member, barrier, name_);
  return earliest + work_[barrier][member];
}

Members::Members(const std::vector<RunGroup>& groups, const Arrivals& arrivals,
                 std::uint32_t barriers, std::uint64_t split, std::uint64_t seed,
                 const HostTimes& host)
    : arrivals_(arrivals),
      barriers_(barriers),
      split_(split),
      seed_(mix64(seed ^ kSplitStream)),
      host_(host),
      groups_(groups.size()) {
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    Group& group = groups_[g];
    group.members.resize(groups[g].members.size());
    group.rounds.resize(barriers);
    for (Round& round : group.rounds)
      round.members = static_cast<std::uint32_t>(group.members.size());
    group.to_release = std::uint64_t{barriers} * group.members.size();
    if (group.to_release != 0) ++unfinished_;
  }
}

void Members::set_programs(Programs& programs) {
  programs_ = &programs;
  barriers_ = ~std::uint32_t{0};  // no end is known
  for (Group& g : groups_) g.to_release = ~std::uint64_t{0};
  unfinished_ = groups_.size();
}

void Members::begin(std::uint64_t start) {
  for (std::uint32_t g = 0; g < groups_.size(); ++g)
    for (std::uint32_t m = 0; m < groups_[g].members.size(); ++m) schedule(g, m, start);
}

void Members::schedule(std::uint32_t group, std::uint32_t member, std::uint64_t earliest) {
  const std::uint32_t barrier = groups_[group].members[member].arrived;
  if (programs_ != nullptr || barrier == barriers_) return;
  const std::uint64_t cycle = arrivals_.next(group, member, barrier, earliest);
  if (cycle == fabric::kNever) return;
  if (cycle < earliest)
    throw InputError(
        "RunSpec::arrivals: member {} of group {} arrives at barrier {} in cycle {}, but is free "
        "only from cycle {} on",
        member, group, barrier, cycle, earliest);
  arrive(cycle, group, member);
}

void Members::arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  due_.push({cycle + host_.arrive, group, member, groups_[group].members[member].joins});
  ++groups_[group].scheduled;
}

void Members::finish() {
  for (Group& g : groups_) g.to_release = 0;
  unfinished_ = 0;
}

void Members::count_members(std::uint32_t group, std::uint32_t first, int more) {
  Group& g = groups_[group];
  unfinished_ -= g.to_release != 0 ? 1 : 0;
  for (std::uint32_t b = first; b < barriers_; ++b) {
    g.rounds[b].members += static_cast<std::uint32_t>(more);
    g.to_release += static_cast<std::uint64_t>(std::int64_t{more});
  }
  unfinished_ += g.to_release != 0 ? 1 : 0;
}

void Members::leave(std::uint32_t group, std::uint32_t member, std::uint32_t first) {
  groups_[group].members[member].active = false;
  count_members(group, first, -1);
}

void Members::join(std::uint32_t group, std::uint32_t member, std::uint32_t first) {
  Group& g = groups_[group];
  while (g.members.size() <= member) g.members.push_back({.active = false});
  Member& m = g.members[member];
  m = {first, first, 0, true, m.joins + 1};
  count_members(group, first, 1);
}

void Members::clock(std::uint64_t cycle, Scheme& scheme) {
  for (const Due& due : held_) due_.push({cycle, due.group, due.member, due.joins});
  held_.clear();
  while (!due_.empty() && due_.top().cycle <= cycle) {
    const Due due = due_.top();
    due_.pop();
    Group& group = groups_[due.group];
    Member& member = group.members[due.member];
    if (!member.active || member.dead || member.joins != due.joins) {
      --group.scheduled;
      continue;
    }
    if (scheme.holds(due.group, due.member, member.arrived)) {
      held_.push_back(due);
      continue;
    }
    const std::uint64_t who = (std::uint64_t{due.group} << 32) | due.member;
    const std::uint64_t arrival = cycle - host_.arrive;
    member.looks = arrival + (split_ == 0 ? 0 : Rng(seed_ ^ member.arrived, who).below(split_ + 1));
    if (programs_ != nullptr && member.arrived == group.rounds.size())
      group.rounds.emplace_back().members = static_cast<std::uint32_t>(group.members.size());
    Round& round = group.rounds[member.arrived++];
    --group.scheduled;
    ++round.arrivals;
    round.last_arrival = arrival;
    group.last_event = cycle;
    if (watcher_ != nullptr) watcher_->arrived(arrival, due.group, due.member);
    scheme.arrive(cycle, due.group, due.member);
  }
}

void Members::released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  Group& g = groups_[group];
  if (g.members[member].released == g.members[member].arrived)
    throw InternalError(
        "cycle {}: member {} of group {} is released from barrier {}, at which it has not arrived",
        cycle, member, group, g.members[member].released);
  Round& round = g.rounds[g.members[member].released++];
  const std::uint64_t goes = cycle + host_.leave;
  if (round.releases++ == 0) round.first_release = goes;
  round.last_release = goes;
  if (watcher_ != nullptr) watcher_->released(goes, group, member);
  if (programs_ != nullptr) programs_->released(goes, group, member);
  g.last_event = cycle;
  if (--g.to_release == 0) --unfinished_;
  const std::uint64_t noticed = std::max(goes, g.members[member].looks);
  waited_ += noticed - g.members[member].looks;
  ++releases_;
  schedule(group, member, noticed);
}

void Members::completed(std::uint64_t cycle, std::uint32_t group) {
  groups_[group].rounds[groups_[group].completions++].completed = cycle;
  groups_[group].last_event = cycle;
}

void Members::fail(std::uint32_t group, std::uint32_t barrier) {
  Group& g = groups_[group];
  g.rounds[barrier].failed = true;
  g.completions = barrier + 1;
}

std::uint32_t Members::current(std::uint32_t group) const {
  const Group& g = groups_[group];
  std::uint32_t first = barriers_;
  for (const Member& m : g.members)
    if (m.active) first = std::min(first, m.released);
  return first;
}

std::vector<std::uint32_t> Members::missing(std::uint32_t group, std::uint32_t barrier) const {
  std::vector<std::uint32_t> places;
  const Group& g = groups_[group];
  for (std::uint32_t m = 0; m < g.members.size(); ++m)
    if (g.members[m].active && g.members[m].arrived <= barrier) places.push_back(m);
  return places;
}

}  // namespace muster::run
