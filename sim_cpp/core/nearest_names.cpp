// SPDX-License-Identifier: Apache-2.0
#include "core/nearest_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace muster {

namespace {

/// Levenshtein's distance, row by row of its table.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known,
                                       std::size_t count) {
  std::vector<std::pair<std::size_t, const std::string*>> near;
  for (const std::string& other : known)
    near.emplace_back(other.find(name) != std::string::npos ? 1 : edits(name, other), &other);
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(count, near.size()); ++i) names.push_back(*near[i].second);
  return names;
}

}  // namespace muster
