// SPDX-License-Identifier: Apache-2.0
// The fuzz target's property without libFuzzer: its corpus, the ready networks, and random
// mutations of both.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <vector>

#include "fuzz/topology_property.hpp"
#include "muster/core/outputs.hpp"
#include "support/random.hpp"

using namespace muster;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> contents(const char* folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fmt::format("{}/{}", MUSTER_SOURCE_DIR, folder)))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> list;
  for (const fs::path& path : paths) list.push_back(read_file(path.string(), 1 << 20));
  return list;
}

void mutate(std::string& text, const std::vector<std::string>& others, Random& rng) {
  static const std::vector<std::string> kWords = {
      "router", "node", "\n", "\"",  "[",     "]",          "{",    "}",   ",", ":",
      "-1",     "0",    "1",  "255", "65536", "4294967296", "null", "1e9", " ", "\xff"};
  const auto place = [&](const std::string& s) { return rng.below(s.size() + 1); };
  switch (rng.below(6)) {
    case 0:  // one bit
      if (!text.empty()) text[rng.below(text.size())] ^= static_cast<char>(1u << rng.below(8));
      return;
    case 1:  // cut off
      text.resize(place(text));
      return;
    case 2:  // a piece taken out
      text.erase(place(text), rng.below(20));
      return;
    case 3:  // a word put in
      text.insert(place(text), kWords[rng.below(kWords.size())]);
      return;
    case 4: {  // a piece repeated elsewhere
      const std::string piece = text.substr(place(text), rng.below(60));
      text.insert(place(text), piece);
      return;
    }
    default: {  // the end of another file
      const std::string& other = others[rng.below(others.size())];
      text = text.substr(0, place(text)) + other.substr(place(other));
    }
  }
}

}  // namespace

TEST_CASE("the fuzz corpus holds networks and things that are none", "[topology][fuzz]") {
  int good = 0, bad = 0;
  for (const std::string& content : contents("tests/fuzz/corpus"))
    ++(check_topology_bytes(content) ? good : bad);
  CHECK(good >= 3);
  CHECK(bad >= 3);
}

TEST_CASE("random mutations of networks never break the readers", "[topology][fuzz]") {
  Random rng(muster_seed(), 8);
  std::vector<std::string> seeds = contents("tests/fuzz/corpus");
  int good = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = seeds[rng.below(seeds.size())];
    for (std::uint64_t changes = 1 + rng.below(4); changes > 0; --changes) mutate(text, seeds, rng);
    good += check_topology_bytes(text);
  }
  // Both sides of the property are exercised.
  CHECK(good > 100);
  CHECK(good < 19'000);
}
