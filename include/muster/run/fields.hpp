// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// One description of each member of a specification: its option, range, sentence and name in JSON.
/// The command line, the keywords of Python, the checks of ranges, the parameters of a result and
/// their schema follow from it. A specification has a function `describe(run::Fields&, Spec&)` that
/// names its members one after the other.

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace muster::core {
class Record;
}

namespace muster::run {

/// The largest of all ranges.
inline constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();

/// What a member holds: nothing, or a flag, a whole number, a real number, a word.
using FieldValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string>;

/// One member, with all that is said of it.
struct Field {
  /// How its option is typed: alone, or with a value.
  enum class Kind : std::uint8_t { kFlag, kNumber, kReal, kChoice, kText };

  Kind kind = Kind::kText;  ///< kText takes any word, which the code that obeys it reads
  /// "--gap"; without dashes a word that must be typed, by its place; empty: no option.
  std::string option = {};
  std::string help = {};                  ///< sentence of `--help`, with the unit
  std::uint64_t least = 0;                ///< of kNumber
  std::uint64_t most = 0;                 ///< of kNumber
  double lowest = 0.0;                    ///< of kReal
  double highest = 0.0;                   ///< of kReal
  std::vector<std::string> choices = {};  ///< of kChoice
  bool repeated = false;                  ///< of kText: may be typed several times
  std::string key = {};                   ///< in JSON; empty: is not there
  bool only_if_given = false;             ///< see if_given()
  std::string foreign = {};             ///< what schemes without the member do, "has no registers"
  std::vector<std::string> needs = {};  ///< options; typed without any of them it is refused
  std::string useless = {};             ///< what is said then
  bool typed = false;                   ///< the option was
  FieldValue before = {};               ///< its default, if it was
  std::function<void(const std::string&)> set = {};  ///< the member, from what was typed
  std::function<FieldValue()> value = {};            ///< of the member

  /// 0, false and none say that nothing is given: they are not in JSON, whatever the range.
  Field& if_given();
  /// Sets `needs` and `useless`.
  Field& needing(std::vector<std::string> options, std::string reason);

  /// Sets the member. Throws InputError, "--gap: '300' is not a whole number from 0 to 255".
  void take(const std::string& word);
  /// What `--help` shows as the default; empty: nothing.
  std::string fallback() const;
  /// Throws InputError, "--gap: scheme 'star' has no preempting switches".
  [[noreturn]] void refuse(const std::string& scheme) const;
};

/// The value of a number, or of std::optional of one.
template <class M>
FieldValue value_of(const M& member) {
  if constexpr (std::is_same_v<M, double>)
    return member;
  else if constexpr (std::is_integral_v<M>)
    return std::uint64_t{member};
  else
    return member ? value_of(*member) : FieldValue{};
}
/// Sets a number, or std::optional of one.
template <class M>
void set_number(M& member, std::uint64_t number) {
  if constexpr (std::is_integral_v<M>)
    member = static_cast<M>(number);
  else
    set_number(member.emplace(), number);
}

/// What a member is called on the command line, and in JSON if it is there.
struct FieldName {
  /// The option alone is enough.
  FieldName(const char* typed, const char* written = "") : option(typed), key(written) {}
  const char* option;  ///< see Field
  const char* key;     ///< see Field
};

/// The members of a specification, one after the other. The specification outlives this.
class Fields {
 public:
  Fields() = default;
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  /// Field::foreign of the fields that are named from now on.
  void unlike(std::string what) { foreign_ = std::move(what); }

  /// A whole number, or std::optional of one, from `least` to `most`; typed in decimal digits.
  template <class M>
  Field& number(FieldName name, M& member, std::uint64_t least, std::uint64_t most,
                std::string help) {
    Field& field = add(Field::Kind::kNumber, name, std::move(help));
    field.value = [&member] { return value_of(member); };
    field.least = least;
    field.most = most;
    field.set = [&field, &member](const std::string& typed) {
      set_number(member, number_typed(field, typed));
    };
    return field;
  }
  /// A real number, or std::optional of one, from `lowest` to `highest`.
  template <class M>
  Field& real(FieldName name, M& member, double lowest, double highest, std::string help) {
    Field& field = add(Field::Kind::kReal, name, std::move(help));
    field.value = [&member] { return value_of(member); };
    field.lowest = lowest;
    field.highest = highest;
    field.set = [&field, &member](const std::string& typed) { member = real_typed(field, typed); };
    return field;
  }
  /// The member is `on` if the option is typed, which takes no value.
  template <class M>
  Field& flag(FieldName name, M& member, M on, std::string help) {
    Field& field = add(Field::Kind::kFlag, name, std::move(help));
    field.set = [&member, on](const std::string&) { member = on; };
    if constexpr (std::is_same_v<M, bool>)
      field.value = [&member] { return FieldValue(member); };
    else
      field.value = [&member, on] { return FieldValue(member == on); };
    return field;
  }
  /// The same of a bool that the option sets.
  Field& flag(FieldName name, bool& member, std::string help) {
    return flag(name, member, true, std::move(help));
  }
  /// One of named values.
  template <class M>
  Field& choice(FieldName name, M& member, std::vector<std::pair<std::string, M>> names,
                std::string help) {
    Field& field = add(Field::Kind::kChoice, name, std::move(help));
    for (const auto& [word, value] : names) field.choices.push_back(word);
    field.set = [&field, &member, names](const std::string& typed) {
      member = names[place_typed(field, typed)].second;
    };
    field.value = [&member, names] {
      for (const auto& [word, value] : names)
        if (member == value) return FieldValue(word);
      return FieldValue();
    };
    return field;
  }
  /// A word or the name of a file, which is not empty if it is typed.
  Field& text(FieldName name, std::string& member, std::string help);
  /// A member that is read from a word, which may be refused, and written as one.
  Field& text(FieldName name, std::function<void(const std::string&)> read,
              const std::function<std::string()>& written, std::string help);
  /// Any number of words.
  Field& texts(FieldName name, std::vector<std::string>& member, std::string help);

  auto begin() { return fields_.begin(); }        ///< of Field, in the order of naming
  auto end() { return fields_.end(); }            ///< behind the last
  auto begin() const { return fields_.begin(); }  ///< the same
  auto end() const { return fields_.end(); }      ///< the same
  bool typed(std::string_view option) const;      ///< the option was
  /// That was typed, and is no choice of the default, which asks for nothing; nullptr: none.
  const Field* first_typed() const;
  /// Throws InputError, "--gap 300: is not in 0..255", for a value out of its range, and for what
  /// was typed without what it needs.
  void check() const;
  /// Adds what is in JSON to a record.
  void put(core::Record& out) const;

 private:
  Field& add(Field::Kind kind, FieldName name, std::string help);
  static std::uint64_t number_typed(const Field& field, const std::string& typed);
  static double real_typed(const Field& field, const std::string& typed);
  static std::size_t place_typed(const Field& field, const std::string& typed);

  std::deque<Field> fields_;
  std::string foreign_;
};

/// Fields::check() of a specification.
template <class Spec>
void check_fields(Spec spec) {
  Fields fields;
  describe(fields, spec);
  fields.check();
}

/// Fields::put() of a specification.
template <class Spec>
void put_fields(Spec spec, core::Record& out) {
  Fields fields;
  describe(fields, spec);
  fields.put(out);
}

}  // namespace muster::run
