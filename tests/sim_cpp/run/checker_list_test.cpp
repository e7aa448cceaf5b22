// SPDX-License-Identifier: Apache-2.0
#include "muster/run/checker_list.hpp"

#include "sim_cpp/fabric/checkers/stage.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::checkers {
namespace {

TEST_CASE("no checker objects to random networks of golden switches", "[checkers][list]") {
  // There are no such groups, no worms, no spill ports, no requests to a switch, no preemption.
  const std::set<std::string> idle{"barrier bound",   "bsr messages", "nic barriers",
                                   "packet barriers", "packet trees", "register packets",
                                   "worms",           "spill"};
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    Random rng(seed, trial);
    const auto draw = [&](std::uint32_t least, std::uint32_t most) {
      return least + rng.below(most - least + 1);
    };
    // The most in every third network.
    const auto size = [&](std::uint32_t least, std::uint32_t most) {
      return draw(0, 2) == 0 ? most : draw(least, most);
    };
    const std::uint32_t ports = size(4, 16);
    const test::Subject subject(test::random_network(
        rng, 2, 24, ports, [&](std::uint32_t switches) { return switches * draw(1, ports / 2); }));
    std::vector<std::string> groups(size(1, 16));
    for (std::string& members : groups)
      members = "random:" + std::to_string(draw(1, subject.graph.nodes()));
    run::RunSpec spec = subject.spec(groups, rng.next());
    spec.config = fabric::SwitchConfig{.name = "random",
                                       .ports = ports,
                                       .vcs = size(1, 4),
                                       .depth = size(1, 16),
                                       .regs = 16,
                                       .flit_w = size(16, 80),
                                       .gid_w = size(4, 12),
                                       .kind = &btin::kBarrierSwitch};
    spec.barriers = 4;
    spec.spread = draw(0, 400);
    run::own<btin::Spec>(spec).reflect = draw(0, 1) != 0;
    spec.packet_length = draw(3, 18);
    spec.load_flits = (0.1 + 0.9 * rng.uniform()) * subject.route_bound();
    spec.min_cycles = 2000;
    CAPTURE(seed, trial, ports, groups, spec.config->vcs, spec.config->depth, spec.config->flit_w,
            spec.config->gid_w, spec.load_flits);
    const bool alone = std::ranges::all_of(
        spec.groups, [](const auto& group) { return group.members.size() == 1; });
    for (const auto& [name, passed] : test::completes(spec).checks) {
      CAPTURE(name);
      CHECK((idle.contains(name) ? passed == 0 : passed > 0 || alone));
    }
  }
}

/// Notes what it is shown.
class Witness : public LinkChecker {
 public:
  Witness(const Subject& subject, const Sees& sees)
      : LinkChecker("witness", subject), sees_(sees) {}
  Sees sees() const override { return sees_; }
  void flit(std::uint64_t, const core::FlitEvent& event) override {
    flits.emplace_back(event.channel, event.flit.vc);
  }
  void credit(std::uint64_t, const core::CreditEvent&) override { ++credits; }
  void flit_behind_pipe(std::uint64_t, const core::FlitEvent& event) override {
    behind.push_back(event.channel);
  }
  void credit_behind_pipe(std::uint64_t, const core::CreditEvent&) override { ++credits; }
  void end_cycle(std::uint64_t) override { ++cycles; }
  void finish(std::uint64_t, bool) override { ++ends; }

  std::vector<std::pair<core::ChannelId, std::uint8_t>> flits;  ///< channel, virtual channel
  std::vector<core::ChannelId> behind;
  int credits = 0, cycles = 0, ends = 0;

 private:
  Sees sees_;
};

/// What a witness notes of a message, a packet of which the first two flits go on, its credit, and
/// a worm.
Witness shown_to(const Sees& sees, bool applies = true) {
  const Stage stage;
  Subject subject = stage.subject();
  subject.vcs = 3;
  subject.worm_channel = 2;
  CheckerList list(subject, {}, [](CheckerList&) {});
  const Witness& witness =
      list.add(std::make_unique<Witness>(subject, sees), Concern::kWaits, applies);
  const fabric::Packet packet{.source = 0, .destination = 3, .length = 3, .vc = 1};
  const core::Flit head = stage.formats.packet_flit(packet, 0);
  const std::uint32_t destinations[] = {3};
  const auto worm = stage.formats.worm(destinations, {.source = 2}, 2);
  const core::FlitEvent first[] = {
      {Stage::kFromN1, stage.message(fabric::MessageType::kReduction, 7, 0)},
      {Stage::kFromN0, head},
      {Stage::kFromN2, worm[0]}};
  list.observe(5, first, {});
  const core::FlitEvent second[] = {{Stage::kFromN0, stage.formats.packet_flit(packet, 1)},
                                    {Stage::kOver, head}};
  const core::CreditEvent credit[] = {{Stage::kFromN0, 2}};
  list.observe(6, second, credit);
  list.finish(7, false);
  return witness;
}

