// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/record.hpp"
#include "systems/all.hpp"
#include "systems/nic/golden/nic_engine.hpp"
#include "systems/nic/nic_plan.hpp"

namespace muster::nic {

namespace {

using run::kMostHostCycles;
constexpr std::uint32_t kMostGap = 4095;  // of its register

namespace regs = registers;

template <StepAlgorithm algorithm>
std::unique_ptr<run::SchemePlan> plan(const run::ResolvedRun& run) {
  return std::make_unique<NicPlan>(run, algorithm);
}

/// What was typed of NICs, and of the profile and the faults that go with them.
class Options : public run::SpecOptions<NicSpec> {
 public:
  Options() {
    fields.number(
        "--bus-cycles", bus_, 0, kMostHostCycles,
        "NIC barriers: cycles of a crossing of the host bus; default that of the profile");
    fields.number("--pass-cycles", pass_, 0, kMostHostCycles,
                  "NIC barriers: cycles of a pass through a queue of the NIC; default that of the "
                  "profile");
    describe(fields, faults_);
  }
  void apply(run::RunSpec& spec) const override {
    fields.check();
    run::Profile& p = spec.profile;
    if (bus_) p.send = p.receive = p.bus = *bus_;
    // Also of a message that a doorbell starts, if it passes a queue in the profile.
    if (pass_ && p.interface_launch != 0) p.interface_launch = *pass_;
    if (pass_) p.interface_pass = *pass_;
    const auto typed = [&](auto... options) { return (fields.typed(options) || ...); };
    if (std::ranges::count_if(fields, &run::Field::typed) == bus_.has_value() + pass_.has_value())
      return;  // nothing is asked of the NICs
    auto& nic = run::own<NicSpec>(spec);
    nic = typed_;
    if (walked_by_hosts(nic.level) && !typed("--host-step")) nic.host_step = p.step;
    if (p.passes != 0 && point_to_point(nic.level) && !typed("--data-passes"))
      nic.data_passes = p.passes;
    if (nic.timeout == 0u && point_to_point(nic.level))
      throw InputError(
          "--timeout 0: a message that is dropped for lack of room would never be repeated; it "
          "needs --nic collective");
    if (nic.timeout == 0u && typed("--drop", "--corrupt"))
      throw InputError("--timeout 0: lost packets would never be requested again");
    if (typed("--drop", "--duplicate", "--delay", "--reorder", "--corrupt")) nic.faults = faults_;
  }

 private:
  std::optional<std::uint32_t> bus_, pass_;
  FaultRates faults_;
};

void describe_parameters(core::Record& r, const run::RunSpec& spec, const NicCost& cost) {
  NicSpec own = run::own_or_default<NicSpec>(spec);
  own.timeout = cost.timeout;  // of the network and the profile, if it is not given
  run::put_fields(own, r);
  r.null_unless(own.faults.has_value())
      .add("faults", "requested faults of packets; null without faults",
           [&](core::Record& f) { run::put_fields(own.faults.value_or(FaultRates()), f); });
}

void describe_cost(core::Record& r, const NicCost& c) {
  r.add("steps_sent", c.steps);
  r.add("nacks_sent", c.nacks);
  r.add("not_yets_sent", c.not_yets);
  r.add("acks_sent", c.acks);
  r.add("data_sent", c.data);
  r.add("messages_planned", "STEP or DATA messages of a barrier, all groups together",
        c.messages_planned);
  r.add("bus_crossings", "of the host bus", [&](core::Record& bus) {
    bus.add("doorbells", "host to NIC", c.doorbells);
    bus.add("events", "NIC to host", c.events);
  });
  r.add("messages_dropped", "by NICs; each NIC's counter stops at 255", [&](core::Record& dropped) {
    dropped.add("malformed", c.malformed);
    dropped.add("unknown", c.unknown);
    dropped.add("stale", c.stale);
    dropped.add("limited", c.limited);
  });
  r.add("faults", "number of packets with each fault", [&f = c.faults](core::Record& faults) {
    faults.add("packets", "that could be hit", f.packets);
    faults.add("dropped", f.dropped);
    faults.add("duplicated", f.duplicated);
    faults.add("delayed", f.delayed);
    faults.add("reordered", f.reordered);
    faults.add("corrupted", f.corrupted);
  });
}

class Nic final : public run::System {
 public:
  /// With profiles, such as those of the paper (section 8; results/reproduction.md has the
  /// derivation), a step of a collective barrier passes two queues, so a trigger takes two passes
  /// and the RTL's own cycles; a barrier of two nodes takes what its host-launched message does, a
  /// doorbell and an event. Messages of schemes without a NIC cross the bus between host and link.
  Nic()
      : System(
            {.name = "nic",
             .schemes = {scheme("nic-dissemination",
                                "NICs in log2 n rounds, each a message to a NIC further off",
                                plan<StepAlgorithm::kDissemination>),
                         scheme("nic-pairwise", "NICs exchange messages in pairs",
                                plan<StepAlgorithm::kPairwise>),
                         scheme("nic-gather", "NICs gather and broadcast along a tree of nodes",
                                plan<StepAlgorithm::kGatherBroadcast>),
                         {.name = kBroadcastScheme,
                          .about = "a NIC asks all others through broadcasting switches, a model",
                          .plan = plan_broadcast}}}) {}

