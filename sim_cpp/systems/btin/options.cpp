// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "muster/core/error.hpp"
#include "muster/run/command.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/group_spec.hpp"
#include "systems/btin/system.hpp"

namespace muster::btin {
namespace {

/// Members leave, others join; the requests of each alternate.
void check_requests(const run::RunSpec& spec, const Spec& choice) {
  std::vector<MembershipRequest> requests = choice.requests;
  std::stable_sort(
      requests.begin(), requests.end(), [](const MembershipRequest& a, const MembershipRequest& b) {
        return std::tie(a.group, a.node, a.barrier) < std::tie(b.group, b.node, b.barrier);
      });
  const MembershipRequest* before = nullptr;
  for (const MembershipRequest& w : requests) {
    if (w.group >= spec.groups.size() || w.node >= spec.graph->nodes())
      throw InputError(
          fmt::format("btin::Spec::requests: there is no group {} or no node {}", w.group, w.node));
    const auto refuse = [&](const std::string& reason) {
      throw InputError(fmt::format("{} '{}@{}': {}", w.join ? "--join" : "--leave",
                                   topology::node_name(*spec.graph, w.node), w.barrier, reason));
    };
    if (spec.barriers < 2) refuse("a run of one barrier has no change");
    if (w.barrier < 1 || w.barrier >= spec.barriers)
      refuse(fmt::format("members can change before barriers 1 to {}", spec.barriers - 1));
    const bool again = before != nullptr && before->group == w.group && before->node == w.node;
    if (again && before->barrier == w.barrier)
      refuse(before->join == w.join ? "is named twice" : "joins and leaves at the same barrier");
    const auto& members = spec.groups[w.group].members;
    const bool member =
        again ? before->join : std::find(members.begin(), members.end(), w.node) != members.end();
    if (member == w.join)
      refuse(w.join ? "is a member already" : "is not a member and cannot leave");
    before = &w;
  }
}

const char* first_change(const Spec& choice) {
  if (choice.requests.empty()) return "--kill-link";
  return choice.requests.front().join ? "--join" : "--leave";
}

void check_changes(const run::RunSpec& spec, const Spec& choice) {
  if (choice.evict_after != 0 && !(choice.in_band && choice.spill))
    throw InputError(
        "--evict-after: needs groups that are set up in band and may be spilled; add --setup "
        "in-band --spill");
  if (!changes(spec)) return;
  if (!choice.in_band)
    throw InputError(
        fmt::format("{}: only groups that are set up in band can change; add --setup in-band",
                    first_change(choice)));
  check_requests(spec, choice);
}

/// Of switches with groups in block RAM, by option or configuration.
void check_many(const run::RunSpec& spec, const Spec& choice) {
  if (!choice.many && !(spec.config && spec.config->groups != 0)) return;
  const auto refuse = [&](bool wanted, const char* option, const char* reason) {
    if (wanted) throw InputError(fmt::format("{}: {}", option, reason));
  };
  refuse(choice.serial, "--serial",
         "switches with --many already take one message a cycle; omit it");
  refuse(choice.spill, "--spill", "switches with --many have room for every group; omit it");
  refuse(choice.in_band, "--setup in-band",
         "the host sets up the groups of --many; use --setup host");
}

/// Of messages of group membership that are lost.
void check_losses(const Spec& choice) {
  if (!(choice.setup_drop >= 0.0 && choice.setup_drop <= kMostSetupDrop))
    throw InputError(
        fmt::format("--setup-drop {}: is not in 0..{}", choice.setup_drop, kMostSetupDrop));
  if (choice.setup_drop != 0.0 && !choice.in_band)
    throw InputError(
        "--setup-drop: only messages of the in-band set-up can be lost; add --setup in-band");
}

void check_root(const Spec& choice) {
  if (choice.root && choice.in_band)
    throw InputError(
        "--root: with --setup in-band the members choose the root, each by itself; use --setup "
        "host");
}

/// Of registers that repeat.
void check_retry(const run::RunSpec& spec, const Spec& choice) {
  const RetrySpec& retries = choice.retries;
  const auto share = [&](double value, const char* option) {
    if (!(value >= 0.0 && value <= 0.9))
      throw InputError(fmt::format("{} {}: is not in 0..0.9", option, value));
    if (value != 0.0 && !choice.retry)
      throw InputError(fmt::format("{}: lost or duplicated messages need --retry", option));
  };
  share(retries.drop, "--message-drop");
  share(retries.duplicate, "--message-duplicate");
  if (!choice.retry) return;
  if (retries.period < 1 || retries.period > kMostRetryPeriod)
    throw InputError(
        fmt::format("--retry-period {}: is not in 1..{}", retries.period, kMostRetryPeriod));
  if (retries.suspect_after < 1 || retries.age_period() > kMostAgePeriod)
    throw InputError(fmt::format("--suspect-after {}: with --retry-period {} it is in 1..{}",
                                 retries.suspect_after, retries.period,
                                 std::uint64_t{retries.period} * kMostAgePeriod * kSuspectAge));
  const auto refuse = [&](bool wanted, const char* option, const char* reason) {
    if (wanted) throw InputError(fmt::format("{}: {}", option, reason));
  };
  refuse(choice.serial, "--serial", "registers of --retry take a message from each port; omit it");
  refuse(choice.many || (spec.config && spec.config->groups != 0), "--many",
         "groups in block RAM do not repeat messages; omit --retry");
  refuse(choice.spill, "--spill", "spilled groups do not repeat messages; omit --retry");
  refuse(choice.in_band, "--setup in-band",
         "the host sets up the groups of --retry; use --setup host");
  const bool faults = retries.drop != 0.0 || retries.duplicate != 0.0;
  refuse(faults && spec.links.retry, "--link-retry",
         "links with --link-retry lose frames; use --link-drop in place of --message-drop");
  refuse(faults && spec.profile.pipe != 0, "--message-drop",
         "links with the delay pipe of a profile cannot lose messages; use another profile");
}

/// What cannot lose messages on their way: those between nodes that set groups up, and those of
/// groups in the memory of nodes.
void check_deaths(const run::RunSpec& spec, const Spec& choice) {
  if (spec.deaths.empty()) return;
  for (const auto& [wanted, option] :
       {std::pair{choice.in_band, "--setup in-band"}, std::pair{choice.spill, "--spill"}})
    if (wanted)
      throw InputError(
          fmt::format("{}: it does not support dead switches and nodes; omit one of them", option));
}

/// Options that need trees in the switches, for a scheme that has none.
void refuse_without_trees(const run::RunSpec& spec, const Spec& choice) {
  const auto refuse = [&](bool wanted, const char* option, const char* reason) {
    if (wanted) throw InputError(fmt::format("{}: scheme '{}' {}", option, spec.scheme, reason));
  };
  refuse(choice.reflect, "--turn", "has no root switch that can reflect");
  refuse(choice.root.has_value(), "--root", "has no root switch to choose");
  refuse(choice.op != fabric::ReduceOp::kOr, "--op", "carries no data of the members");
  refuse(choice.data_bits.has_value(), "--data-bits", "carries no data of the members");
  refuse(choice.serial, "--serial", "has no barrier registers in switches");
  refuse(choice.many, "--many", "has no groups in switches");
  refuse(choice.retry, "--retry", "has no barrier registers in switches");
  refuse(!choice.requests.empty(), first_change(choice), "cannot change its members; use btin");
  refuse(choice.setup_drop != 0.0, "--setup-drop", "has no groups in switches to set up");
  refuse(choice.evict_after != 0, "--evict-after", "has no barrier registers in switches");
  if (spec.groups.empty()) return;
  refuse(choice.spill, "--spill", "has no groups in switches to spill");
  refuse(choice.in_band, "--setup in-band", "has no groups in switches to set up");
}

}  // namespace

void check_spec(const run::RunSpec& spec, const run::SchemeFactory& scheme) {
  if (spec.own_barrier_vc)
    throw InputError(fmt::format(
        "--barrier-vc own: barrier messages of scheme '{}' use no virtual channel; omit it",
        scheme.name));
  const Spec& choice = run::own<Spec>(spec);
  if (choice.data_bits && (*choice.data_bits < 1 || *choice.data_bits > kMostDataBits))
    throw InputError(
        fmt::format("--data-bits {}: is not in 1..{}", *choice.data_bits, kMostDataBits));
  check_root(choice);
  check_many(spec, choice);
  check_losses(choice);
  check_retry(spec, choice);
  check_deaths(spec, choice);
  check_changes(spec, choice);
}

bool changes(const run::RunSpec& spec) {
  return !run::own<Spec>(spec).requests.empty() || !spec.killed.empty();
}

bool changes_or_moves(const run::RunSpec& spec) {
  return changes(spec) || run::own<Spec>(spec).evict_after != 0;
}

namespace {

/// "3:4@2" or, if there are several groups, "3:4@2/1".
MembershipRequest request_of(const run::RunSpec& spec, const std::string& text, bool join) {
  const std::string option = join ? "--join" : "--leave";
  const std::string typed = fmt::format("{} '{}'", option, text);
  const auto refuse = [&](const std::string& reason) {
    throw InputError(fmt::format("{}: {}", typed, reason));
  };
  auto [node, barrier] = run::cut_at(text, option);
  MembershipRequest request;
  request.join = join;
  if (const auto slash = barrier.find('/'); slash != std::string::npos) {
    request.group = run::number32(barrier.substr(slash + 1), typed);
    if (request.group >= spec.groups.size())
      refuse(
          fmt::format("unknown group {}; they are 0 to {}", request.group, spec.groups.size() - 1));
    barrier.resize(slash);
  } else if (spec.groups.size() > 1) {
    refuse(fmt::format("ambiguous among {} groups; add /0 for the first --group, /1 for the next",
                       spec.groups.size()));
  }
  request.barrier = run::number32(barrier, typed);
  try {
    request.node = topology::parse_members(*spec.graph, {node}).front();
  } catch (const InputError& error) {
    refuse(error.what());
  }
  return request;
}

}  // namespace

void Options::add(run::OptionList& options) {
  options.flag("--serial", serial_,
               "Barrier switches take one barrier message a cycle, in place of one from each port");
  options.flag("--many", many_,
               "Barrier switches keep their groups in block RAM, with room for hundreds");
  options.flag("--turn", reflect_,
               "Root switches reflect the reduction, without asking the root node");
  options.text(
      "--root", root_,
      "Root switch of all trees, by number (sw3, 3) or by its name in the file; by default "
      "that of the lowest tree of each group, not always the fastest");
  options.choice("--setup", setup_, {"host", "in-band"},
                 "Who creates the groups: the host writes them into the switches, or the nodes "
                 "create and release them by messages (in-band)");
  options.flag("--spill", spill_,
               "Groups without a free register in a switch are kept in the memory of its node");
  options.number("--evict-after", evict_after_,
                 "With --spill --setup in-band: cycles after which an idle group may lose its "
                 "register to a group in use",
                 1, kMostEvictAfter);
  options.real("--setup-drop", setup_drop_,
               "With --setup in-band: share of the nodes' messages, and of requests to switches "
               "and their answers, that are lost (0 to 0.5)");
  options.flag(
      "--retry", retry_,
      "Registers and members repeat barrier messages, because links may lose or duplicate them");
  options.number("--retry-period", period_,
                 "With --retry: cycles after which a message is repeated", 1, kMostRetryPeriod);
  options.number(
      "--suspect-after", suspect_after_,
      "With --retry: cycles after which the hosts query the missing members of a barrier", 1,
      std::uint64_t{kMostRetryPeriod} * kMostAgePeriod * kSuspectAge);
  options.real("--message-drop", drop_,
               "With --retry: share of barrier messages that a link loses (0 to 0.9)");
  options.real("--message-duplicate", duplicate_,
               "With --retry: share of barrier messages that a link duplicates (0 to 0.9)");
  std::vector<std::string> names;
  names.reserve(fabric::kReduceOps.size());
  for (const fabric::NamedReduceOp& named : fabric::kReduceOps) names.emplace_back(named.name);
  options.choice("--op", op_, names, "Operation of the switches on the members' data");
  options.number(
      "--data-bits", data_bits_,
      "Bits of each member's data; the run takes switches whose messages have room for them", 1,
      kMostDataBits);
  options.texts("--join", joins_,
                "NODE@B joins before barrier B (3:4@2, of group 1 of several 3:4@2/1)");
  options.texts("--leave", leaves_, "NODE@B leaves before barrier B, written as for --join");
}

void Options::apply(run::RunSpec& spec) const { run::own<Spec>(spec) = spec_of(spec); }

void Options::refuse(const run::RunSpec& spec) const { refuse_without_trees(spec, spec_of(spec)); }

Spec Options::spec_of(const run::RunSpec& spec) const {
  Spec own;
  own.serial = serial_;
  own.many = many_;
  own.reflect = reflect_;
  if (!root_.empty()) own.root = topology::parse_switch(*spec.graph, root_, "--root");
  own.spill = spill_;
  own.setup_drop = setup_drop_;
  if (evict_after_) own.evict_after = *evict_after_;
  own.retry = retry_;
  if (period_) own.retries.period = *period_;
  if (suspect_after_) own.retries.suspect_after = *suspect_after_;
  own.retries.drop = drop_;
  own.retries.duplicate = duplicate_;
  if (!retry_ && period_)
    throw InputError("--retry-period: messages are repeated only with --retry; add it");
  if (!retry_ && suspect_after_)
    throw InputError("--suspect-after: registers become suspect only with --retry; add it");
  own.in_band = setup_ == "in-band";
  for (const fabric::NamedReduceOp& named : fabric::kReduceOps)
    if (op_ == named.name) own.op = named.op;
  own.data_bits = data_bits_;
  for (const std::string& text : leaves_) own.requests.push_back(request_of(spec, text, false));
  for (const std::string& text : joins_) own.requests.push_back(request_of(spec, text, true));
  return own;
}

}  // namespace muster::btin
