// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "app/plot/fields.hpp"
#include "app/sweep/flat.hpp"
#include "core/nearest_names.hpp"
#include "muster/core/error.hpp"

namespace muster::app::plot {

namespace {

constexpr const char* kPrefixes[] = {"parameters.", "", "result."};

/// A generated network as one word, whatever its seed: "mesh width 3".
std::string network_word(const Json& network) {
  std::string word;
  for (const auto& [name, value] : network.items())
    if (name == "generate")
      word += value.get<std::string>();
    else if (name != "seed" && !value.is_null())
      word +=
          fmt::format(" {} {}", name, value.is_string() ? value.get<std::string>() : value.dump());
  return word;
}

}  // namespace

std::vector<Fields> fields_of(const std::vector<Json>& rows) {
  std::vector<Fields> all;
  for (const Json& row : rows) {
    Fields& fields = all.emplace_back();
    sweep::for_each_field(row, "", [&](const std::string& name, const Json& value) {
      if (value.is_null()) return;
      // A list in parameters is an option that is typed several times.
      if (!value.is_array())
        fields[name] = value;
      else if (name.starts_with("parameters."))
        fields[name] = value.dump();
    });
    const Json network = row["parameters"].value("network", Json());
    if (network.is_object() && network.contains("generate"))
      fields["parameters.network"] = network_word(network);
  }
  return all;
}

std::string whole_name(const std::vector<Fields>& rows, const std::string& option,
                       const std::string& name) {
  for (const char* prefix : kPrefixes)
    for (const Fields& row : rows)
      if (row.contains(prefix + name)) return prefix + name;
  std::set<std::string> known;
  for (const Fields& row : rows)
    for (const auto& [field, value] : row) known.insert(short_name(field));
  throw InputError(
      fmt::format("{} '{}': no row has this field; similar are {}", option, name,
                  fmt::join(nearest_names(name, {known.begin(), known.end()}, 5), ", ")));
}

std::string short_name(const std::string& whole) {
  for (const std::string prefix : {"parameters.", "result."})
    if (whole.starts_with(prefix)) return whole.substr(prefix.size());
  return whole;
}

std::string word_of_field(const Fields& row, const std::string& field) {
  const auto found = row.find(field);
  if (found == row.end()) return "none";
  return found->second.is_string() ? found->second.get<std::string>() : found->second.dump();
}

}  // namespace muster::app::plot
