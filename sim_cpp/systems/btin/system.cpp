// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/system.hpp"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "muster/run/run.hpp"
#include "run/result_parts.hpp"
#include "systems/all.hpp"
#include "systems/btin/checkers/retry_safety.hpp"
#include "systems/btin/scheme/btin_plan.hpp"
#include "systems/btin/scheme/tree_traffic.hpp"
#include "systems/golden_switches.hpp"

namespace muster::btin {

namespace {

// In the order of Variant.
constexpr fabric::VariantParameter kVariants[] = {
    {.param = "Serial", .name = "serial", .pockets = true},
    {.param = "Guard", .name = "guard", .min_depth = 2, .in_rdl = true},
    {.param = "Spill",
     .name = "spill",
     .message_bits = fabric::kTypeWidth + fabric::kSpillPlaceWidth,
     .most_ports = 16,  // of a spill place
     .pockets = true,
     .in_rdl = true},
    {.param = "Retry",
     .name = "retry",
     .message_bits = fabric::kTypeWidth + fabric::kRetryWidth + 2,  // 2 bits of data
     .repeats = true,
     .in_rdl = true,
     .excludes = 0b00101},  // Serial, Spill
    {.param = "Groups",
     .name = "groups",
     .suffix = "many",
     .most = 4096,
     .pockets = true,
     .group_memory = true},
    {.param = "Straggler",
     .name = "straggler",
     .in_rdl = true,
     .excludes = 0b01001},  // Serial, Retry
    {.param = "Counters", .name = "counters", .in_rdl = true},
    {.param = "Ops", .name = "ops", .most = 2, .excludes = 0b01001},  // Serial, Retry
    {.param = "Labels",
     .name = "labels",
     .most_ports = 16,
     .labels = true,
     .in_rdl = true,
     .excludes = 0b01101},                                    // Serial, Spill, Retry
    {.param = "Parity", .name = "parity", .needs = 1u << 6},  // Counters
    {.param = "Queued",
     .name = "queued",
     .queued = true,
     .excludes = 0b1'0000'1111}};  // Serial, Guard, Spill, Retry, Labels

void describe_retries(core::Record& r, const RetryCounts& counts) {
  r.add("messages", "put on links", counts.messages);
  r.add("repeated", "of these, repeated", counts.repeated);
  r.add("dropped",
        "did not arrive: lost on links, without a place in a replay buffer, or on dead links",
        counts.dropped);
  r.add("duplicated", "duplicated", counts.duplicated);
  r.add("inquiries", "queries of the hosts for missing members", counts.inquiries);
}

/// Its line of a run's summary; empty without registers that repeat.
std::string retries_text(const Result& result) {
  if (!result.retries) return {};
  const RetryCounts& counts = *result.retries;
  return fmt::format(
      "retries      {} barrier messages on links, {} of them repeated; {} lost, {} duplicated{}\n",
      counts.messages, counts.repeated, counts.dropped, counts.duplicated,
      counts.inquiries != 0 ? fmt::format("; {} queries for missing members", counts.inquiries)
                            : "");
}

/// Name of a group.
void add_group(core::Record& r, const run::RunSpec& spec, std::size_t group) {
  r.add("group", spec.groups[group].name).filled();
}

void add_refused(core::Record& r, const std::string& refused) {
  r.null_unless(!refused.empty())
      .add("refused", "reason of the refusal; null if the change was made", refused)
      .filled();
}

void describe_request(core::Record& r, const run::RunSpec& spec, const RequestResult& result) {
  const MembershipRequest& request = result.request;
  add_group(r, spec, request.group);
  r.add("node", "switch:port", topology::node_name(*spec.graph, request.node)).like(core::kPort);
  r.add("wish", request.join ? "join" : "leave").one_of({"join", "leave"});
  r.add("barrier", "first barrier of the request", request.barrier).with("minimum", 1);
  r.add("first_barrier", "first barrier with the change; null if it was not made",
        result.first_barrier);
  add_refused(r, result.refused);
}

void describe_setup(core::Record& r, const run::RunSpec& spec, const Result& result,
                    const Spec& choice) {
  r.list("groups", "", std::views::iota(std::size_t{0}, result.times.size()),
         [&](core::Record& group, std::size_t g) {
           const GroupTimes times = g < result.times.size() ? result.times[g] : GroupTimes();
           add_group(group, spec, g);
           group.add("creation_cycles",
                     "from the creator's first message until the last member is notified",
                     times.creation_cycles);
           group.add("release_cycles",
                     "from the request to release until the last member is notified",
                     times.release_cycles);
         });
  r.add("repeated_requests", "to switches that had dropped the first", result.repeated_requests);
  core::Record lost = r.only(choice.setup_drop != 0.0);
  lost.add("repeated_messages", "between nodes; only with --setup-drop", result.repeated_messages);
  lost.add("lost_packets", "of nodes and switches; only with --setup-drop", result.lost_packets);
}

void describe_move(core::Record& r, const run::RunSpec& spec, const ChangeResult& result) {
  const ChangeRecord& m = result.record;
  const PlaceMove move = m.move.value_or(PlaceMove());
  add_group(r, spec, m.gid);
  r.add("switch", "where", move.sw);
  r.add("to", move.to_memory ? "memory" : "register").one_of({"memory", "register"});
  r.add("first_barrier", "after the move, from 0", m.first_barrier);
  r.add("messages", "between nodes", m.messages);
  r.add("register_requests", "to switches meanwhile, all groups", m.requests);
  r.add("decided_in_cycle", "at the root node", m.decided);
  r.add("confirmed_cycles", "until all steps were confirmed", m.finished - m.decided);
}

void describe_spill(core::Record& r, const run::RunSpec& spec, const Result& result,
                    const Spec& choice) {
  const SpillCost cost = result.spill.value_or(SpillCost());
  std::vector<std::size_t> groups;
  for (std::size_t g = 0; g < spec.groups.size(); ++g)
    if (!result.spilled_switches(g).empty()) groups.push_back(g);
  r.list("groups", "groups spilled at any switch", groups, [&](core::Record& group, std::size_t g) {
    add_group(group, spec, g);
    group.add("switches", result.spilled_switches(g)).some_unique();
  });
  r.add("messages_handed_over", "switch to spill node", cost.handed_over);
  r.add("messages_answered", "spill node to switch", cost.answered);
  r.add("messages_dropped", "of unknown groups", cost.dropped);
  const auto latency = [&](const char* key, std::uint64_t barriers, double mean) {
    r.add(key, [&](core::Record& cycles) {
      cycles.add("barriers", "number of barriers", barriers);
      cycles.null_unless(barriers != 0).add("mean", "null over none", mean);
    });
  };
  latency("latency_spilled_cycles", cost.spilled_barriers, cost.spilled_latency_mean);
  latency("latency_others_cycles", cost.other_barriers, cost.other_latency_mean);
  core::Record moved = r.only(choice.evict_after != 0);
  moved.list("moves", "groups between register and memory, as done; only with --evict-after",
             result.moves, describe_move, spec);
  moved.add("moves_refused", "requested moves that were refused; only with --evict-after",
            result.moves_refused);
}

constexpr std::size_t kMaxNames = 8;  ///< groups listed for each switch

/// How often groups have moved between register and memory.
std::string moves_text(const run::RunSpec& spec, const Result& result) {
  if (run::own<Spec>(spec).evict_after == 0) return {};
  const auto out = std::ranges::count_if(
      result.moves, [](const ChangeResult& m) { return m.record.move->to_memory; });
  return fmt::format("moves        {} out of registers, {} back, {} refused\n", out,
                     static_cast<std::ptrdiff_t>(result.moves.size()) - out, result.moves_refused);
}

/// Which groups were spilled, by switch, and what it cost.
std::string spill_text(const run::RunSpec& spec, const Result& result) {
  const SpillCost& cost = *result.spill;
  std::map<topology::SwitchId, std::vector<std::string>> at;
  for (const RegisterSlot& r : result.registers)
    if (r.spilled)
      at[r.image.sw].push_back(fmt::format("{} ({})", r.group, spec.groups[r.group].name));
  if (at.empty()) return "spill        no group: all have registers\n";
  std::string text;
  for (auto& [sw, names] : at) {
    const std::size_t more = names.size() - std::min(names.size(), kMaxNames);
    names.resize(names.size() - more);
    text += fmt::format("spill        {}: groups {}{}\n", topology::switch_text(*spec.graph, sw),
                        fmt::join(names, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
  }
  const auto mean = [](std::uint64_t barriers, double latency) {
    return barriers == 0 ? "none" : fmt::format("{} of {:.1f} cycles", barriers, latency);
  };
  return text + fmt::format(
                    "spill        {} messages passed to nodes, {} answered, {} dropped; barriers "
                    "of spilled groups: {}, of others: {}\n",
                    cost.handed_over, cost.answered, cost.dropped,
                    mean(cost.spilled_barriers, cost.spilled_latency_mean),
                    mean(cost.other_barriers, cost.other_latency_mean));
}

std::string changes_text(const run::RunSpec& spec, const Result& result) {
  std::string text;
  for (const RequestResult& r : result.requests)
    if (!r.refused.empty())
      text += fmt::format("refused      n{} {} group {}: {}\n", r.request.node,
                          r.request.join ? "does not join" : "does not leave",
                          spec.groups[r.request.group].name, r.refused);
  for (const ChangeResult& c : result.changes) {
    const ChangeRecord& r = c.record;
    if (!c.refused.empty()) continue;
    text += fmt::format(
        "change       group {} before barrier {}: {} joined, {} left{}; registers {} added, {} "
        "rewritten, {} freed, {} kept; {} messages, confirmed in {} cycles\n",
        spec.groups[r.gid].name, r.first_barrier, r.joined.size(), r.left.size(),
        r.link ? ", away from a dead link" : "", r.added, r.rewritten, r.freed, r.kept, r.messages,
        r.finished - r.decided);
  }
  return text;
}

/// The lines of a run's summary about groups: set-up, spill, changes and dead links.
std::string groups_text(const run::RunSpec& spec, const Result& result) {
  std::string text;
  for (std::size_t g = 0; g < result.times.size(); ++g)
    text += fmt::format("set-up       group {}: created in {} cycles, released in {}\n",
                        spec.groups[g].name, result.times[g].creation_cycles,
                        result.times[g].release_cycles);
  if (run::own<Spec>(spec).setup_drop != 0.0)
    text += fmt::format("set-up       {} packets lost; {} messages and {} requests repeated\n",
                        result.lost_packets, result.repeated_messages, result.repeated_requests);
  if (result.spill) text += spill_text(spec, result) + moves_text(spec, result);
  return text + changes_text(spec, result);
}

std::unique_ptr<run::SchemePlan> plan(const run::ResolvedRun& run) {
  return std::make_unique<BtinPlan>(run);
}

class Btin final : public run::System {
 public:
  Btin()
      : System({.name = "btin",
                .switch_kinds = {&kBarrierSwitch},
                .schemes = {{.name = "btin",
                             .about = "barrier registers in switches combine messages of one flit",
                             .plan = plan,
                             .reroutes_dead_links = true,
                             .survives_deaths = true,
                             .repeats = "lost barrier messages (--retry)"}}}) {}

  std::unique_ptr<run::SystemOptions> options() const override { return make_options(); }
  std::vector<std::unique_ptr<run::Command>> commands() const override {
    std::vector<std::unique_ptr<run::Command>> commands;
    commands.push_back(tree_command());
    return commands;
  }
  void check(const run::RunSpec& spec, const run::SchemeFactory& scheme) const override {
    check_spec(spec, scheme);
  }
  void report(const run::RunSpec& spec, const run::RunResult& result,
              run::Report& out) const override {
    const auto choice = run::own_or_default<Spec>(spec);
    const auto own = run::own_or_default<Result>(result);
    run::put_fields(choice, out.parameters);
    const bool rooted = std::ranges::any_of(
        spec.groups, [](const run::RunGroup& group) { return group.members.size() > 1; });
    out.parameters.only(choice.root && rooted)
        .add("root", "the root switch of all trees; only with --root", choice.root.value_or(0));
    out.parameters.only(choice.retry)
        .add("retry", "registers and members that repeat messages; only with --retry",
             [&](core::Record& r) { run::put_fields(choice.retries, r); });
    out.result.null_unless(choice.in_band)
        .add("setup", "groups created and released by messages; null unless in band",
             [&](core::Record& r) { describe_setup(r, spec, own, choice); });
    out.result.only(own.retries.has_value())
        .add("retries", "barrier messages of registers that repeat; only with --retry",
             [&](core::Record& r) { describe_retries(r, own.retries.value_or(RetryCounts())); });
    out.result.null_unless(own.spill.has_value())
        .add("spill", "groups in the memory of spill nodes; null without --spill",
             [&](core::Record& r) { describe_spill(r, spec, own, choice); });
    const bool here = run::find_own<Result>(result) != nullptr;
    out.result.null_unless(here && changes(spec))
        .add("changes", "membership and links while groups are alive; null without such options",
             [&](core::Record& r) {
               r.list("wishes", "membership requests", own.requests, describe_request, spec);
               r.list("groups", "", own.changes, describe_change, spec);
               r.add("links", result.links);
             });
    if (!here) return;
    out.text = groups_text(spec, own) + retries_text(own);
  }
  void barrier_json(const run::RunResult& result, const run::BarrierRecord& barrier,
                    core::Record& out) const override {
    const Result* own = run::find_own<Result>(result);
    out.add("spilled_switches", "switches of the barrier's tree where its group has no register",
            own == nullptr ? std::size_t{0} : own->spilled_in(barrier.group, barrier.number));
  }
  void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups) const override {
    using checkers::Concern;
    const auto* const own = core::as<const checkers::BarrierTrees>(&groups);
    const auto trees = own == nullptr ? checkers::BarrierTrees{} : *own;
    const bool applies = !groups.own_messages;
    if (trees.repeated) {
      list.add(std::make_unique<checkers::RetrySafety>(list.subject(), trees.groups),
               Concern::kBarrierMessages, applies);
      return;
    }
    list.watch(list.add(
        std::make_unique<checkers::BarrierSafety>(list.subject(), trees.groups, trees.spill),
        Concern::kBarrierMessages, applies));
    list.add(std::make_unique<checkers::SpillMessages>(list.subject(), trees.spill),
             Concern::kBarrierMessages, applies);
  }
  std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                       const fabric::Formats& formats) const override {
    using Seen = run::SeenMessage::Kind;
    if (flits.front().sync()) {
      const fabric::BarrierMessage message = formats.barrier_message(flits.front());
      static constexpr Seen kSeen[] = {Seen::kUp, Seen::kDown, Seen::kSpill, Seen::kSpill};
      return run::SeenMessage{kSeen[static_cast<unsigned>(message.type)], message.gid};
    }
    // Of membership and registers; the third flit of a packet about a group says which.
    const std::uint8_t opcode = fabric::Formats::opcode(flits.front());
    if (opcode == fabric::kOpcodeGroup && flits.size() > 2)
      return run::SeenMessage{Seen::kSetUp, static_cast<std::uint32_t>(flits[2].lo & 0xfff)};
    if (opcode == fabric::kOpcodeRequest || opcode == fabric::kOpcodeAnswer)
      return run::SeenMessage{Seen::kSetUp, run::SeenMessage::kNoGroup};
    return std::nullopt;
  }
  void entries(core::Bank& switches, std::uint32_t sw, const fabric::SwitchConfig& config,
               std::vector<run::SwitchEntry>& out) const override {
    using Entry = run::SwitchEntry;
    const bool many = variant(config).groups != 0, retry = variant(config).retry;
    for (std::uint32_t place = 0; place < group_places(config); ++place) {
      // The window on a group in block RAM has the words of a register; a bank may not show them.
      const auto word = [&](std::uint32_t of_first) {
        return many ? switches.memory_word(sw, place, of_first - regs::control(0))
                    : switches.read_register(sw, of_first + regs::kBarrierWords * place);
      };
      const auto mask = [&](std::uint32_t of_first) {
        return regs::read_mask(of_first, config.ports, word);
      };
      const std::uint32_t control = word(regs::control(0));
      const bool valid = regs::kBarrierControlValid.of(control) != 0;
      const bool claimed = regs::kBarrierControlClaimed.of(control) != 0;
      if (!valid && !claimed) continue;
      const std::uint32_t state = word(regs::state(0));
      std::uint32_t flags = (many ? Entry::kMemory : 0) | (valid ? Entry::kValid : 0);
      if (claimed) flags |= Entry::kClaimed;
      if (regs::kBarrierControlTurn.of(control) != 0) flags |= Entry::kRoot;
      if (regs::kBarrierStateSent.of(state) != 0) flags |= Entry::kSent;
      if (retry && regs::kBarrierStateFailed.of(state) != 0) flags |= Entry::kFailed;
      if (retry && regs::kBarrierStateSuspect.of(state) != 0) flags |= Entry::kSuspect;
      out.push_back({.place = place,
                     .gid = many ? place : regs::kBarrierControlGid.of(control),
                     .flags = static_cast<std::uint16_t>(flags),
                     .parent = regs::kBarrierControlParent.of(control),
                     .children = mask(regs::children(0)),
                     .arrived = mask(regs::arrived(0)),
                     .serve = mask(regs::serve(0))});
    }
  }
};

}  // namespace

constinit const fabric::SwitchKind kBarrierSwitch = {
    .name = "barrier",
    .module = "muster_barrier_switch",
    .number = 1,
    .variants = kVariants,
    .max_rtl_ports = 32,
    .credit_turn = 2,
    .phases = true,
    .late_writes = true,
    .golden = golden::by_ports<golden::narrow::barrier_switches, golden::wide::barrier_switches>,
    .sync_text = fabric::barrier_message_text};

std::vector<topology::SwitchId> Result::spilled_switches(std::size_t group) const {
  std::vector<topology::SwitchId> switches;
  for (const RegisterSlot& r : registers)
    if (r.spilled && r.group == group) switches.push_back(r.image.sw);
  return switches;
}

std::size_t Result::spilled_in(std::size_t group, std::uint64_t barrier) const {
  const auto after = spilled.upper_bound({group, barrier});
  if (after == spilled.begin()) return 0;
  const auto& [since, switches] = *std::prev(after);
  return since.first == group ? switches : 0;
}

void describe_change(core::Record& r, const run::RunSpec& spec, const ChangeResult& result) {
  const ChangeRecord& c = result.record;
  const auto names = [&](const char* key, const std::vector<topology::NodeId>& nodes) {
    r.list(key, "", nodes, [&](topology::NodeId n) {
       return topology::node_name(*spec.graph, n);
     }).each_like(core::kPort);
  };
  add_group(r, spec, c.gid);
  names("joined", c.joined);
  names("left", c.left);
  r.add("dead_link", "because a link of its tree is dead", c.link);
  add_refused(r, result.refused);
  r.add("first_barrier", "first barrier with the new members on the new tree", c.first_barrier);
  r.add("registers", "barrier registers of switches", [&](core::Record& registers) {
    registers.add("added", c.added);
    registers.add("rewritten", c.rewritten);
    registers.add("freed", c.freed);
    registers.add("kept", c.kept);
  });
  r.add("messages", "between nodes", c.messages);
  r.add("register_requests", "to switches, of all groups", c.requests);
  r.add("decided_in_cycle", "the root node began; with bsr-*: the link was declared dead",
        c.decided);
  r.null_unless(c.finished != 0)
      .add("confirmed_cycles",
           "from then until the root node had all confirmations; with bsr-*: until no message was "
           "on an old route, null if that was not reached",
           c.finished - c.decided);
  r.null_unless(result.first_release.has_value())
      .add("first_barrier_cycles",
           "from then to the last release of first_barrier; null if there was none",
           result.first_release.value_or(c.decided) - c.decided);
}

std::unique_ptr<run::System> make_system() { return std::make_unique<Btin>(); }

}  // namespace muster::btin
