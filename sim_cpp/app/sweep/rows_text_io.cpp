// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "app/sweep/rows_text.hpp"
#include "core/file_io.hpp"
#include "muster/core/error.hpp"

namespace muster::app::sweep {

namespace {

constexpr std::size_t kMaxRowsBytes = std::size_t{1} << 34;

bool has_schema(const Json& json, const char* schema) {
  return json.is_object() && json.value("schema", Json()) == schema;
}

/// What is read of a row later is there.
bool is_row(const Json& json) {
  return has_schema(json, "muster-sweep-row-1") && json.value("row", Json()).is_number_unsigned() &&
         json.value("machine", Json()).is_number_unsigned() &&
         json.value("id", Json()).is_string() &&
         json.value("status", Json()).is_number_unsigned() &&
         json.value("parameters", Json()).is_object() && json.value("result", Json()).is_object();
}

bool is_machine(const Json& json) {
  return json.is_object() && json.value("commit", Json("")).is_string();
}

/// So is what is read of a header.
bool is_header(const Json& json) {
  if (!has_schema(json, "muster-sweep-1") || !json.value("version", Json()).is_string() ||
      !json.value("rows", Json()).is_number_unsigned() || !json.value("plan", Json()).is_object() ||
      !json.contains("shard"))
    return false;
  for (const char* digests : {"networks", "files", "models"})
    if (!json.value(digests, Json::object()).is_object()) return false;
  const Json machines = json.value("machines", Json());
  return machines.is_array() && std::all_of(machines.begin(), machines.end(), is_machine);
}

}  // namespace

RowsText read_rows(const std::string& file) {
  const std::string content = read_file(file, kMaxRowsBytes);
  RowsText text;
  std::size_t number = 0;
  for (std::size_t at = 0; at < content.size();) {
    const std::size_t end = content.find('\n', at);
    const bool whole = end != std::string::npos;
    const Json json = Json::parse(
        content.begin() + static_cast<std::ptrdiff_t>(at),
        whole ? content.begin() + static_cast<std::ptrdiff_t>(end) : content.end(), nullptr, false);
    ++number;
    const bool last = !whole || end + 1 == content.size();
    if (number == 1) {
      if (!whole || !is_header(json))
        throw InputError(fmt::format(
            "{}: line 1: is not a header of muster sweep; is it the right file?", file));
      text.header = json;
    } else if (whole && is_row(json)) {
      text.rows.push_back(json);
    } else if (last) {
      text.cut = true;
    } else {
      throw InputError(
          fmt::format("{}: line {}: is not a row of muster sweep; remove the line", file, number));
    }
    at = whole ? end + 1 : content.size();
  }
  if (number == 0)
    throw InputError(fmt::format("{}: the file is empty; give one of muster sweep", file));
  return text;
}

std::string sorted_text(const Json& header, std::vector<Json> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) {
    return a["row"].get<std::uint64_t>() < b["row"].get<std::uint64_t>();
  });
  std::string text = line_of(header);
  for (const Json& row : rows) text += line_of(row);
  return text;
}

std::string line_of(const Json& json) {
  // What a run says may have broken characters.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace muster::app::sweep
