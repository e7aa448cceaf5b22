// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/system.hpp"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "run/result_parts.hpp"
#include "systems/all.hpp"
#include "systems/preempt/bsr_scheme.hpp"
#include "systems/preempt/checkers/bsr_bound.hpp"
#include "systems/preempt/preempt_registers.hpp"

namespace muster::preempt {

void describe(run::Fields& f, Spec& s) {
  f.unlike("has no preempting switches");
  f.number({"--idle", "idle_cycles"}, s.idle, 0, 255,
           "Preempting switches: cycles for which a cut is kept after its last barrier flit");
  f.number({"--gap", "gap_cycles"}, s.gap, 0, 255,
           "Preempting switches: cycles after a barrier message in which an output takes no other");
  f.number({"--longest", "longest_cycles"}, s.longest, 0, 65535,
           "Preempting switches: cycles after which a cut takes no further message");
  f.flag("--random", s.random, "Preempting switches: cut a random channel; default: the last");
  f.choice({"--padding", "padding"}, s.padding, {{"on", true}, {"off", false}},
           "Preempting switches: pads behind a cut message");
  f.number(
      {"--message-flits", "message_flits"}, s.message_flits, 0, kBsrFlits,
      "Preempting switches: flits of a first message at most, 1 to 3; 0: of the configuration");
  f.number({"--spares", "spares"}, s.spares, 0, kMostSpares,
           "Preempting switches: barrier buffers beyond the first, of each input port and of the "
           "switch's own messages, at least");
}

namespace {

/// As a change of a tree of registers, of which nothing is written: the nodes exchange no messages
/// about it.
void describe_change(core::Record& r, const run::RunSpec& spec, const Change& c) {
  btin::ChangeRecord record;
  record.gid = c.group;
  record.link = true;
  record.first_barrier = c.first_barrier;
  record.kept = c.kept;
  record.decided = c.decided;
  record.finished = c.confirmed;
  btin::describe_change(r, spec, {record, "", c.first_release});
}

/// Their lines of a run's summary, those of the links excepted.
std::string changes_text(const run::RunSpec& spec, const Cost& cost) {
  std::string text;
  for (const Change& c : cost.changes) {
    if (c.confirmed == 0) continue;
    text += fmt::format(
        "change       group {} avoids a dead link from barrier {} on; {} status entries kept, no "
        "message on the old routes after {} cycles\n",
        spec.groups[c.group].name, c.first_barrier, c.kept, c.confirmed - c.decided);
  }
  return text;
}

template <const fabric::SwitchKind& kind>
std::unique_ptr<run::SchemePlan> plan(const run::ResolvedRun& run) {
  return plan_bsr(run, kind);
}

void describe_model(core::Record& r, const Model& m) {
  r.add("hops", "messages on these links", m.hops);
  r.add("occupied", "p: share of time in which a channel serves a packet", m.occupied);
  r.add("blocked", "p_f: share of this time without credit", m.blocked);
  r.add("blocked_cycles", "tau: mean time until it has one, from any cycle without",
        m.blocked_cycles);
  r.add("cut", "padding requests a message, in place of p^k", m.cut);
  r.add("preemption_cycles", "T_p: mean time from a padding request to its message's first flit",
        m.preemption_cycles);
}

/// Fields of a result; absent in runs of other systems.
void describe_cost(core::Record& result, const Cost* cost) {
  const Cost c = cost == nullptr ? Cost() : *cost;
  core::Record r = result.only(cost != nullptr);
  r.add("preemptions", "padding requests", c.preemptions);
  r.add("padding_flits", "on all links", c.padding_flits);
  r.add("max_hop_wait_cycles", "longest time for which a message waited for data at a hop",
        c.longest_hop_wait);
  r.only(c.hop_wait_bound.has_value())
      .add("bound_hop_wait_cycles",
           "the bound W of this wait: I 3, II 20, both 19 with one channel; absent for III",
           c.hop_wait_bound.value_or(0));
  r.add("theorem_2_cycles", "2 Tb H of each group", c.theorem_2);
  r.add("barrier_buffer_flits", "storage for barrier messages at each input port", c.buffer_flits);
  r.add("data_channels", "virtual channels of each link, all of data", c.data_channels).range(1, 3);
  r.add("model", "what equations (1) to (3) of the paper assume of the links between switches",
        [&](core::Record& model) { describe_model(model, c.model); });
  r.add("detours", "messages that left a switch by another legal port than the deterministic one",
        c.detours);
}

/// Theorem 2 and the bounds of the barriers, where they have one.
std::string bound_text(const run::RunResult& result, const Cost& cost) {
  if (cost.theorem_2.empty()) return "";  // data only
  std::string text =
      fmt::format("bound        Theorem 2 gives {} cycles", fmt::join(cost.theorem_2, ", "));
  std::vector<std::uint64_t> bounds;
  for (const run::BarrierRecord& b : result.barriers)
    if (b.bound_cycles) bounds.push_back(*b.bound_cycles);
  if (bounds.empty()) return text + "\n";
  const auto [least, most] = std::ranges::minmax(bounds);
  return text + fmt::format("; bound of each barrier: {} to {} cycles\n", least, most);
}

class Preempt final : public run::System {
 public:
  Preempt()
      : System({.name = "preempt",
                .switch_kinds = {&kBsr1, &kBsr2, &kBsr3},
                .schemes = {
                    scheme("bsr-1",
                           "messages build a tree of switches and preempt packets, on any channel",
                           plan<kBsr1>),
                    scheme("bsr-2", "as bsr-1, but on channel 0 of each link alone", plan<kBsr2>),
                    scheme("bsr-3",
                           "as bsr-1, but messages pass the buffers of data, with their credit",
                           plan<kBsr3>)}}) {}

