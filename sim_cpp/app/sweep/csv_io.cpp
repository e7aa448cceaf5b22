// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "app/sweep/csv.hpp"
#include "app/sweep/flat.hpp"

namespace muster::app::sweep {

namespace {

std::string csv_cell(const Json& value) {
  if (value.is_null()) return "";
  const std::string text = value.is_string()
                               ? value.get<std::string>()
                               : value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// Columns and the place of each by its name.
class Columns {
 public:
  std::size_t place(const std::string& name) {
    const auto [at, is_new] = places_.emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return at->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> names_;
};

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + cell;
  return line + "\n";
}

}  // namespace

std::string rows_to_csv(std::vector<Json> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) {
    return a["row"].get<std::uint64_t>() < b["row"].get<std::uint64_t>();
  });
  Columns columns;
  for (const char* name : {"row", "id", "seed", "status", "error"}) columns.place(name);
  // All parameters stand before all results.
  for (const char* part : {"parameters", "result"})
    for (const Json& row : rows)
      for_each_field(row[part], part,
                     [&](const std::string& name, const Json&) { columns.place(name); });
  std::vector<std::string> header;
  for (const std::string& name : columns.names()) header.push_back(csv_cell(name));
  std::string text = csv_line(header);
  for (const Json& row : rows) {
    std::vector<std::string> line(columns.names().size());
    for_each_field(row, "", [&](const std::string& name, const Json& value) {
      if (name != "schema" && name != "machine" && name != "seconds")
        line[columns.place(name)] = csv_cell(value);
    });
    text += csv_line(line);
  }
  return text;
}

}  // namespace muster::app::sweep
