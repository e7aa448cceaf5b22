// SPDX-License-Identifier: Apache-2.0
#include "muster/run/scheme.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster::run {
namespace {

using Calls = std::vector<std::string>;

/// Groups that take so many steps to be created and released, and what a test wants to go wrong.
struct Course {
  std::uint64_t creation = 5, release = 7;
  std::string refusal{}, residue{}, trouble{};
  std::uint64_t unchanging_from = 0;                ///< cycle
  Calls calls{};                                    ///< each once in a row
  std::uint64_t steps = 0, went = 0, released = 0;  ///< cycles of go and release
};

/// What the lifecycle of the run that goes on does and has done.
Course& course() {
  static Course one;
  return one;
}

class NotedLifecycle : public Lifecycle {
 public:
  void create(std::uint64_t) override { note("create"); }
  void go() override {
    note("go");
    course().went = now_;
  }
  void release(std::uint64_t cycle) override {
    note("release");
    course().released = cycle;
    course().steps = 0;
  }
  void step(std::uint64_t cycle) override {
    note("step");
    now_ = cycle;
    ++course().steps;
  }
  bool settled() const override {
    return course().steps >= (course().released == 0 ? course().creation : course().release);
  }
  std::string unsettled() const override { return "group 'paper'"; }
  std::string refusals() const override { return course().refusal; }
  bool unchanging() const override { return now_ >= course().unchanging_from; }
  std::string trouble(std::uint64_t, std::uint64_t, bool) const override {
    return course().trouble;
  }
  std::string residue() const override {
    course().calls.push_back("residue");
    return course().residue;
  }

 private:
  static void note(const std::string& call) {
    if (course().calls.empty() || course().calls.back() != call) course().calls.push_back(call);
  }
  std::uint64_t now_ = 0;
};

/// A scheme of the program, with a lifecycle.
class LivingScheme : public Scheme {
 public:
  LivingScheme(Members& members, std::unique_ptr<Scheme> inner)
      : Scheme(members), inner_(std::move(inner)) {}
  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    if (course().calls.back() != "arrive") course().calls.push_back("arrive");
    inner_->arrive(cycle, group, member);
  }
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override {
    inner_->receive_packet(cycle, node, flits);
  }
  Lifecycle* lifecycle() override { return &lifecycle_; }
  BarrierTraffic& traffic() override { return inner_->traffic(); }
  std::string explain(std::uint32_t group) const override { return inner_->explain(group); }

 private:
  std::unique_ptr<Scheme> inner_;
  NotedLifecycle lifecycle_;
};

class LivingPlan : public SchemePlan {
 public:
  explicit LivingPlan(std::unique_ptr<SchemePlan> inner) : inner_(std::move(inner)) {}
  const fabric::SwitchKind& switch_kind() const override { return inner_->switch_kind(); }
  std::uint32_t hops(std::uint32_t group) const override { return inner_->hops(group); }
  PlanTimes times(const fabric::SwitchConfig& config) const override {
    return inner_->times(config);
  }
  std::unique_ptr<const CheckedGroups> checked() const override { return inner_->checked(); }
  std::unique_ptr<Scheme> start(const SchemeParts& parts) const override {
    return std::make_unique<LivingScheme>(parts.members, inner_->start(parts));
  }

 private:
  std::unique_ptr<SchemePlan> inner_;
};

class Living : public System {
 public:
  Living()
      : System({.name = "living",
                .schemes = {{.name = "living",
                             .about = {},
                             .plan = [](const ResolvedRun& run) -> std::unique_ptr<SchemePlan> {
                               return std::make_unique<LivingPlan>(
                                   find_scheme("unicast").scheme.plan(run));
                             }}}}) {}
};

struct Lived {
  RunResult result;
  Course course;
};

Lived run_living(const Course& wanted) {
  static const bool added = (add_system(std::make_unique<Living>()), true);
  REQUIRE(added);
  course() = wanted;
  const test::Subject subject(test::star(3));
  RunSpec spec = subject.by("living", {"all"});
  spec.barriers = 3;
  spec.max_wait = 2000;
  spec.drain_limit = 1000;
  RunResult result = run_barriers(spec);
  return {std::move(result), std::exchange(course(), {})};
}

TEST_CASE("groups are created, used, released, and looked through at the end, in this order",
          "[run][lifecycle]") {
  const auto [result, course] = run_living({});
  CHECK(result.violations == std::vector<std::string>{});
  CHECK(result.end == End::kComplete);
  CHECK(result.barriers.size() == 3);
  const Calls& calls = course.calls;
  REQUIRE(calls.size() > 6);
  CHECK(Calls(calls.begin(), calls.begin() + 3) == Calls{"create", "step", "go"});
  CHECK(Calls(calls.end() - 3, calls.end()) == Calls{"release", "step", "residue"});
  CHECK(std::ranges::count(calls, "create") == 1);
  CHECK(std::ranges::count(calls, "release") == 1);
  // No member arrives before the groups are alive or after their release.
  const auto first = std::ranges::find(calls, "arrive");
  CHECK(first > std::ranges::find(calls, "go"));
  const auto release = std::ranges::find(calls, "release");
  CHECK(std::find(release, calls.end(), "arrive") == calls.end());
  CHECK(course.went == course.creation - 1);
}

TEST_CASE("groups that are refused end the run before anyone arrives", "[run][lifecycle]") {
  const auto [result, course] = run_living({.refusal = "no register"});
  CHECK(result.end == End::kViolation);
  CHECK(result.violations == std::vector<std::string>{"no register"});
  CHECK(course.calls == Calls{"create", "step"});
}

TEST_CASE("groups that are never created, or never released, are a hang that names them",
          "[run][lifecycle]") {
  const std::uint64_t never = ~std::uint64_t{0};
  for (const bool created : {false, true}) {
    CAPTURE(created);
    const RunResult result =
        run_living(created ? Course{.release = never} : Course{.creation = never}).result;
    CHECK(result.end == End::kHang);
    REQUIRE(result.violations.size() == 1);
    CHECK_THAT(result.violations[0], Contains("set-up in band makes no progress: group 'paper'"));
    CHECK(result.barriers.size() == (created ? 3 : 0));
  }
}

TEST_CASE("a change without progress is a hang, what is left behind a violation",
          "[run][lifecycle]") {
  const RunResult stuck =
      run_living({.trouble = "a change makes no progress", .unchanging_from = 6000}).result;
  CHECK(stuck.end == End::kHang);
  CHECK(stuck.violations == std::vector<std::string>{"a change makes no progress"});
  const RunResult dirty = run_living({.residue = "switch 0 still has group 0"}).result;
  CHECK(dirty.end == End::kViolation);
  CHECK(dirty.violations == std::vector<std::string>{"switch 0 still has group 0"});
  CHECK(dirty.barriers.size() == 3);
}

}  // namespace
}  // namespace muster::run
