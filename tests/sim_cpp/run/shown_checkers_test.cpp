// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <memory>

#include "fabric/checkers/conservation.hpp"
#include "fabric/checkers/credits.hpp"
#include "fabric/checkers/delivery.hpp"
#include "fabric/checkers/fair_service.hpp"
#include "fabric/checkers/packets.hpp"
#include "fabric/checkers/register_packets.hpp"
#include "fabric/checkers/route_legality.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/systems/btin.hpp"
#include "run_fixture.hpp"

namespace muster::checkers {
namespace {

/// Has checkers of links of its own, and shows each what it says that it sees.
class Mirror : public LinkChecker {
 public:
  using Checks = std::map<std::string, std::uint64_t>;
  Mirror(const Subject& subject, Checks& checks) : LinkChecker("mirror", subject), checks_(checks) {
    add<Packets>();
    add<Credits>();
    add<RouteLegality>();
    add<Conservation>();
    add<Delivery>();
    add<RegisterPackets>();
    add<FairService>();
  }
  Sees sees() const override {
    return {.sync = true,
            .heads = true,
            .bodies = true,
            .virtual_channels = Sees::VirtualChannels::kBoth,
            .credits = true,
            .behind_pipe = true,
            .cycles = true};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    for (const auto& checker : own_)
      if (wants(checker->sees(), event)) checker->flit(cycle, event);
  }
  void credit(std::uint64_t cycle, const core::CreditEvent& event) override {
    for (const auto& checker : own_)
      if (checker->sees().credits) checker->credit(cycle, event);
  }
  void flit_behind_pipe(std::uint64_t cycle, const core::FlitEvent& event) override {
    for (const auto& checker : own_)
      if (checker->sees().behind_pipe) checker->flit_behind_pipe(cycle, event);
  }
  void credit_behind_pipe(std::uint64_t cycle, const core::CreditEvent& event) override {
    for (const auto& checker : own_)
      if (checker->sees().behind_pipe) checker->credit_behind_pipe(cycle, event);
  }
  void end_cycle(std::uint64_t cycle) override {
    for (const auto& checker : own_) checker->end_cycle(cycle);
  }
  void finish(std::uint64_t cycle, bool drained) override {
    for (const auto& checker : own_) {
      checker->finish(cycle, drained);
      checks_[checker->name()] = checker->checks();
    }
  }

 private:
  template <class C>
  void add() {
    own_.push_back(std::make_unique<C>(subject_));
  }
  bool wants(const Sees& sees, const core::FlitEvent& event) const {
    const core::Flit& flit = event.flit;
    const bool at_node = event.channel >= subject_.layout.into_switch(0);
    if (sees.channels == Sees::Channels::kOfNodes && !at_node) return false;
    if (sees.virtual_channels != Sees::VirtualChannels::kBoth &&
        (flit.vc == subject_.worm_channel) !=
            (sees.virtual_channels == Sees::VirtualChannels::kWorms))
      return false;
    return flit.sync() ? sees.sync : flit.head() ? sees.heads : sees.bodies;
  }

  Checks& checks_;
  std::vector<std::unique_ptr<LinkChecker>> own_;
};

TEST_CASE("the checkers of links are shown what they say that they see", "[checkers][list][run]") {
  const test::Subject network = test::Subject::figure1();
  const std::string scheme = GENERATE("btin", "in band", "unicast", "multicast", "bsr-1", "bsr-3");
  const std::string profile = GENERATE("native", "ts-100");
  CAPTURE(scheme, profile);
  run::RunSpec spec = network.spec({"all"});
  if (scheme == "in band")
    spec.parts.make<btin::Spec>().in_band = true;
  else
    spec.scheme = scheme;
  spec.profile = run::find_profile(profile);
  spec.barriers = 5;
  spec.load_flits = 0.02;
  Mirror::Checks mirrored;
  spec.add_checkers = [&](CheckerList& list) {
    list.add(std::make_unique<Mirror>(list.subject(), mirrored));
  };
  const auto result = run::run_barriers(spec);
  CAPTURE(result.violations);
  REQUIRE(result.end == run::End::kComplete);
  std::size_t found = 0;
  for (const auto& total : result.checks) {
    if (mirrored.count(total.name) == 0) continue;
    CAPTURE(total.name);
    CHECK(total.passed == mirrored[total.name]);
    ++found;
  }
  CHECK(found == 7);
  CHECK(mirrored["fair service"] > 0);
  CHECK((mirrored["register packets"] > 0) == (scheme == "in band"));
}

}  // namespace
}  // namespace muster::checkers
