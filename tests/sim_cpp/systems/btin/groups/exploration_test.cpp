// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/systems/btin/groups/exploration.hpp"

#include <unordered_set>

#include "systems/btin/tree.hpp"

namespace muster::btin {

/// Switches in a row, `nodes[s]` of them on switch s.
inline topology::Graph row(const std::vector<std::uint32_t>& nodes) {
  topology::Graph graph;
  for (std::size_t s = 0; s < nodes.size(); ++s) graph.add_switch(8);
  for (std::uint32_t s = 0; s < nodes.size(); ++s)
    for (std::uint32_t n = 0; n < nodes[s]; ++n) graph.add_node({s, n});
  for (std::uint32_t s = 1; s < nodes.size(); ++s) graph.add_link({s - 1, 7}, {s, 6});
  return graph;
}

/// All ways in which creations can go, as far as the hazards allow.
class Exploration {
 public:
  using Event = LooseWorld::Event;

  Exploration(topology::Graph graph, std::uint32_t registers,
              std::vector<LooseWorld::Creation> creations, Hazards hazards = {})
      : graph_(std::move(graph)),
        routes_(topology::routes_for(graph_)),
        registers_(registers),
        creations_(std::move(creations)),
        hazards_(hazards) {
    for (const auto& c : creations_)
      images_[c.gid] =
          register_images(plan_tree(graph_, c.members), c.gid, c.options.reflect, c.options.op);
  }

  /// Up to the first state in which something is wrong: what. Empty if nothing ever is.
  std::string run(std::size_t most_states) {
    try {
      search(most_states);
    } catch (const Wrong& wrong) {
      return wrong.what();
    } catch (const std::exception& error) {
      return std::string("the software objects: ") + error.what();
    }
    return {};
  }

  std::size_t states() const { return seen_.size(); }
  /// The outcome for the groups in the end, one letter for each: alive, no register, id in use.
  const std::set<std::string>& outcomes() const { return outcomes_; }
  std::size_t ends() const { return ends_; }

 private:
  struct Wrong : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  static void require(bool holds, const char* what) {
    if (!holds) throw Wrong(what);
  }

  void search(std::size_t most_states) {
    std::vector<Event> path;
    std::vector<std::vector<Event>> branches;  ///< what is left to try after each part of the path
    auto world = start();
    seen_.insert(world->state());
    branches.push_back(world->possible());
    if (branches.back().empty()) finished(*world);
    bool stale = false;
    while (!branches.empty()) {
      if (branches.back().empty()) {
        branches.pop_back();
        if (!path.empty()) path.pop_back();
        stale = true;
        continue;
      }
      if (stale) {
        world = start();
        for (const Event e : path) world->happen(e);
        stale = false;
      }
      const Event e = branches.back().back();
      branches.back().pop_back();
      world->happen(e);
      path.push_back(e);
      const bool is_new = seen_.insert(world->state()).second;
      require(seen_.size() <= most_states, "more states than expected");
      if (is_new) nothing_half_done(*world);
      branches.push_back(is_new ? world->possible() : std::vector<Event>{});
      if (is_new && branches.back().empty()) finished(*world);
    }
  }

  std::unique_ptr<LooseWorld> start() const {
    return std::make_unique<LooseWorld>(graph_, routes_, registers_, creations_, hazards_);
  }

  /// 0: none; 1: claimed, 2: valid.
  int held(const LooseWorld& world, SwitchId s, std::uint32_t gid) const {
    int most = 0;
    for (const LooseWorld::Register& r : world.registers_[s])
      if (r.control != 0 && (r.control & 0xfff) == gid)
        most = std::max(most, r.control >> 31 ? 2 : 1);
    return most;
  }

  /// A group that is valid somewhere is claimed or valid everywhere, and who has been told that it
  /// is alive is right.
  void nothing_half_done(const LooseWorld& world) const {
    for (const auto& [gid, images] : images_) {
      int least = 2, most = 0;
      for (const RegisterImage& i : images) {
        least = std::min(least, held(world, i.sw, gid));
        most = std::max(most, held(world, i.sw, gid));
      }
      require(most < 2 || least >= 1, "a group is valid at one switch and has no place at another");
      const auto told = world.verdicts_.find(gid);
      if (told != world.verdicts_.end() && told->second[0].kind == Verdict::Kind::kAlive)
        require(least == 2, "a member goes before the group is valid everywhere");
    }
  }

  /// Every group is alive with exactly the words of its plan, or has left nothing; all were told
  /// the same.
  void finished(const LooseWorld& world) {
    namespace regs = fabric::registers;
    ++ends_;
    std::string outcome;
    std::size_t words = 0, planned = 0;
    for (const auto& c : creations_) {
      require(world.verdicts_.count(c.gid) == 1, "no member learns the outcome of a group");
      const std::vector<Verdict>& told = world.verdicts_.at(c.gid);
      const bool in_use = told[0].reason == Outcome::kIdInUse;
      require(told.size() == (in_use ? 1 : c.members.size()), "not all members are told, once");
      for (const Verdict& v : told) require(v.kind == told[0].kind, "members are told otherwise");
      const bool alive = told[0].kind == Verdict::Kind::kAlive;
      outcome += alive ? 'a' : in_use ? 'i' : 'n';
      if (!alive) continue;
      planned += images_.at(c.gid).size();
      for (const RegisterImage& i : images_.at(c.gid)) {
        const std::uint32_t control =
            regs::control_word(i.gid, i.parent_port, i.reflect, static_cast<std::uint32_t>(i.op));
        std::size_t right = 0;
        for (const LooseWorld::Register& r : world.registers_[i.sw])
          right += r.control == control && r.children == i.child_mask;
        require(right == 1, "a group that is alive has not its words at each switch");
      }
    }
    for (const auto& of_switch : world.registers_)
      for (const LooseWorld::Register& r : of_switch) words += r.control != 0 || r.children != 0;
    require(words == planned, "something is left of a group that is not");
    outcomes_.insert(outcome);
  }

