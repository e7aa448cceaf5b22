// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstring>

#include "support/test.hpp"

namespace muster::test {

/// A Verilated module with clk_i and rst_ni, after reset. A cycle is: set inputs, settle(), look at
/// the outputs, edge(). Registers start at random values, which reset has to hide.
template <class Model>
class Clocked {
 public:
  explicit Clocked(std::uint64_t seed) : model_((prepare(context_, seed), &context_), "dut") {
    reset();
  }
  ~Clocked() {
    Verilated::threadContextp(&context_);  // that of another module may be gone
    model_.final();
  }

  Model& operator*() { return model_; }
  Model* operator->() { return &model_; }

  void settle() { model_.eval(); }
  /// Throws InternalError if an assertion of the module does not hold in this cycle.
  void edge() {
    model_.clk_i = 1;
    model_.eval();
    model_.clk_i = 0;
  }
  /// Two cycles of reset with the inputs as they are.
  void reset() {
    model_.clk_i = 0;
    model_.rst_ni = 0;
    for (int i = 0; i < 2; ++i) {
      settle();
      edge();
    }
    model_.rst_ni = 1;
  }

 private:
  static void prepare(VerilatedContext& context, std::uint64_t seed) {
    context.randReset(2);
    context.randSeed(static_cast<int>(seed % 0x7FFFFFFF) + 1);
  }
  VerilatedContext context_;
  Model model_;
};

/// A value of up to 256 bits, as ports of any Verilator type hold it: least significant word first.
using Word = std::array<std::uint32_t, 8>;

inline Word random_word(Random& rng, unsigned bits) {
  Word word{};
  for (unsigned i = 0; i < bits; ++i) word[i / 32] |= rng.below(2) << (i % 32);
  return word;
}

/// Assigns a port of at most 64 bits, whatever type Verilator gave it.
template <class Port>
void put(Port& port, std::uint64_t value) {
  port = static_cast<Port>(value);
}

template <class Port>
void put(Port& port, const Word& word) {
  static_assert(sizeof(Port) <= sizeof(Word));
  std::memcpy(&port, word.data(), sizeof(Port));
}

template <class Port>
Word get(const Port& port) {
  static_assert(sizeof(Port) <= sizeof(Word));
  Word word{};
  std::memcpy(word.data(), &port, sizeof(Port));
  return word;
}

}  // namespace muster::test
