// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/options.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"
#include "muster/run/option_values.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/group_spec.hpp"

namespace muster::btin {

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

void Options::apply(run::RunSpec& spec) const {
  Spec& own = spec.parts.make<Spec>();
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
}

}  // namespace muster::btin