  void add_golden_makers(fabric::BlockMakers& makers) const override {
    makers.add<NicFactory>(std::make_shared<golden::GoldenNics>());
  }
  std::unique_ptr<run::SystemOptions> options() const override {
    return std::make_unique<Options>();
  }
  void check(const run::RunSpec& spec, const run::SchemeFactory&) const override {
    const NicSpec& own = run::own<NicSpec>(spec);
    run::check_fields(own);
    run::check_fields(own.faults.value_or(FaultRates()));
  }
  void report(const run::RunSpec& spec, const run::RunResult& result,
              run::Report& out) const override {
    const NicCost* cost = run::find_own<NicCost>(result);
    const auto own = run::own_or_default<NicCost>(result);
    out.parameters.null_unless(cost != nullptr)
        .add("nic", "NICs of the nodes; null in runs without",
             [&](core::Record& asked) { describe_parameters(asked, spec, own); });
    out.result.null_unless(cost != nullptr)
        .add("nic", "packets of all NICs; null in runs without",
             [&](core::Record& measured) { describe_cost(measured, own); });
    if (cost == nullptr) return;
    out.text = fmt::format(
        "nic          {} steps, {} nacks, {} not-yets, {} data, {} acks; {} doorbells, {} events; "
        "timeout {} cycles\n",
        cost->steps, cost->nacks, cost->not_yets, cost->data, cost->acks, cost->doorbells,
        cost->events, cost->timeout);
    if (const FaultCounts& f = cost->faults; f.packets != 0)
      out.text += fmt::format(
          "faults       of {} packets {} dropped, {} duplicated, {} delayed, {} reordered, {} "
          "corrupted\n",
          f.packets, f.dropped, f.duplicated, f.delayed, f.reordered, f.corrupted);
  }
  void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups) const override {
    const auto* const own = core::as<const checkers::NicGroups>(&groups);
    list.add(std::make_unique<checkers::NicBarriers>(
                 list.subject(), own == nullptr ? std::vector<checkers::NicGroup>{} : own->groups),
             checkers::Concern::kBarrierPackets);
  }
  std::string packet_text(std::span<const core::Flit> flits) const override {
    if (fabric::Formats::opcode(flits.front()) != fabric::kOpcodeDevice) return {};
    const auto m = nic_message(flits);
    if (!m) return "not a NIC message: length, CRC or type";
    return fmt::format("{} from {} to {}, slot {}, group {}, barrier {}, packet {}",
                       kNicTypeNames[static_cast<unsigned>(m->type)], m->source, m->destination,
                       m->slot, m->group, m->barrier, m->packet);
  }
  std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                       const fabric::Formats&) const override {
    using Kind = run::SeenMessage::Kind;
    if (flits.front().sync() || fabric::Formats::opcode(flits.front()) != fabric::kOpcodeDevice)
      return std::nullopt;
    const std::optional<NicMessage> message = nic_message(flits);
    if (!message) return std::nullopt;
    static constexpr Kind kKinds[] = {Kind::kStep, Kind::kRetry, Kind::kRetry, Kind::kAck,
                                      Kind::kDown};  // by NicType
    return run::SeenMessage{kKinds[static_cast<unsigned>(message->type)], message->group};
  }
  void contexts(core::Bank& devices, topology::NodeId node,
                std::vector<run::NodeContext>& out) const override {
    using Context = run::NodeContext;
    const std::uint32_t sizes = devices.read_register(node, regs::kSizes);
    const bool events = regs::kSizesChained.of(sizes) != 0;
    for (std::uint32_t c = 0; c < regs::kSizesContexts.of(sizes); ++c) {
      const std::uint32_t control = devices.read_register(node, regs::control(c));
      if (regs::kContextsControlValid.of(control) == 0) continue;
      std::uint32_t flags = Context::kValid | (events ? Context::kEvents : 0);
      if (regs::kContextsControlDirect.of(control) != 0) flags |= Context::kDirect;
      out.push_back({.place = c,
                     .gid = regs::kContextsControlGid.of(control),
                     .flags = static_cast<std::uint16_t>(flags),
                     .phase = static_cast<Context::Phase>(regs::kContextsControlPhase.of(control)),
                     .number = regs::kContextsControlSeq.of(control),
                     .entry = regs::kContextsControlPc.of(control),
                     .received = devices.read_register(node, regs::received(c)),
                     .sent = devices.read_register(node, regs::sent(c))});
    }
  }

