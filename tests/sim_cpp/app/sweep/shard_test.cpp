// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/shard.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>

#include "sim_cpp/app/sweep/refusal.hpp"

using namespace muster;
using app::sweep::Shard;
using app::sweep::shard_file;
using app::sweep::shard_named;
using app::sweep::slurm_shard;
using Catch::Matchers::StartsWith;

namespace {

/// Variables of the environment while the object lives.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& values) {
    for (const char* name : kNames) ::unsetenv(name);
    for (const auto& [name, value] : values) ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const char* name : kNames) ::unsetenv(name);
  }

 private:
  static constexpr const char* kNames[] = {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN",
                                           "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"};
};

}  // namespace

TEST_CASE("every row is in one of the shards", "[sweep][shard]") {
  for (std::uint64_t row = 0; row < 20; ++row) {
    int shards = 0;
    for (const char* name : {"1/3", "2/3", "3/3"}) shards += shard_named(name).has(row);
    CHECK(shards == 1);
  }
  CHECK(shard_named("2/8").has(1));
  CHECK(shard_named("2/8").has(9));
}

TEST_CASE("shards that cannot be are refused", "[sweep][shard]") {
  CHECK_THAT(test::refusal([] { shard_named("2"); }), StartsWith("--shard '2': write the second"));
  for (const char* name : {"0/8", "9/8", "1/0", "a/8", "1/8/2", "/"}) {
    CAPTURE(name);
    CHECK_THAT(test::refusal([&] { shard_named(name); }),
               StartsWith(std::string("--shard '") + name + "': '"));
  }
}

TEST_CASE("a task of a Slurm array has its shard", "[sweep][shard]") {
  {
    const Environment none({});
    CHECK_FALSE(slurm_shard());
  }
  const Environment third({{"SLURM_ARRAY_TASK_ID", "14"},
                           {"SLURM_ARRAY_TASK_MIN", "10"},
                           {"SLURM_ARRAY_TASK_STEP", "2"},
                           {"SLURM_ARRAY_TASK_COUNT", "5"}});
  const auto shard = slurm_shard();
  REQUIRE(shard);
  CHECK(shard->number == 3);
  CHECK(shard->of == 5);
}

TEST_CASE("a Slurm array of unequal distances needs --shard", "[sweep][shard]") {
  const Environment list({{"SLURM_ARRAY_TASK_ID", "7"},
                          {"SLURM_ARRAY_TASK_MIN", "1"},
                          {"SLURM_ARRAY_TASK_COUNT", "3"}});
  CHECK_THAT(test::refusal([] { slurm_shard(); }),
             StartsWith("SLURM_ARRAY_TASK_ID '7': cannot determine which of 3 parts this is"));
}

TEST_CASE("a shard has a file of its own", "[sweep][shard]") {
  CHECK(shard_file("rows.jsonl", Shard{2, 8}) == "rows-2-of-8.jsonl");
  CHECK(shard_file("a/b.c/rows", Shard{1, 2}) == "a/b.c/rows-1-of-2");
}
