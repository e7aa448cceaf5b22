// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/rank_message.hpp"
#include "muster/core/error.hpp"

namespace muster::core {

/// The first failure of a cycle, that with the lowest block, as ranks tell it each other: all of
/// them throw the same.
class RankFailure {
 public:
  bool happened() const { return kind_ != Kind::kNone; }
  /// `block`: the first of those that were clocked together, unless the error names its own.
  void keep(const InternalError& error, std::uint32_t block) {
    if (const auto* of_block = dynamic_cast<const BlockError*>(&error))
      block = number_in(of_block->instance(), block);
    if (happened() && block_ <= block) return;
    kind_ = Kind::kInternal;
    block_ = block;
    text_ = error.what();
    if (const auto* of_block = dynamic_cast<const BlockError*>(&error)) {
      kind_ = Kind::kBlock;
      cycle_ = of_block->cycle();
      instance_ = of_block->instance();
    }
  }
  void keep(const RankFailure& other) {
    if (other.happened() && (!happened() || other.block_ < block_)) *this = other;
  }

  void put(RankMessage& message) const {
    message.put(kind_);
    if (!happened()) return;
    message.put(block_);
    message.put(cycle_);
    message.put(text_);
    message.put(instance_);
  }
  static RankFailure get(RankReader& message) {
    RankFailure failure;
    failure.kind_ = message.get<Kind>();
    if (!failure.happened()) return failure;
    failure.block_ = message.get<std::uint32_t>();
    failure.cycle_ = message.get<std::uint64_t>();
    failure.text_ = message.get_text();
    failure.instance_ = message.get_text();
    return failure;
  }

  /// Throws it, if there is one.
  void raise() const {
    if (kind_ == Kind::kBlock) throw BlockError(text_, cycle_, instance_);
    if (kind_ == Kind::kInternal) throw InternalError(text_);
  }

 private:
  /// "sw12" is block 12 of its bank.
  static std::uint32_t number_in(const std::string& instance, std::uint32_t otherwise) {
    const auto digits = instance.find_first_of("0123456789");
    return digits == std::string::npos
               ? otherwise
               : static_cast<std::uint32_t>(std::stoul(instance.substr(digits)));
  }

  enum class Kind : std::uint8_t { kNone, kInternal, kBlock };
  Kind kind_ = Kind::kNone;
  std::uint32_t block_ = 0;
  std::uint64_t cycle_ = 0;  ///< of a BlockError
  std::string text_, instance_;
};

}  // namespace muster::core
