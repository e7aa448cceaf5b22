// SPDX-License-Identifier: Apache-2.0
// The child processes are this program: one of its hidden cases, or words that Catch refuses.
#include "app/sweep/child.hpp"

#include <poll.h>
#include <signal.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "app/sweep/farm.hpp"
#include "support/folder.hpp"

using namespace muster::app::sweep;

namespace {

std::vector<std::string> hidden(const std::string& name) {
  return {"hidden: " + name, "--reporter=compact"};
}

/// The outcome of one child.
ChildOutcome ended(const std::vector<std::string>& words, const std::string& folder = "/") {
  ChildOutcome got;
  const Farm farm{"sweep_test", folder, 1};
  farm.run(
      1, [&](std::uint64_t) { return words; },
      [&](std::uint64_t, const ChildOutcome& outcome) { got = outcome; }, [] { return false; });
  return got;
}

}  // namespace

TEST_CASE("hidden: a child that writes much", "[.child]") {
  for (int i = 0; i < 100'000; ++i) std::fputs("0123456789", i % 2 == 0 ? stdout : stderr);
  std::fflush(stdout);
}
TEST_CASE("hidden: a child that is killed", "[.child]") { ::raise(SIGKILL); }
TEST_CASE("hidden: a child that waits", "[.child]") { ::poll(nullptr, 0, 60'000); }
TEST_CASE("hidden: a child in a folder", "[.child]") { std::fclose(std::fopen("here", "w")); }

TEST_CASE("both outputs of a child are read, whatever their length", "[sweep][child]") {
  const ChildOutcome got = ended(hidden("a child that writes much"));
  CHECK(got.status == 0);
  CHECK(got.out.size() >= 500'000);
  CHECK(got.err.size() >= 500'000);
  CHECK(got.seconds > 0.0);
}

TEST_CASE("status and signal of a child are told", "[sweep][child]") {
  CHECK(ended(hidden("a child that is killed")).status == 128 + SIGKILL);
  CHECK(ended({"--no-such-option"}).status == 255);
}

TEST_CASE("a child runs in its folder", "[sweep][child]") {
  const muster::test::Folder folder;
  CHECK(ended(hidden("a child in a folder"), folder.file("")).status == 0);
  CHECK(folder.has("here"));
  CHECK(ended(hidden("a child in a folder"), folder.file("nowhere")).status == 127);
}

TEST_CASE("jobs run at the same time, no more than asked for", "[sweep][child]") {
  // Ten children that would wait for a minute: stopped when three have been started.
  std::uint64_t started = 0, done = 0;
  const Farm farm{"sweep_test", "/", 3};
  const bool all = farm.run(
      10,
      [&](std::uint64_t job) {
        CHECK(job == started++);
        return hidden("a child that waits");
      },
      [&](std::uint64_t, const ChildOutcome&) { ++done; }, [&] { return started == 3; });
  CHECK_FALSE(all);
  CHECK(started == 3);
  CHECK(done == 0);
}
