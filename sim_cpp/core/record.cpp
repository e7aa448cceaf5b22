// SPDX-License-Identifier: Apache-2.0
#include "core/record.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "muster/core/error.hpp"

namespace muster::core {

Rule Rule::signed_number() const {
  if (schema_ != nullptr) schema_->erase("minimum");
  return *this;
}

Rule Rule::one_of(std::initializer_list<const char*> words) const {
  if (schema_ == nullptr) return *this;
  Json& all = (*schema_)["enum"] = Json::array();
  for (const char* word : words) all.push_back(word);
  if ((*schema_)["type"].is_array()) all.push_back(nullptr);
  return *this;
}

void Rule::or_null() const {
  if (schema_ == nullptr) return;
  Json& type = (*schema_)["type"];
  if (!type.is_array()) type = {type, "null"};
  if (schema_->contains("enum")) (*schema_)["enum"].push_back(nullptr);
}

Record::Record(Json& out, Json* schema) : out_(&out), schema_(schema) {
  if (out.is_null()) out = Json::object();
  if (schema == nullptr || schema->contains("properties")) return;
  (*schema)["type"] = "object";
  (*schema)["additionalProperties"] = false;
  (*schema)["required"] = Json::array();
  (*schema)["properties"] = Json::object();
}

Record Record::within(const char* key) {
  return Record((*out_)[key], schema_ == nullptr ? nullptr : &(*schema_)["properties"][key]);
}

Rule Record::rule(const char* key) {
  return Rule(schema_ == nullptr ? nullptr : &(*schema_)["properties"][key]);
}

Json& Record::field(const char* key) {
  Json& value = (*out_)[key];
  if (!value.is_null())
    throw InternalError(
        fmt::format("field '{}' of the result is there already; a system can have "
                    "fields of its own in Report::own",
                    key));
  return value;
}

Json* Record::described(const char* key, const char* sentence) {
  if (schema_ == nullptr || (*schema_)["properties"].contains(key)) return nullptr;
  if (!optional_) (*schema_)["required"].push_back(key);
  const std::string& other = first_.empty() ? whole_ : first_;
  if (optional_ && !other.empty()) (*schema_)["dependentRequired"][key] = Json::array({other});
  if (!first_.empty()) (*schema_)["dependentRequired"][first_].push_back(key);
  if (optional_ && first_.empty()) first_ = key;
  Json& field = (*schema_)["properties"][key] = Json::object();
  if (*sentence != '\0') field["description"] = sentence;
  return &field;
}

void add_origin(Record& record, const char* schema, const Provenance& origin) {
  record.add("schema", schema).with("const", schema);
  record.add("command", "the command as given", origin.command);
  record.add("version", "of muster", origin.version).filled();
}

void add_units(Record& record, const Json& units) {
  record.add("units", "unit or meaning of fields, by name; * stands for the rest of a name", units)
      .with("type", "object")
      .with("additionalProperties", Json{{"type", "string"}});
}

Rule add_seed(Record& record, std::uint64_t seed, const char* sentence) {
  return record.add("seed", sentence, seed)
      .with("maximum", std::numeric_limits<std::uint64_t>::max());
}

}  // namespace muster::core