TEST_CASE("a checker is shown what it sees and nothing else", "[checkers][list]") {
  using Flits = decltype(Witness::flits);
  using Channels = Sees::Channels;
  using Vcs = Sees::VirtualChannels;
  CHECK(shown_to({.sync = true}).flits == Flits{{Stage::kFromN1, 0}});
  CHECK(shown_to({.heads = true}).flits == Flits{{Stage::kFromN0, 1}, {Stage::kOver, 1}});
  CHECK(shown_to({.heads = true, .channels = Channels::kOfNodes}).flits ==
        Flits{{Stage::kFromN0, 1}});
  CHECK(shown_to({.bodies = true}).flits == Flits{{Stage::kFromN0, 1}});
  CHECK(shown_to({.heads = true, .virtual_channels = Vcs::kWorms}).flits ==
        Flits{{Stage::kFromN2, 2}});
  CHECK(shown_to({.heads = true, .virtual_channels = Vcs::kBoth}).flits.size() == 3);
  CHECK(shown_to({.heads = true, .data = false}).flits == Flits{});
  CHECK(shown_to({.bodies = true, .data = false}).flits == Flits{});
  CHECK(shown_to({.heads = true, .data = false, .virtual_channels = Vcs::kWorms}).flits ==
        Flits{{Stage::kFromN2, 2}});
  CHECK(shown_to({.credits = true}).credits == 1);
  CHECK(shown_to({.cycles = true}).cycles == 2);
  const Witness none =
      shown_to({.sync = true, .heads = true, .credits = true, .cycles = true}, false);
  CHECK(none.flits.empty());
  CHECK(none.credits == 0);
  CHECK(none.cycles == 0);
  CHECK(none.ends == 1);
}

TEST_CASE("both sides of the delay pipes are told apart", "[checkers][list]") {
  const Stage stage;
  Subject subject = stage.subject();
  subject.pipe = 4;
  CheckerList list(subject, {}, [](CheckerList&) {});
  const Sees sees{.heads = true, .credits = true, .behind_pipe = true};
  const Witness& witness = list.add(std::make_unique<Witness>(subject, sees));
  const auto pipes = static_cast<core::ChannelId>(stage.layout.channels().size());
  const core::FlitEvent before[] = {{Stage::kFromN0, Stage::flit(core::Flit::kHead, 3, 0)}};
  const core::FlitEvent behind[] = {{pipes + Stage::kFromN0, before[0].flit}};
  const core::CreditEvent credit[] = {{pipes + Stage::kFromN0, 1}};
  list.observe(1, before, {});
  CHECK(witness.flits.size() == 1);
  CHECK(witness.behind.empty());
  list.observe(5, behind, credit);
  CHECK(witness.flits.size() == 1);
  CHECK(witness.behind == std::vector<core::ChannelId>{Stage::kFromN0});
  CHECK(witness.credits == 1);
  CHECK_THAT(report_of([&] { list.observe(6, {}, credit); }),
             Contains("checker credits: credit of virtual channel 0 returned for no flit"));
}

TEST_CASE("who sees no data sees whole packets of other opcodes", "[checkers][list]") {
  const Stage stage;
  CheckerList list(stage.subject(), {}, [](CheckerList&) {});
  const Sees sees{.heads = true, .bodies = true, .data = false};
  const Witness& witness = list.add(std::make_unique<Witness>(stage.subject(), sees));
  const fabric::Packet data{.source = 0, .destination = 3, .length = 4};
  const fabric::Packet other{
      .source = 0, .destination = 3, .length = 3, .vc = 1, .opcode = fabric::kOpcodeGroup};
  const std::pair<fabric::Packet, std::uint32_t> flits[] = {
      {data, 0}, {other, 0}, {data, 1}, {other, 1}, {data, 2}, {data, 3}, {other, 2}};
  std::uint64_t cycle = 0;
  decltype(Witness::flits) wanted;
  for (const core::ChannelId channel : {Stage::kFromN0, Stage::kOver}) {
    wanted.insert(wanted.end(), 3, {channel, 1});
    for (const auto& [packet, i] : flits) {
      const core::FlitEvent event[] = {{channel, stage.formats.packet_flit(packet, i)}};
      const core::CreditEvent credit[] = {
          {channel, static_cast<std::uint8_t>(1u << event[0].flit.vc)}};
      list.observe(++cycle, event, credit);
    }
  }
  CHECK(witness.flits == wanted);
}