 private:
  static run::SchemeFactory scheme(const char* name, const char* about,
                                   decltype(run::SchemeFactory::plan) plan) {
    return {.name = name,
            .about = about,
            .plan = plan,
            .survives_deaths = true,
            .waves_of_nodes = true,
            .repeats = "lost packets (--drop)"};
  }
};

}  // namespace

void describe(run::Fields& f, NicSpec& s) {
  f.unlike("has no NICs");
  f.choice(
      {"--nic", "level"}, s.level,
      {{"rdma", NicLevel::kRdma},
       {"host", NicLevel::kHost},
       {"direct", NicLevel::kDirect},
       {"collective", NicLevel::kCollective}},
      "NIC barriers: the host walks the step list, by remote writes (rdma) or messages (host), "
      "or the NIC does, through its point-to-point path (direct) or without it (collective)");
  f.number({"--degree", "degree"}, s.degree, 1, 32,
           "NIC barriers: degree of gather-broadcast's tree, default 4; radix of dissemination, "
           "default 2");
  f.flag({"--chained", "chained"}, s.form, ListForm::kChained,
         "NIC barriers: remote writes count events, which fire descriptors, as on Quadrics");
  f.number({"--timeout", "timeout_cycles"}, s.timeout, 0, 65535,
           "NIC barriers: cycles before a NACK or a repetition, 0 for never; default derived from "
           "network and profile");
  f.number({"--retries", "retries"}, s.retries, 0, 15,
           "NIC barriers: timeouts without an answer before a peer is declared dead");
  f.number({"--host-step", "host_step_cycles"}, s.host_step, 0, kMostHostCycles,
           "NIC barriers walked by hosts: cycles of the program before each of its sends");
  f.number({"--data-passes", "data_passes"}, s.data_passes, 2, kMostDataPasses,
           "NIC barriers, point-to-point path: queues that a DATA message passes");
  f.number({"--nack-gap", "nack_gap_cycles"}, s.gap, 0, kMostGap,
           "NIC barriers: least cycles between two NACKs of a NIC");
}

void describe(run::Fields& f, FaultRates& s) {
  f.unlike("has no NICs");
  const auto share = [&f](const char* option, double& member, const char* key, const char* help) {
    f.real({option, key}, member, 0, 1, help);
  };
  share("--drop", s.drop, "drop", "Fault: share of NIC packets that are lost");
  share("--duplicate", s.duplicate, "duplicate", "Fault: share of NIC packets that are duplicated");
  share("--delay", s.delay, "delay",
        "Fault: share of NIC packets that are delayed, with those behind them");
  share("--reorder", s.reorder, "reorder", "Fault: share of NIC packets that are reordered");
  share("--corrupt", s.corrupt, "corrupt", "Fault: share of NIC packets with 1 to 3 bits flipped");
  f.number({"--longest-delay", "longest_delay_cycles"}, s.longest_delay, 1, kMostHostCycles,
           "Fault: longest delay of --delay and --reorder, in cycles")
      .needing({"--delay", "--reorder"}, "needs --delay or --reorder");
}

std::unique_ptr<run::System> make_system() { return std::make_unique<Nic>(); }

}  // namespace muster::nic
