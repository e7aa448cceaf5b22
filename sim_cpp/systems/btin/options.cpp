// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>
#include <tuple>

#include "systems/btin/system.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::btin {
namespace {

/// Members leave, others join; the requests of each alternate.
void check_requests(const run::RunSpec& spec, const Spec& choice) {
  std::vector<MembershipRequest> requests = choice.requests;
  std::ranges::stable_sort(requests, {}, [](const MembershipRequest& w) {
    return std::tuple{w.group, w.node, w.barrier};
  });
  const MembershipRequest* before = nullptr;
  for (const MembershipRequest& w : requests) {
    if (w.group >= spec.groups.size() || w.node >= spec.graph->nodes())
      throw InputError("btin::Spec::requests: there is no group {} or no node {}", w.group, w.node);
    const auto refuse = [&](const std::string& reason) {
      throw InputError("{} '{}@{}': {}", w.join ? "--join" : "--leave",
                       topology::node_name(*spec.graph, w.node), w.barrier, reason);
    };
    if (spec.programs) refuse("groups of a program are its communicators; omit it");
    if (spec.barriers < 2) refuse("a run of one barrier has no change");
    if (w.barrier < 1 || w.barrier >= spec.barriers)
      refuse(fmt::format("members can change before barriers 1 to {}", spec.barriers - 1));
    const bool again = before != nullptr && before->group == w.group && before->node == w.node;
    if (again && before->barrier == w.barrier)
      refuse(before->join == w.join ? "is named twice" : "joins and leaves at the same barrier");
    const auto& members = spec.groups[w.group].members;
    const bool member = again ? before->join : std::ranges::find(members, w.node) != members.end();
    if (member == w.join)
      refuse(w.join ? "is a member already" : "is not a member and cannot leave");
    before = &w;
  }
}

void check_changes(const run::RunSpec& spec, const Spec& choice) {
  if (choice.evict_after != 0 && !(choice.in_band && choice.spill))
    throw InputError(
        "--evict-after: needs groups that are set up in band and may be spilled; add --setup "
        "in-band --spill");
  if (!changes(spec)) return;
  if (!choice.in_band)
    throw InputError("{}: only groups that are set up in band can change; add --setup in-band",
                     choice.requests.empty()        ? "--kill-link"
                     : choice.requests.front().join ? "--join"
                                                    : "--leave");
  check_requests(spec, choice);
}

/// An option that was asked for, and why it cannot be.
struct Conflict {
  bool wanted;
  const char* option;
  const char* reason;
};

void refuse(std::initializer_list<Conflict> conflicts) {
  for (const Conflict& c : conflicts)
    if (c.wanted) throw InputError("{}: {}", c.option, c.reason);
}

/// Of registers that repeat.
void check_retry(const run::RunSpec& spec, const Spec& choice, bool many) {
  const RetrySpec& retries = choice.retries;
  const char* const idle = "lost or duplicated messages need --retry";
  if (!choice.retry)
    return refuse({{retries.drop != 0.0, "--message-drop", idle},
                   {retries.duplicate != 0.0, "--message-duplicate", idle}});
  if (retries.age_period() > kMostAgePeriod)
    throw InputError("--suspect-after {}: with --retry-period {} it is in 1..{}",
                     retries.suspect_after, retries.period,
                     std::uint64_t{retries.period} * kMostAgePeriod * kSuspectAge);
  const bool faults = retries.drop != 0.0 || retries.duplicate != 0.0;
  refuse(
      {{choice.serial, "--serial", "registers of --retry take a message from each port; omit it"},
       {many, "--many", "groups in block RAM do not repeat messages; omit --retry"},
       {choice.spill, "--spill", "spilled groups do not repeat messages; omit --retry"},
       {choice.in_band, "--setup in-band",
        "the host sets up the groups of --retry; use --setup host"},
       {faults && spec.links.retry, "--link-retry",
        "links with --link-retry lose frames; use --link-drop in place of --message-drop"},
       {faults && spec.profile.pipe != 0, "--message-drop",
        "links with the delay pipe of a profile cannot lose messages; use another profile"}});
}

/// "3:4@2" or, if there are several groups, "3:4@2/1".
MembershipRequest request_of(const run::RunSpec& spec, const std::string& text, bool join) {
  const std::string option = join ? "--join" : "--leave";
  const std::string typed = fmt::format("{} '{}'", option, text);
  const auto refuse = [&](const std::string& reason) { throw InputError("{}: {}", typed, reason); };
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

class Options : public run::SpecOptions<Spec> {
 public:
  Options() {
    describe(fields, typed_.retries);
    fields.unlike("has no root switch to choose");
    fields.text("--root", root_,
                "Root switch of all trees, by number (sw3, 3) or by its name in the file; by "
                "default that of the lowest tree of each group, not always the fastest");
    fields.unlike("cannot change its members; use btin");
    fields.texts("--join", joins_,
                 "NODE@B joins before barrier B (3:4@2, of group 1 of several 3:4@2/1)");
    fields.texts("--leave", leaves_, "NODE@B leaves before barrier B, written as for --join");
  }
  void apply(run::RunSpec& spec) const override {
    SpecOptions::apply(spec);
    if (!root_.empty())
      run::own<Spec>(spec).root = topology::parse_switch(*spec.graph, root_, "--root");
    for (const auto& [texts, join] : {std::pair{&leaves_, false}, std::pair{&joins_, true}})
      for (const std::string& text : *texts)
        run::own<Spec>(spec).requests.push_back(request_of(spec, text, join));
  }

 private:
  std::string root_;
  std::vector<std::string> joins_, leaves_;  ///< as typed
};

}  // namespace

void check_spec(const run::RunSpec& spec, const run::SchemeFactory& scheme) {
  if (spec.own_barrier_vc)
    throw InputError(
        "--barrier-vc own: barrier messages of scheme '{}' use no virtual channel; omit it",
        scheme.name);
  const Spec& choice = run::own<Spec>(spec);
  run::check_fields(choice);
  run::check_fields(choice.retries);
  const bool many = choice.many || (spec.config && variant(*spec.config).groups != 0);
  const bool queued = choice.queued || (spec.config && variant(*spec.config).queued);
  const char* const unqueued = "switches of --queued have no such variant; omit one of them";
  refuse({{queued && choice.serial, "--serial", unqueued},
          {queued && many, "--many", unqueued},
          {queued && choice.spill, "--spill", unqueued},
          {queued && choice.retry, "--retry", unqueued},
          {queued && spec.links.retry, "--link-retry",
           "link ends have no place for messages that wait with data; omit --queued"}});
  const char* const lasting = "it does not support dead switches and nodes; omit one of them";
  refuse(
      {{choice.root && choice.in_band, "--root",
        "with --setup in-band the members choose the root, each by itself; use --setup host"},
       {many && choice.serial, "--serial",
        "switches with --many already take one message a cycle; omit it"},
       {many && choice.spill, "--spill", "switches with --many have room for every group; omit it"},
       {many && choice.in_band, "--setup in-band",
        "the host sets up the groups of --many; use --setup host"},
       {spec.routes->phases() != nullptr && choice.in_band, "--setup in-band",
        "register answers begin in the virtual channel of their requests; omit --routes"},
       {spec.routes->phases() != nullptr && queued, "--queued",
        "barrier messages keep to virtual channel 0; omit --routes"},
       {choice.setup_drop != 0.0 && !choice.in_band, "--setup-drop",
        "only messages of the in-band set-up can be lost; add --setup in-band"}});
  check_retry(spec, choice, many);
  // What cannot lose messages on their way: those between nodes that set groups up, and those of
  // groups in the memory of nodes.
  refuse({{!spec.deaths.empty() && choice.in_band, "--setup in-band", lasting},
          {!spec.deaths.empty() && choice.spill, "--spill", lasting}});
  check_changes(spec, choice);
}

bool changes(const run::RunSpec& spec) {
  return !run::own<Spec>(spec).requests.empty() || !spec.killed.empty();
}

bool changes_or_moves(const run::RunSpec& spec) {
  return changes(spec) || run::own<Spec>(spec).evict_after != 0;
}

void describe(run::Fields& f, Spec& s) {
  f.unlike("has no root switch that can reflect");
  f.flag({"--turn", "turn"}, s.reflect,
         "Root switches reflect the reduction, without asking the root node");
  f.unlike("carries no data of the members");
  std::vector<std::pair<std::string, fabric::ReduceOp>> ops;
  for (const auto& [name, op] : fabric::kReduceOps) ops.emplace_back(name, op);
  f.choice({"--op", "op"}, s.op, ops, "Operation of the switches on the members' data");
  f.number({"--data-bits", "data_bits"}, s.data_bits, 1, kMostDataBits,
           "Bits of each member's data; the run takes switches whose messages have room for them")
      .if_given();
  f.unlike("has no groups in switches to set up");
  f.choice({"--setup", "setup"}, s.in_band, {{"host", false}, {"in-band", true}},
           "Who creates the groups: the host writes them into the switches, or the nodes create "
           "and release them by messages (in-band)");
  f.real({"--setup-drop", "setup_drop"}, s.setup_drop, 0, kMostSetupDrop,
         "With --setup in-band: share of the nodes' messages, and of requests to switches and "
         "their answers, that are lost (0 to 0.5)")
      .if_given();
  f.unlike("has no groups in switches to spill");
  f.flag({"--spill", "spill"}, s.spill,
         "Groups without a free register in a switch are kept in the memory of its node");
  f.unlike("has no groups in switches");
  f.flag("--many", s.many,
         "Barrier switches keep their groups in block RAM, with room for hundreds");
  f.unlike("has no barrier registers in switches");
  f.number({"--evict-after", "evict_after"}, s.evict_after, 1, kMostEvictAfter,
           "With --spill --setup in-band: cycles after which an idle group may lose its register "
           "to a group in use")
      .if_given();
  f.flag("--serial", s.serial,
         "Barrier switches take one barrier message a cycle, in place of one from each port");
  f.flag("--queued", s.queued,
         "Barrier messages wait in the queues of data, as the paper draws its switch");
  f.flag("--retry", s.retry,
         "Registers and members repeat barrier messages, so links may lose or duplicate them");
}

void describe(run::Fields& f, RetrySpec& s) {
  f.unlike("has no barrier registers in switches");
  f.number({"--retry-period", "period"}, s.period, 1, kMostRetryPeriod,
           "With --retry: cycles after which a message is repeated")
      .needing({"--retry"}, "messages are repeated only with --retry; add it");
  f.number({"--suspect-after", "suspect_after"}, s.suspect_after, 1,
           std::uint64_t{kMostRetryPeriod} * kMostAgePeriod * kSuspectAge,
           "With --retry: cycles after which the hosts query the missing members of a barrier")
      .needing({"--retry"}, "registers become suspect only with --retry; add it");
  f.real({"--message-drop", "message_drop"}, s.drop, 0, kMostMessageFaults,
         "With --retry: share of barrier messages that a link loses (0 to 0.9)");
  f.real({"--message-duplicate", "message_duplicate"}, s.duplicate, 0, kMostMessageFaults,
         "With --retry: share of barrier messages that a link duplicates (0 to 0.9)");
}

std::unique_ptr<run::SystemOptions> make_options() { return std::make_unique<Options>(); }

}  // namespace muster::btin
