// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// One description of each field of a result: its name in JSON, its value, a sentence. A function
/// names the fields of a record one after the other; the JSON of a result comes from it, and the
/// JSON Schema that `muster schema` prints. For the schema it describes a sample, a record of
/// default values, so it also computes values of one.

#include <concepts>
#include <functional>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <ranges>
#include <type_traits>

#include "muster/core/error.hpp"
#include "muster/core/outputs.hpp"

namespace muster::core {

/// Keeps the order in which fields are added.
using Json = nlohmann::ordered_json;

inline constexpr const char* kHash = "^[0-9a-f]{16}$";                 ///< pattern of a digest
inline constexpr const char* kPort = "^[0-9]+:[0-9]+$";                ///< of a node, switch:port
inline constexpr const char* kLink = "^[0-9]+:[0-9]+-[0-9]+:[0-9]+$";  ///< of a link
/// Of a switch, a node or a link.
inline constexpr const char* kBlock = "^((sw|n)[0-9]+|[0-9]+:[0-9]+-(n[0-9]+|[0-9]+:[0-9]+))$";

/// Whole numbers to here are exact in every JSON reader.
inline constexpr std::int64_t kExact = 9007199254740991;
/// The schema of a number of things.
inline const Json kCount = {{"type", "integer"}, {"minimum", 0}, {"maximum", kExact}};

/// What the schema says of the values of a field, besides their type. Without a schema it does
/// nothing.
class Rule {
 public:
  explicit Rule(Json* schema) : schema_(schema) {}
  /// A word of JSON Schema, such as `pattern`.
  template <class Value>
  Rule with(const char* word, const Value& value) const {
    if (schema_ != nullptr) (*schema_)[word] = value;
    return *this;
  }
  template <class Least, class Most>
  Rule range(Least least, Most most) const {
    return with("minimum", least).with("maximum", most);
  }
  Rule like(const char* pattern) const { return with("pattern", pattern); }
  Rule filled() const { return with("minLength", 1); }  ///< a text that is not empty
  /// Entries of a list: one at least, none twice.
  Rule some_unique() const { return with("minItems", 1).with("uniqueItems", true); }
  /// Also below 0.
  Rule signed_number() const {
    if (schema_ != nullptr) schema_->erase("minimum");
    return *this;
  }
  Rule one_of(std::initializer_list<const char*> words) const {
    if (schema_ == nullptr) return *this;
    Json& all = (*schema_)["enum"] = Json::array();
    for (const char* word : words) all.push_back(word);
    if ((*schema_)["type"].is_array()) all.push_back(nullptr);
    return *this;
  }
  /// Of each entry of a list.
  Rule items() const { return Rule(schema_ == nullptr ? nullptr : &(*schema_)["items"]); }
  void each_like(const char* pattern) const { items().like(pattern); }
  void each_filled() const { items().filled(); }
  /// Besides other values.
  void or_null() const {
    if (schema_ == nullptr) return;
    Json& type = (*schema_)["type"];
    if (!type.is_array()) type = {type, "null"};
    if (schema_->contains("enum")) (*schema_)["enum"].push_back(nullptr);
  }

 private:
  Json* schema_;
};

/// An object in JSON, with its schema if that is wanted.
class Record {
 public:
  /// The object; `schema` describes it.
  explicit Record(Json& out, Json* schema = nullptr) : out_(&out), schema_(schema) {
    if (out.is_null()) out = Json::object();
    if (schema == nullptr || schema->contains("properties")) return;
    (*schema)["type"] = "object";
    (*schema)["additionalProperties"] = false;
    (*schema)["required"] = Json::array();
    (*schema)["properties"] = Json::object();
  }

  /// Fields that are there if `present`; of several fields all are there or none. Of those all
  /// are there if a field of `only` is there that this returns.
  Record only(bool present) const { return {*this, present, false}; }
  /// Fields that are null unless `present`.
  Record null_unless(bool present) const { return {*this, present, true}; }

  /// A field: a number from 0, a flag, a text; a list of these; a record, which a function
  /// `describe(Record&, const T&)` or `value(Record&)` describes; or one of these by a pointer or
  /// std::optional, null without a value. Throws InternalError if it is there already, and not
  /// null.
  template <class T>
  Rule add(const char* key, const char* sentence, const T& value) {
    Json* const schema = described(key, sentence);
    Json unused;
    if (present_ || schema != nullptr) write(value, present_ ? field(key) : unused, schema);
    if (!present_ && null_ && !out_->contains(key)) (*out_)[key] = nullptr;
    if (null_) Rule(schema).or_null();
    return Rule(schema);
  }
  /// Without a sentence.
  template <class T>
  Rule add(const char* key, const T& value) {
    return add(key, "", value);
  }
  /// A list of what `item` makes of each entry: `item(entry)` is a value, or
  /// `item(record, context..., entry)` describes one.
  template <class Range, class Item, class... Context>
  Rule list(const char* key, const char* sentence, const Range& range, const Item& item,
            const Context&... context) {
    if constexpr (sizeof...(Context) == 0)
      return add(key, sentence, Listed<Range, Item>{range, item});
    const auto entry = [&](Record& record, const std::ranges::range_value_t<Range>& each) {
      if constexpr (sizeof...(Context) != 0) item(record, context..., each);
    };
    return add(key, sentence, Listed<Range, decltype(entry)>{range, entry});
  }
  /// The object of a field that was added.
  Record within(const char* key) {
    return Record((*out_)[key], schema_ == nullptr ? nullptr : &(*schema_)["properties"][key]);
  }
  /// Of a field that was added.
  Rule rule(const char* key) {
    return Rule(schema_ == nullptr ? nullptr : &(*schema_)["properties"][key]);
  }

