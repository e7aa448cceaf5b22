// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/esc/box_bank.hpp"

namespace muster::esc {

/// The index algebra of section 2: N = n^m links, m + 1 stages numbered from m (input stage) down
/// to 0, boxes and ports by the digits of a link's number in base n. docs/systems/esc.md.
class Cube {
 public:
  /// REQUIRES: size 2, 4 or 8, pes a power of it, at least `size`, at most 2^16.
  Cube(std::uint32_t pes, std::uint32_t size)
      : pes_(pes),
        size_(size),
        digit_bits_(static_cast<unsigned>(std::countr_zero(size))),
        input_stage_(static_cast<unsigned>(std::countr_zero(pes)) / digit_bits_) {}

  /// If such a network exists.
  static bool exists(std::uint64_t pes, std::uint32_t size) {
    return std::has_single_bit(pes) && pes >= size && pes <= 65536 &&
           std::countr_zero(pes) % std::countr_zero(size) == 0;
  }

  std::uint32_t pes() const { return pes_; }                            ///< N
  std::uint32_t size() const { return size_; }                          ///< n
  unsigned input_stage() const { return input_stage_; }                 ///< m = log_n N
  unsigned address_bits() const { return input_stage_ * digit_bits_; }  ///< log2 N
  std::uint32_t boxes_per_stage() const { return pes_ / size_; }

  std::uint32_t digit(std::uint32_t number, unsigned i) const {
    return (number >> (i * digit_bits_)) & (size_ - 1);
  }
  std::uint32_t with_digit(std::uint32_t number, unsigned i, std::uint32_t value) const {
    return (number & ~((size_ - 1) << (i * digit_bits_))) | (value << (i * digit_bits_));
  }

  /// Bits of the digits 0 .. i - 1 of a number.
  std::uint32_t below(unsigned i) const { return with_digit(0, i, 1) - 1; }

  /// Digit of the link number that the boxes of a stage exchange.
  unsigned exchanged(unsigned stage) const { return stage == input_stage_ ? 0 : stage; }
  std::uint32_t port(unsigned stage, std::uint32_t link) const {
    return digit(link, exchanged(stage));
  }
  /// Box of a stage, 0 .. N/n - 1, that has the link.
  std::uint32_t box(unsigned stage, std::uint32_t link) const {
    const unsigned q = exchanged(stage) * digit_bits_;
    return (link >> (q + digit_bits_) << q) | (link & ((1u << q) - 1));
  }
  std::uint32_t link(unsigned stage, std::uint32_t box, std::uint32_t port) const {
    const unsigned q = exchanged(stage) * digit_bits_;
    return (box >> q << (q + digit_bits_)) | (port << q) | (box & ((1u << q) - 1));
  }
  /// Of a link, among the ports of all boxes of the stage.
  std::uint32_t place(unsigned stage, std::uint32_t link) const {
    return box(stage, link) * size_ + port(stage, link);
  }

  /// Tag of a packet to one PE that leaves the input stage, if that is enabled, on digit x.
  std::uint32_t tag(std::uint32_t destination, std::uint32_t x) const {
    return destination | (x << address_bits());
  }
  std::uint32_t destination(std::uint32_t tag) const { return tag & (pes_ - 1); }

 private:
  std::uint32_t pes_, size_;
  unsigned digit_bits_, input_stage_;
};

/// Which of the two outer stages are enabled (section 2).
struct OuterStages {
  bool input = false;
  bool output = true;

  /// Stages with boxes on the way of a packet, the first and the last of them.
  unsigned first(const Cube& cube) const {
    return input ? cube.input_stage() : cube.input_stage() - 1;
  }
  unsigned last() const { return output ? 0 : 1; }
  unsigned count(const Cube& cube) const { return first(cube) - last() + 1; }
};

/// Broadcast bits that take a packet to all PEs: those of every stage that sets a digit of the link
/// number. With both outer stages enabled the input stage is left to the tag.
inline std::uint32_t broadcast_mask(const Cube& cube, const OuterStages& stages) {
  const unsigned m = cube.input_stage();
  if (stages.output) return (1u << m) - 1;  // stages m - 1 .. 0
  return ((1u << (m + 1)) - 1) & ~1u;       // stages m .. 1
}

}  // namespace muster::esc
