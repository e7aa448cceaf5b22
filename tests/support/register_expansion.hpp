// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/block_list.hpp"
#include "support/register_table.hpp"

namespace muster::testing {

/// A register of a block of some size: one of an array, with the fields that this block has.
struct PlacedRegister {
  std::string name;
  std::uint32_t address;
  std::vector<RegisterBits> fields;
  bool inner = false;  ///< neither first nor last in its array
};

/// What rdl/ says of a block with its parameters.
class RegisterExpansion {
 public:
  explicit RegisterExpansion(const fabric::Block& block) : block_(block) {
    const bool bsr = block.top.starts_with("bsr");
    for (const RegisterWord& word : register_words(bsr ? "preempting_switch" : block.top))
      if (!replaced(word.name)) place(word);
    if (windowed())
      for (const RegisterWord& word : register_words("group_window")) place(word);
    if (chained())
      for (const RegisterWord& word : register_words("nic_events")) place(word);
    if (bsr) kind_offset_ = static_cast<std::uint32_t>(block.top[3] - '1');
  }

  const std::vector<PlacedRegister>& registers() const { return registers_; }

  /// The field after reset, in place. The table has the kind of the first preempting switch.
  std::uint32_t reset(const RegisterBits& field) const {
    if (field.access == Access::kW || (field.flags & kSettles) != 0) return 0;
    std::uint32_t value = field.reads.empty() ? field.reset : param(field.reads);
    if (field.name == "kind") value += kind_offset_;
    return (value & ones(field.width)) << field.low;
  }

  /// What is in the field, in place, when this word has been written to it.
  std::uint32_t written(const RegisterBits& field, std::uint32_t word) const {
    std::uint32_t value = word >> field.low & ones(width(field));
    if (field.most != 0) value = std::min(value, field.most);
    if ((field.flags & kNonzero) != 0 && value == 0) value = 1;
    return value << field.low;
  }

  /// A word as a host may write it: no value that a field must not have.
  std::uint32_t legal(const PlacedRegister& to, std::uint32_t word) const {
    for (const RegisterBits& field : to.fields) {
      const std::uint32_t value = word >> field.low & ones(field.width);
      std::uint32_t next = value;
      if (!field.below.empty()) next = value % param(field.below);
      if ((field.flags & kOnehot) != 0) next = std::bit_floor(value & ones(width(field)));
      word = (word & ~(ones(field.width) << field.low)) | next << field.low;
    }
    return word;
  }

 private:
  static std::uint32_t ones(std::uint32_t width) {
    return width < 32 ? (std::uint32_t{1} << width) - 1 : ~std::uint32_t{0};
  }

  /// Something else has its addresses.
  bool replaced(std::string_view word) const {
    return (windowed() && word.starts_with("barrier")) || (chained() && word.starts_with("lists"));
  }
  /// It has an event unit.
  bool chained() const { return block_.top == "nic_engine" && block_.param("Chained") != 0; }
  /// Its groups are in block RAM.
  bool windowed() const { return block_.top == "barrier_switch" && block_.param("Groups") != 0; }

  std::uint32_t param(std::string_view name) const {
    if (name == "log2(Groups)")
      return static_cast<std::uint32_t>(std::bit_width(param("Groups"))) - 1;
    if (name == "Regs" && windowed()) return 0;
    return block_.param(std::string(name));
  }

  std::uint32_t width(const RegisterBits& field) const {
    return field.kept.empty() ? field.width : std::min(field.width, param(field.kept));
  }

  bool has(std::string_view needs) const {
    for (std::size_t at = 0; at < needs.size();) {
      const std::size_t end = std::min(needs.find(' ', at), needs.size());
      const bool without = needs[at] == '!';
      const std::string_view name = needs.substr(at + without, end - at - without);
      if ((param(name) == 0) != without) return false;
      at = end + 1;
    }
    return true;
  }

  void place(const RegisterWord& word) {
    if (!has(word.needs)) return;
    PlacedRegister one{std::string(word.name), word.address, {}, false};
    for (const RegisterBits& field : word.fields)
      if (has(field.needs)) one.fields.push_back(field);
    place_array(one, word.arrays, 0);
  }

  void place_array(const PlacedRegister& first, const std::vector<RegisterArray>& arrays,
                   std::size_t level) {
    if (level == arrays.size()) return registers_.push_back(first);
    const RegisterArray& array = arrays[level];
    const std::uint32_t many = array.many.empty() ? array.count : param(array.many);
    for (std::uint32_t i = 0; i < many; ++i) {
      PlacedRegister one = first;
      one.name += "[" + std::to_string(i) + "]";
      one.address += i * array.stride;
      one.inner = one.inner || (i != 0 && i + 1 != many);
      place_array(one, arrays, level + 1);
    }
  }

  fabric::Block block_;
  std::vector<PlacedRegister> registers_;
  std::uint32_t kind_offset_ = 0;
};

}  // namespace muster::testing
