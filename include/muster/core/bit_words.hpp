// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::core {

/// Bits of many words, as a list that is made word by word and then gone through in one loop. A
/// loop over the bits of each word would end where nobody can predict it, once a word, and that is
/// most of its time; here what is left of a word and the next word are a choice without a branch.
class BitWords {
 public:
  /// Room for `words` that are not 0.
  explicit BitWords(std::size_t words = 0) : words_(words + 1) {}

  std::size_t room() const { return words_.size() - 1; }  ///< as given

  void clear() { count_ = 0; }  ///< no bits are left
  /// The next word, and what its bits are counted from.
  void add(std::uint64_t bits, std::uint32_t first) {
    words_[count_] = {bits, first};
    count_ += bits != 0;
  }
  /// Calls f(first, bit) for all bits, in the order of the words, the lowest first.
  template <class F>
  void for_each(F&& f) const {
    const Word* word = words_.data();
    const Word* const end = word + count_;
    std::uint64_t bits = word->bits;
    while (word != end) {
      const std::uint32_t first = word->first;
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(bits));
      bits &= bits - 1;
      word += bits == 0;
      bits = bits == 0 ? word->bits : bits;
      f(first, bit);
    }
  }

 private:
  struct Word {
    std::uint64_t bits;
    std::uint32_t first;
  };
  std::vector<Word> words_;  ///< one more than are added is read, and not used
  std::size_t count_ = 0;
};

}  // namespace muster::core