 private:
  template <class Range, class Item>
  struct Listed {
    const Range& range;
    const Item& item;
  };
  Record(const Record& all, bool present, bool null)
      : out_(all.out_),
        schema_(all.schema_),
        present_(present),
        null_(null),
        optional_(!null),
        whole_(all.first_) {}

  Json& field(const char* key) {
    Json& value = (*out_)[key];
    if (!value.is_null())
      throw InternalError(
          "field '{}' of the result is there already; a system can have fields of its own in "
          "Report::own",
          key);
    return value;
  }
  /// The schema of a new field; nullptr without a schema.
  Json* described(const char* key, const char* sentence) {
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

  template <class Range, class Item>
  static void write(const Listed<Range, Item>& list, Json& out, Json* schema) {
    using Entry = std::ranges::range_value_t<Range>;
    const auto entry = [&](const Entry& each, Json& json, Json* rules) {
      if constexpr (std::invocable<const Item&, Record&, const Entry&>) {
        Record record(json, rules);
        list.item(record, each);
      } else {
        write(list.item(each), json, rules);
      }
    };
    out = Json::array();
    for (const Entry& each : list.range) entry(each, out.emplace_back(), nullptr);
    if (schema == nullptr) return;
    (*schema)["type"] = "array";
    Json unused;
    entry(Entry{}, unused, &(*schema)["items"]);
  }
  template <class T>
  static void write(const T& value, Json& out, Json* schema) {
    if constexpr (std::invocable<const T&, Record&>) {
      Record record(out, schema);
      value(record);
    } else if constexpr (std::same_as<T, Json>) {
      out = value;
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
      out = std::string(value);
      Rule(schema).with("type", "string");
    } else if constexpr (std::same_as<T, bool>) {
      out = value;
      Rule(schema).with("type", "boolean");
    } else if constexpr (std::floating_point<T>) {
      out = value;
      Rule(schema).with("type", "number").with("minimum", 0);
    } else if constexpr (std::unsigned_integral<T>) {
      out = value;
      Rule(schema).with("type", "integer").range(0, kExact);
    } else if constexpr (std::ranges::range<T>) {
      write(Listed<T, std::identity>{value, std::identity()}, out, schema);
    } else if constexpr (requires { *value; }) {
      if (value) write(*value, out, nullptr);
      if (schema != nullptr) {
        Json unused;
        write(std::remove_cvref_t<decltype(*value)>{}, unused, schema);
        Rule(schema).or_null();
      }
    } else {
      Record record(out, schema);
      describe(record, value);
    }
  }

  Json* out_;
  Json* schema_;
  bool present_ = true, null_ = false, optional_ = false;
  std::string whole_ = {}, first_ = {};  ///< first field of the group around this, of this group
};

/// The first fields of what a command writes: name of its schema, command, version.
inline void add_origin(Record& record, const char* schema, const Provenance& origin) {
  record.add("schema", schema).with("const", schema);
  record.add("command", "the command as given", origin.command);
  record.add("version", "of muster", origin.version).filled();
}
/// Unit or meaning of fields, by name.
inline void add_units(Record& record, const Json& units) {
  record.add("units", "unit or meaning of fields, by name; * stands for the rest of a name", units)
      .with("type", "object")
      .with("additionalProperties", Json{{"type", "string"}});
}
/// Numbers of things by name: pairs of both.
template <class Counts>
void add_counts(Record& record, const char* key, const char* sentence, const Counts& counts) {
  Json object = Json::object();
  for (const auto& [name, count] : counts) object[name] = count;
  record.add(key, sentence, object).with("type", "object").with("additionalProperties", kCount);
}
/// The seed.
inline Rule add_seed(Record& record, std::uint64_t seed, const char* sentence = "") {
  return record.add("seed", sentence, seed)
      .with("maximum", std::numeric_limits<std::uint64_t>::max());
}

/// JSON of the record that `fields(record)` describes. Names come from files; a broken character
/// does not stop it.
template <class Fields>
std::string json_text(const Fields& fields) {
  Json out;
  Record record(out);
  fields(record);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}
/// Its schema.
template <class Fields>
Json json_schema(const char* title, const char* sentence, const Fields& fields) {
  Json sample, schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                         {"title", title},
                         {"description", sentence}};
  Record record(sample, &schema);
  fields(record);
  return schema;
}

}  // namespace muster::core