  std::unique_ptr<run::SystemOptions> options() const override {
    return std::make_unique<run::SpecOptions<Spec>>();
  }
  void check(const run::RunSpec& spec, const run::SchemeFactory&) const override {
    run::check_fields(run::own<Spec>(spec));
  }
  void report(const run::RunSpec& spec, const run::RunResult& result,
              run::Report& out) const override {
    const Cost* cost = run::find_own<Cost>(result);
    const auto own = run::own_or_default<Spec>(spec);
    out.parameters.null_unless(cost != nullptr)
        .add("preempt", "settings of the switches; null for other schemes",
             [&](core::Record& policy) {
               run::put_fields(own, policy);
               policy
                   .add("choice", "choice of the data channel that is cut",
                        own.random ? "random" : "last")
                   .one_of({"last", "random"});
             });
    describe_cost(out.result, cost);
    if (cost == nullptr) return;
    if (!spec.killed.empty())
      out.result.add("changes", [&](core::Record& r) {
        r.add("wishes", std::vector<std::string>());
        r.list("groups", "", cost->changes, describe_change, spec);
        r.add("links", result.links);
      });
    out.text =
        fmt::format(
            "preemption   {} channels cut, {} pads; at most {} cycles of wait at a hop{}\n"
            "adaptive     {} times a message left a switch by another legal port\n",
            cost->preemptions, cost->padding_flits, cost->longest_hop_wait,
            cost->hop_wait_bound ? fmt::format(", the bound is {}", *cost->hop_wait_bound) : "",
            cost->detours) +
        bound_text(result, *cost) + changes_text(spec, *cost);
  }
  void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups) const override {
    using checkers::Concern;
    const auto* const own = core::as<const checkers::BsrGroups>(&groups);
    const auto trees = own == nullptr ? std::vector<BsrTree>{} : own->trees;
    const bool applies = list.subject().pads;
    list.add(std::make_unique<checkers::BsrMessages>(list.subject(), trees),
             Concern::kBarrierMessages, applies);
    list.add(std::make_unique<checkers::BsrBound>(list.subject(), trees, list.bounds().hop),
             Concern::kBarrierMessages, applies);
  }
  std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                       const fabric::Formats& formats) const override {
    using Kind = run::SeenMessage::Kind;
    if (!begins_bsr_message(flits.front())) return std::nullopt;
    const BsrType type = bsr_type(flits.front());
    const BsrFormat format(formats);
    if (flits.size() < bsr_length(type, format)) return std::nullopt;
    const BsrMessage message = bsr_message(flits, format);
    const Kind kind = type == BsrType::kReduction      ? Kind::kUp
                      : type == BsrType::kDistribution ? Kind::kDown
                                                       : Kind::kBuild;
    return run::SeenMessage{kind, message.gid};
  }
  void entries(core::Bank& switches, std::uint32_t sw, const fabric::SwitchConfig& config,
               std::vector<run::SwitchEntry>& out) const override {
    using Entry = run::SwitchEntry;
    for (std::uint32_t e = 0; e < config.regs; ++e) {
      const auto read = [&](std::uint32_t address) { return switches.read_register(sw, address); };
      const std::uint32_t word = read(registers::entry(e));
      if (registers::kEntriesControlValid.of(word) == 0) continue;
      std::uint32_t flags = Entry::kValid | Entry::kByName;
      if (registers::kEntriesControlCenter.of(word) != 0) flags |= Entry::kRoot;
      if (registers::kEntriesControlSent.of(word) != 0) flags |= Entry::kSent;
      out.push_back({.place = e,
                     .gid = registers::kEntriesControlGid.of(word),
                     .flags = static_cast<std::uint16_t>(flags),
                     .parent = registers::kEntriesWaysParent.of(
                         read(registers::entry(e, registers::kEntriesWays))),
                     .children = read(registers::entry(e, registers::kEntriesChildren)) |
                                 read(registers::entry(e, registers::kEntriesLocals)),
                     .arrived = read(registers::entry(e, registers::kEntriesArrived)),
                     .serve = read(registers::entry(e, registers::kEntriesServe))});
    }
  }

 private:
  static run::SchemeFactory scheme(const char* name, const char* about,
                                   decltype(run::SchemeFactory::plan) plan) {
    return {
        .name = name, .about = about, .plan = plan, .centered = true, .reroutes_dead_links = true};
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<Preempt>(); }

}  // namespace muster::preempt
