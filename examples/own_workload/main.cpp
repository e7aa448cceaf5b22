// SPDX-License-Identifier: Apache-2.0
// own_workload NETWORK ARRIVALS: barriers of all nodes of a network, with arrivals from a file.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <muster/core/error.hpp>
#include <muster/run.hpp>
#include <sstream>

using namespace muster;

namespace {

std::vector<std::uint64_t> read_line(const std::string& text, const std::string& place) {
  std::vector<std::uint64_t> times;
  std::istringstream words(text);
  for (std::uint64_t time = 0; words >> time;) times.push_back(time);
  if (!words.eof()) throw InputError(place + ": not a list of cycles");
  return times;
}

/// The arrivals of one group of `members` from a text file: a line a barrier, a cycle a member;
/// lines that begin with # are comments. Throws InputError "file: line: reason".
run::ListedArrivals::List read_arrivals(const std::string& file, std::size_t members) {
  std::ifstream in(file);
  if (!in) throw InputError(file + ": cannot be read");
  std::vector<std::vector<std::uint64_t>> barriers;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string place = file + ": line " + std::to_string(++number);
    if (line.empty() || line.front() == '#') continue;
    barriers.push_back(read_line(line, place));
    if (barriers.back().size() != members)
      throw InputError(place + ": " + std::to_string(barriers.back().size()) + " times for " +
                       std::to_string(members) + " members");
  }
  if (barriers.empty()) throw InputError(file + ": no barrier in it");
  return {std::move(barriers)};
}

run::RunResult run_file(const std::string& network, const std::string& file,
                        run::ListedArrivals::List& times) {
  run::RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(topology::read_topology(network));
  spec.groups = {{"all", topology::parse_group(*spec.graph, "all", spec.seed)}};
  times = read_arrivals(file, spec.groups[0].members.size());
  spec.barriers = static_cast<std::uint32_t>(times[0].size());
  spec.arrivals = std::make_shared<run::ListedArrivals>(times);
  return run::run_barriers(spec);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw InputError("usage: own_workload NETWORK ARRIVALS");
  run::ListedArrivals::List times;
  const run::RunResult result = run_file(argv[1], argv[2], times);
  for (const run::BarrierRecord& barrier : result.barriers) {
    const auto& arrivals = times[0][barrier.number];
    std::printf(
        "barrier %u: last arrival %llu, done %llu cycles later\n", barrier.number,
        static_cast<unsigned long long>(*std::max_element(arrivals.begin(), arrivals.end())),
        static_cast<unsigned long long>(barrier.latency_cycles));
  }
  for (const std::string& violation : result.violations) std::printf("%s\n", violation.c_str());
  return result.ok() ? 0 : 1;
} catch (const InputError& error) {
  std::fprintf(stderr, "own_workload: %s\n", error.what());
  return 2;
}
