// SPDX-License-Identifier: Apache-2.0
#include "core/nearest_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace muster {

namespace {

/// Letters to insert, drop or replace, and pairs of neighbours to exchange, row by row of the table
/// of all beginnings of both.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, last[j + 1] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
        row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = std::exchange(last, row);
  }
  return last.back();
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
