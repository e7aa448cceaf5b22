// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "fabric/link_configurations.hpp"
#include "fabric/link_factory.hpp"
#include "models/model_library.hpp"
#include "muster/fabric/engine_registry.hpp"
#include "support/all_engines.hpp"
#include "support/register_expansion.hpp"
#include "systems/btin/switch_kinds.hpp"
#include "systems/nic/blocks/nic_factory.hpp"
#include "systems/nic/nic_configurations.hpp"
#include "systems/packets/switch_kinds.hpp"
#include "systems/preempt/switch_kinds.hpp"

using namespace muster;
using testing::Access;
using testing::PlacedRegister;
using testing::RegisterBits;
using testing::RegisterExpansion;

namespace {

constexpr std::uint32_t kAddresses = 1u << 12;

const fabric::SwitchKind* kind_of(const std::string& top) {
  for (const fabric::SwitchKind* kind : {&btin::kBarrierSwitch, &packets::kMulticastSwitch,
                                         &preempt::kBsr1, &preempt::kBsr2, &preempt::kBsr3})
    if (kind->module == top) return kind;
  return nullptr;
}

/// One block of an entry; nullptr if it has no register port.
std::unique_ptr<core::Bank> one_block(const fabric::BankFactory& engine,
                                      const fabric::BlockEntry& entry) {
  fabric::BankOptions options;
  options.random_init = true;
  if (entry.kind == "nic")
    return nic::nics_of(engine)->make_nics(nic::nic_config(entry), 1, options);
  if (entry.kind == "link")
    return fabric::links_of(engine)->make_links(fabric::link_config(entry), 1, options);
  if (const fabric::SwitchKind* kind = kind_of(entry.block.top))
    return engine.make_switches(fabric::switch_config(entry, *kind), 1, options);
  return nullptr;
}

/// Makes a block that is as after reset.
using Make = std::function<std::unique_ptr<core::Bank>()>;

/// The registers of one block, read and written by the table.
class RegisterCheck {
 public:
  RegisterCheck(Make make, const fabric::Block& block) : make_(std::move(make)), map_(block) {
    for (const PlacedRegister& at : map_.registers())
      for (const RegisterBits& field : at.fields) {
        if (field.access == Access::kW)
          writable_.insert(at.address);
        else
          readable_.insert(at.address);
        if ((field.flags & testing::kMoves) != 0) moving_[at.address] |= in_place(field);
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

  Make make_;
  std::unique_ptr<core::Bank> bank_;
  RegisterExpansion map_;
  std::set<std::uint32_t> readable_, writable_;    ///< addresses
  std::map<std::uint32_t, std::uint32_t> moving_;  ///< by address
  std::uint32_t fields_ = 0;
};

void check(const Make& make, const fabric::Block& block) {
  RegisterCheck check(make, block);
  check.after_reset();
  check.each_field();
  check.holes();
  CHECK(check.fields() > 100);
}

}  // namespace

TEST_CASE("each field of each register is as rdl/ says, in every model and its golden",
          "[registers]") {
  const fabric::EngineRegistry engines = test::all_engines();
  std::set<std::string> tops;
  for (const std::string engine : {"rtl", "golden"})
    for (const fabric::BlockEntry& entry : verif::listed_models()) {
      CAPTURE(engine, entry.name);
      const auto make = [&] { return one_block(*engines.find(engine), entry); };
      if (make() == nullptr) continue;
      check(make, entry.block);
      tops.insert(entry.block.top);
    }
  CHECK(tops.size() == 7);
}

TEST_CASE("each field of the unit switch, which is golden alone, is as rdl/ says", "[registers]") {
  const fabric::SwitchConfig config{
      .name = "unit", .ports = 5, .gid_w = 6, .dests = 64, .kind = &packets::kUnitSwitch};
  const auto golden = test::all_engines().find("golden");
  fabric::Block block = fabric::block_of(config);
  block.top = "unit_switch";
  check([&] { return golden->make_switches(config, 1, {}); }, block);
}