/// Keeps what is on the links of a run, and shows it again to a list of all and to one whose
/// network is divided at random: as it was, and with faults.
class Replay : public core::Observer {
 public:
  explicit Replay(std::uint64_t seed) : rng_(seed) {}
  void observe(std::uint64_t, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override {
    cycles_.emplace_back(Flits(flits.begin(), flits.end()),
                         Credits(credits.begin(), credits.end()));
  }
  void finish(std::uint64_t, bool drained) override {
    CHECK(show(drained).empty());
    for (int fault = 0; fault < 40; ++fault) {
      const auto right = cycles_;
      for (std::uint64_t faults = 1 + rng_.below(4), at = 0; at < faults; ++at) spoil();
      const std::string report = show(drained);
      if (report.find("checker ") != report.npos)
        found.insert(report.substr(report.find("checker "), 14));
      cycles_ = right;
    }
  }
  const CheckerList* run = nullptr;
  std::set<std::string> found;  ///< checkers that have objected, the beginning of their names

 private:
  using Flits = std::vector<core::FlitEvent>;
  using Credits = std::vector<core::CreditEvent>;
  void spoil() {
    auto& [flits, credits] = cycles_[rng_.below(cycles_.size())];
    if (flits.empty() || credits.empty()) return;
    core::FlitEvent& e = flits[rng_.below(flits.size())];
    switch (rng_.below(8)) {
      case 0:
        e.flit.vc = static_cast<std::uint8_t>(rng_.below(256));
        break;
      case 1:
        e.flit.kind ^= 1u << rng_.below(3);
        break;
      case 2:
        e.flit.lo ^= std::uint64_t{1} << rng_.below(12);
        break;
      case 3:
        e.flit.lo = rng_.next();
        break;
      case 4:
        flits.erase(flits.begin() + (&e - flits.data()));
        break;
      case 5:
        credits[rng_.below(credits.size())].credits ^= 1u << rng_.below(3);
        break;
      case 6:
        credits.pop_back();
        break;
      default:
        std::swap(e.flit, flits[rng_.below(flits.size())].flit);
    }
  }
  /// What the list of all reports, after a look at what the other one does.
  std::string show(bool drained) {
    const Subject& subject = run->subject();
    const auto& channels = subject.layout.channels();
    const std::size_t partitions = 2 + rng_.below(4);
    std::vector<std::uint8_t> of_block(subject.graph.switches() + subject.graph.nodes());
    for (std::uint8_t& of : of_block) of = static_cast<std::uint8_t>(rng_.below(partitions));
    std::vector<core::EndPartitions> ends;
    const auto of = [&](const fabric::End& end) {
      return of_block[end.node ? subject.graph.switches() + end.id : end.id];
    };
    for (const fabric::Channel& channel : channels)
      ends.push_back({of(channel.from), of(channel.to)});
    CheckerList all(subject, run->bounds(), [](CheckerList&) {});
    CheckerList divided(subject, run->bounds(), [](CheckerList&) {});
    divided.divide(partitions, ends);
    const auto of_divided = [&](std::uint64_t cycle) {
      const auto& [flits, credits] = cycles_[cycle];
      for (std::size_t p = 0; p < partitions; ++p) {
        Flits sent, entering;
        Credits returned;
        std::ranges::copy_if(flits, std::back_inserter(sent),
                             [&](const auto& e) { return ends[e.channel].sender == p; });
        std::ranges::copy_if(flits, std::back_inserter(entering), [&](const auto& e) {
          return ends[e.channel].receiver == p && ends[e.channel].sender != p;
        });
        std::ranges::copy_if(credits, std::back_inserter(returned),
                             [&](const auto& e) { return ends[e.channel].receiver == p; });
        divided.observe_partition(p, cycle, sent, entering, returned);
      }
      divided.observe(cycle, flits, credits);
    };
    std::string report;
    for (std::uint64_t cycle = 0; cycle < cycles_.size() && report.empty(); ++cycle) {
      const auto& [flits, credits] = cycles_[cycle];
      report = report_of([&] { all.observe(cycle, flits, credits); });
      REQUIRE(report_of([&] { of_divided(cycle); }) == report);
    }
    if (report.empty()) {
      report = report_of([&] { all.finish(cycles_.size(), drained); });
      CHECK(report_of([&] { divided.finish(cycles_.size(), drained); }) == report);
    }
    for (std::size_t i = 0; i < all.totals().size(); ++i) {
      CAPTURE(all.totals()[i].name);
      CHECK(divided.totals()[i].checks == all.totals()[i].checks);
    }
    return report;
  }
  Random rng_;
  std::vector<std::pair<Flits, Credits>> cycles_;
};

TEST_CASE("a divided network is checked as a whole one, and of several breaches the same is first",
          "[checkers][list][threads]") {
  const std::uint64_t seed = muster_seed();
  std::set<std::string> found;
  for (std::uint64_t trial = 0; trial < 8; ++trial) {
    CAPTURE(trial, seed);
    test::RandomRun run(seed + 5, trial, 4);
    auto replay = std::make_shared<Replay>(seed + trial);
    run.spec.observers.push_back(replay);
    run.spec.add_checkers = [&](const CheckerList& list) { replay->run = &list; };
    test::completes(run.spec);
    found.merge(replay->found);
  }
  CHECK(found.size() >= 4);
}

}  // namespace
}  // namespace muster::checkers
