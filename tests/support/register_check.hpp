// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/register_expansion.hpp"

namespace muster::testing {

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

  /// `others`: look at all other words too.
  void write(const PlacedRegister& to, std::uint32_t word, bool others) {
    CAPTURE(to.name, to.address, word);
    bank_ = make_();
    const bool only_write = std::all_of(to.fields.begin(), to.fields.end(),
                                        [](const auto& f) { return f.access == Access::kW; });
    if (!only_write && writable_.contains(to.address)) return;  // the write is of another register
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
