// SPDX-License-Identifier: Apache-2.0
#include "read_arrivals.hpp"

#include <fstream>
#include <muster/core/error.hpp>
#include <sstream>

namespace {

std::vector<std::uint64_t> read_line(const std::string& text, const std::string& place) {
  std::vector<std::uint64_t> times;
  std::istringstream words(text);
  for (std::uint64_t time = 0; words >> time;) times.push_back(time);
  if (!words.eof()) throw muster::InputError(place + ": not a list of cycles");
  return times;
}

}  // namespace

muster::run::ListedArrivals::List read_arrivals(const std::string& file, std::size_t members) {
  std::ifstream in(file);
  if (!in) throw muster::InputError(file + ": cannot be read");
  std::vector<std::vector<std::uint64_t>> barriers;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string place = file + ": line " + std::to_string(++number);
    if (line.empty() || line.front() == '#') continue;
    barriers.push_back(read_line(line, place));
    if (barriers.back().size() != members)
      throw muster::InputError(place + ": " + std::to_string(barriers.back().size()) +
                               " times for " + std::to_string(members) + " members");
  }
  if (barriers.empty()) throw muster::InputError(file + ": no barrier in it");
  return {std::move(barriers)};
}
