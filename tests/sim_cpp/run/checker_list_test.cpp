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
  for (std::uint64_t trial = 0; trial < 30; ++trial) {
    Random rng(seed, trial);
    test::RandomRun run(seed + 21, trial, 8);
    const auto draw = [&](std::uint32_t least, std::uint32_t count) {
      return least + rng.below(count);
    };
    run.spec.config = fabric::SwitchConfig{.name = "random",
                                           .vcs = draw(1, 4),
                                           .depth = draw(1, 6),
                                           .flit_w = draw(16, 65),
                                           .kind = &btin::kBarrierSwitch};
    run.spec.load_flits *= 0.3 / run.load;
    run.spec.min_cycles = 2000;
    CAPTURE(trial, run.text(), run.spec.config->vcs, run.spec.config->depth);
    const bool alone = std::ranges::all_of(
        run.spec.groups, [](const auto& group) { return group.members.size() == 1; });
    for (const auto& [name, passed] : test::completes(run.spec).checks) {
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

}  // namespace
}  // namespace muster::checkers
