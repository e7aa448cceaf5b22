// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <sstream>

#include "app/sweep/flat.hpp"
#include "app/sweep/row.hpp"
#include "core/nearest_names.hpp"
#include "muster/core/error.hpp"

namespace muster::app::sweep {

namespace {

constexpr int kBySignal = 128;

bool is_origin_or_time(const std::string& field) {
  for (const char* name : {"schema", "command", "version", "seed", "units", "seconds"})
    if (field == name) return true;
  return field.ends_with("_per_second");
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// A part of a result without lists and without what is empty or null.
Json pruned(const Json& value) {
  Json kept = Json::object();
  for (const auto& [name, part] : value.items()) {
    if (part.is_object()) {
      if (Json below = pruned(part); !below.empty()) kept[name] = std::move(below);
    } else if (!part.is_array() && !part.is_null()) {
      kept[name] = part;
    }
  }
  return kept;
}

/// Copies a field with dots, unless it is null or below something that is. False if it is not
/// there.
bool keep_field(const Json& result, const std::string& field, Json& kept) {
  std::vector<std::string> names;
  std::istringstream text(field);
  const Json* from = &result;
  for (std::string name; !from->is_null() && std::getline(text, name, '.');) {
    if (!from->is_object() || !from->contains(name)) return false;
    from = &from->at(name);
    names.push_back(name);
  }
  if (from->is_null()) return true;
  Json* to = &kept;
  for (const std::string& name : names) to = &(*to)[name];
  *to = *from;
  return true;
}

}  // namespace

Json scalars_of(const Json& result) {
  Json kept = pruned(result);
  std::vector<std::string> dropped;
  for (const auto& [name, unused] : kept.items())
    if (is_origin_or_time(name)) dropped.push_back(name);
  for (const std::string& name : dropped) kept.erase(name);
  return kept;
}

std::string error_of(const ChildOutcome& outcome, const Renamed& renamed) {
  if (outcome.status > kBySignal)
    return fmt::format("ended by signal {}, {}", outcome.status - kBySignal,
                       ::strsignal(outcome.status - kBySignal));
  std::string line = first_line(outcome.err);
  if (const auto colon = line.find(": "); colon != std::string::npos) line.erase(0, colon + 2);
  for (auto at = std::string::npos;
       !renamed.from.empty() && (at = line.find(renamed.from)) != std::string::npos;)
    line.replace(at, renamed.from.size(), renamed.to);
  return line;
}

void check_kept(const Plan& plan, const Json& row, const std::vector<std::string>& missing,
                const ChildOutcome& outcome) {
  if (row["status"] != 0 || missing.empty()) return;
  std::vector<std::string> known;
  for_each_field(Json::parse(outcome.out, nullptr, false), "",
                 [&](const std::string& name, const Json&) { known.push_back(name); });
  throw InputError(fmt::format("{}: keep: row {} has no field '{}'; similar are {}", plan.file,
                               row["row"].get<std::uint64_t>(), missing.front(),
                               fmt::join(nearest_names(missing.front(), known), ", ")));
}

Json make_row(const Run& run, const ChildOutcome& outcome, const std::vector<std::string>& keep,
              std::size_t machine, const Renamed& renamed, std::vector<std::string>& missing) {
  Json result = Json::parse(outcome.out, nullptr, false);
  const bool has_result = result.is_object();
  Json kept = Json::object();
  if (has_result && keep.empty()) kept = scalars_of(result);
  if (has_result)
    for (const std::string& field : keep)
      if (!keep_field(result, field, kept)) missing.push_back(field);
  int status = outcome.status;
  std::string error = status == 0 ? "" : error_of(outcome, renamed);
  if (status == 0 && !has_result) {
    status = 1;
    error = "the command wrote no result";
  }
  // What checks have found, and which groups have stopped, stands in the result.
  for (const char* field : {"violation_texts", "stopped_texts"})
    if (status != 0 && error.empty() && has_result)
      if (const Json texts = result.value(field, Json()); !texts.empty())
        error = first_line(texts.front().get<std::string>());
  if (status != 0 && error.empty()) error = fmt::format("status {}, without a reason", status);
  return {{"schema", "muster-sweep-row-1"},
          {"row", run.row},
          {"id", run.id},
          {"seed", run.seed},
          {"parameters", run.parameters},
          {"status", status},
          {"error", error.empty() ? Json(nullptr) : Json(error)},
          {"result", std::move(kept)},
          {"machine", machine},
          {"seconds", outcome.seconds}};
}

}  // namespace muster::app::sweep