  topology::Graph graph_;
  topology::Routes routes_;
  std::uint32_t registers_;
  std::vector<LooseWorld::Creation> creations_;
  Hazards hazards_;
  std::map<std::uint32_t, std::vector<RegisterImage>> images_;
  std::unordered_set<std::uint64_t> seen_;
  std::set<std::string> outcomes_;
  std::size_t ends_ = 0;
};

namespace {

struct Case {
  std::vector<std::uint32_t> nodes;  ///< of switches in a row
  std::uint32_t registers;
  std::vector<LooseWorld::Creation> creations;
  std::set<std::string> outcomes;
  std::size_t least, most;  ///< states
  Hazards hazards = {};
};

void check_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    Exploration all(row(c.nodes), c.registers, c.creations, c.hazards);
    CHECK(all.run(c.most) == "");
    CHECK(all.outcomes() == c.outcomes);
    CHECK(all.states() > c.least);
  }
}

TEST_CASE("one creation, in every order of its messages, is done or leaves nothing",
          "[groups][exploration]") {
  // Two member switches and one between without members, whose home node is asked.
  for (const bool reflect : {false, true})
    check_all({{{2, 1, 1}, 1, {{3, {0, 1, 3}, {reflect}}}, {"a"}, 2000, 200'000},
               {{2, 1, 1}, 0, {{3, {0, 1, 3}, {reflect}}}, {"n"}, 0, 200'000}});
}

TEST_CASE("two creations that want the same registers, in every order, are done or leave nothing",
          "[groups][exploration]") {
  const LooseWorld::Creation left{0, {0, 2}, {}}, right{1, {1, 3}, {}};
  check_all({// With no member in common; there are enough registers for both.
             {{2, 2}, 1, {left, right}, {"an", "na", "nn"}, 10'000, 100'000},
             {{2, 2}, 2, {left, right}, {"aa"}, 0, 100'000},
             // Of the same members: their requests come to each switch from the same node, in the
             // same order.
             {{1, 1}, 1, {{0, {0, 1}, {}}, {1, {0, 1}, {true}}}, {"an", "na"}, 2000, 100'000}});
}

TEST_CASE("two creations of the same members, at a switch between by the same home node",
          "[groups][exploration][soak]") {
  check_all(
      {{{1, 1, 1}, 1, {{0, {0, 2}, {}}, {1, {0, 2}, {true}}}, {"an", "na"}, 50'000, 300'000}});
}

// docs/reliability.md, "What is proved".

constexpr std::size_t kMost = 1'000'000;

TEST_CASE("a creation on two switches is done or leaves nothing, whatever two packets are lost",
          "[groups][exploration][loss][soak]") {
  check_all({{{1, 1}, 1, {{1, {0, 1}, {}}}, {"a"}, 150'000, kMost, {2, 1}},
             {{1, 1}, 0, {{1, {0, 1}, {}}}, {"n"}, 10'000, kMost, {2, 1}}});
}

TEST_CASE("a creation on two switches is done or leaves nothing, whatever packet is lost",
          "[groups][exploration][loss]") {
  check_all({{{1, 1}, 1, {{1, {0, 1}, {}}}, {"a"}, 1'000, kMost, {1, 1}}});
}

TEST_CASE("so is one with a switch between, which the home node of that switch sets up",
          "[groups][exploration][loss][soak]") {
  check_all({{{1, 1, 1}, 1, {{1, {0, 2}, {true}}}, {"a"}, 200'000, kMost, {1, 0}}});
}

TEST_CASE("of two creations that want the last registers one is done, whatever packet is lost",
          "[groups][exploration][loss][soak]") {
  check_all(
      {{{1, 1}, 1, {{0, {0, 1}, {}}, {1, {0, 1}, {true}}}, {"an", "na"}, 150'000, kMost, {1, 0}}});
}

TEST_CASE("the search finds what is broken on purpose", "[groups][exploration][loss]") {
  const auto one = [](Hazards hazards) {
    return Exploration(row({1, 1}), 1, {{1, {0, 1}, {}}}, hazards).run(kMost);
  };
  CHECK(one({1, 0, Broken::kNoRepeats}) == "no member learns the outcome of a group");
  CHECK(one({0, 1, Broken::kNoNumbers}) == "not all members are told, once");
  // Two groups, whose root nodes are on one switch: each may find a register on one of two
  // switches.
  const auto two = [](Hazards hazards) {
    return Exploration(row({2, 2}), 1, {{0, {0, 2}, {}}, {1, {1, 3}, {}}}, hazards).run(kMost);
  };
  const char* const half = "a group is valid at one switch and has no place at another";
  CHECK(two({}) == "");
  CHECK(two({0, 0, Broken::kDeafToRefusal}) == half);
  CHECK(two({0, 0, Broken::kBlindWrites}) == half);
}

}  // namespace
}  // namespace muster::btin
