// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/configurations.hpp"
#include "support/register_table.hpp"
#include "support/test.hpp"

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
    const bool bsr = block.top == "muster_bsr_switch";
    constexpr std::string_view prefix = "muster_";  // of modules; a golden switch may have none
    const std::string map = bsr                             ? "preempting_switch"
                            : block.top.starts_with(prefix) ? block.top.substr(prefix.size())
                                                            : block.top;
    for (const RegisterWord& word : register_words(map))
      if (!replaced(word.name)) place(word);
    if (windowed())
      for (const RegisterWord& word : register_words("group_window")) place(word);
    if (chained())
      for (const RegisterWord& word : register_words("nic_events")) place(word);
    if (bsr) kind_offset_ = block.param("Architecture") - 1;
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
  bool chained() const { return block_.top == "muster_nic_engine" && block_.param("Chained") != 0; }
  /// Its groups are in block RAM.
  bool windowed() const {
    return block_.top == "muster_barrier_switch" && block_.param("Groups") != 0;
  }

  std::uint32_t param(std::string_view name) const {
    if (name == "log2(Groups)")
      return static_cast<std::uint32_t>(std::bit_width(param("Groups"))) - 1;
    if (name == "over31(Ports)") return std::max(param("Ports"), 31u) - 31;
    if (name == "bits(Ports)") return static_cast<std::uint32_t>(std::bit_width(param("Ports")));
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

/// The registers of one block, read and written by what rdl/ says of them. `Port` has
/// read_register() and write_register() as core::Bank; `make` makes one that is as after reset.
template <class Port>
class RegisterCheck {
 public:
  RegisterCheck(std::function<std::unique_ptr<Port>()> make, const fabric::Block& block)
      : make_(std::move(make)), map_(block) {
    for (const PlacedRegister& at : map_.registers())
      for (const RegisterBits& field : at.fields) {
        if (field.access == Access::kW)
          writable_.insert(at.address);
        else
          readable_.insert(at.address);
        if ((field.flags & kMoves) != 0) moving_[at.address] |= in_place(field);
      }
  }

  void after_reset() {
    bank_ = make_();
    std::vector<std::uint32_t> expected(kAddresses, 0);
    for (const PlacedRegister& at : map_.registers())
      for (const RegisterBits& field : at.fields)
        if (at.address < kAddresses) expected[at.address] |= map_.reset(field);
    for (std::uint32_t address = 0; address < kAddresses; ++address) {
      CAPTURE(address);
      if (bank_->read_register(0, address) != expected[address])
        CHECK(bank_->read_register(0, address) == expected[address]);
    }
  }

  /// Of arrays the first and the last register.
  void each_field() {
    for (const PlacedRegister& at : map_.registers()) {
      if (at.address >= kAddresses || at.inner) continue;
      for (const std::uint32_t pattern : {~0u, 0xaaaaaaaau, 0x55555555u, 0u})
        write(at, map_.legal(at, pattern), true);
      bank_ = make_();
      for (unsigned bit = 0; bit < 32; ++bit) write(at, map_.legal(at, 1u << bit), false);
    }
  }

  /// What is no register stays so, and does nothing to others.
  void holes() {
    bank_ = make_();
    std::set<std::uint32_t> named;
    for (const PlacedRegister& at : map_.registers()) named.insert(at.address);
    const auto before = all();
    for (std::uint32_t address = 0; address < kAddresses; ++address)
      if (!named.contains(address)) bank_->write_register(0, address, ~0u);
    CHECK(all() == before);
    for (std::uint32_t address = 0; address < kAddresses; ++address)
      if (!readable_.contains(address) && bank_->read_register(0, address) != 0) {
        CAPTURE(address);
        CHECK(bank_->read_register(0, address) == 0);
      }
  }

  std::uint32_t fields() const { return fields_; }

 private:
  static constexpr std::uint32_t kAddresses = 1u << 12;

  static std::uint32_t in_place(const RegisterBits& field) {
    return static_cast<std::uint32_t>(((std::uint64_t{1} << field.width) - 1) << field.low);
  }

  /// Without what changes by itself.
  std::uint32_t read(std::uint32_t address) {
    const auto moving = moving_.find(address);
    return bank_->read_register(0, address) & ~(moving == moving_.end() ? 0 : moving->second);
  }

  std::vector<std::uint32_t> all() {
    std::vector<std::uint32_t> words;
    for (const std::uint32_t address : readable_) words.push_back(read(address));
    return words;
  }

  /// Of all().
  std::uint32_t& word_at(std::vector<std::uint32_t>& words, std::uint32_t address) {
    return words.at(
        static_cast<std::size_t>(std::distance(readable_.begin(), readable_.find(address))));
  }

  /// `others`: look at all other words too, after reset. A word that is only written may set off
  /// anything, so it is written after reset as well; others are read back, one after the other.
  void write(const PlacedRegister& to, std::uint32_t word, bool others) {
    CAPTURE(to.name, to.address, word);
    const bool only_write =
        std::ranges::all_of(to.fields, [](const auto& f) { return f.access == Access::kW; });
    if (!only_write && writable_.contains(to.address)) return;  // the write is of another register
    if (others || only_write) bank_ = make_();
    auto expected = others ? all() : std::vector<std::uint32_t>{};
    std::uint32_t own = read(to.address);
    for (const RegisterBits& field : to.fields) {
      const std::uint32_t mask = in_place(field);
      if (field.access == Access::kRW) own = (own & ~mask) | map_.written(field, word);
      if (field.access == Access::kRC) own &= ~mask;
      ++fields_;
    }
    bank_->write_register(0, to.address, word);
    if (only_write) {  // it sets something off, and other words may say so
      if (!readable_.contains(to.address)) CHECK(bank_->read_register(0, to.address) == 0);
      return;
    }
    CHECK(read(to.address) == own);
    if (!others) return;
    word_at(expected, to.address) = own;
    for (const PlacedRegister& at : map_.registers())
      for (const RegisterBits& field : at.fields)
        for (const RegisterBits& shown : to.fields)
          if (field.shows == to.name + "." + std::string(shown.name))
            word_at(expected, at.address) |= own >> shown.low << field.low;
    CHECK(all() == expected);
  }

  std::function<std::unique_ptr<Port>()> make_;
  std::unique_ptr<Port> bank_;
  RegisterExpansion map_;
  std::set<std::uint32_t> readable_, writable_;    ///< addresses
  std::map<std::uint32_t, std::uint32_t> moving_;  ///< by address
  std::uint32_t fields_ = 0;
};

template <class Port>
void check_registers(std::function<std::unique_ptr<Port>()> make, const fabric::Block& block) {
  RegisterCheck<Port> check(std::move(make), block);
  check.after_reset();
  check.each_field();
  check.holes();
  CHECK(check.fields() > 100);
}

}  // namespace muster::testing
