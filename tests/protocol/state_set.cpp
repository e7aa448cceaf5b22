// SPDX-License-Identifier: Apache-2.0
#include "protocol/state_set.hpp"

#include <algorithm>

namespace muster::protocol {

std::uint64_t StateSet::hash(const std::uint64_t* words, unsigned count) {
  std::uint64_t h = count;
  for (unsigned i = 0; i < count; ++i) {
    h = (h ^ words[i]) * 0x9e3779b97f4a7c15;
    h ^= h >> 32;
  }
  return h;
}

std::size_t StateSet::place(const Key& key) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = hash(key.at.data(), key.words) & mask;
  for (; table_[i] != kNone; i = (i + 1) & mask) {
    const std::uint32_t n = table_[i];
    if (lengths_[n] == key.words &&
        std::equal(key.at.begin(), key.at.begin() + key.words, (*this)[n])) {
      break;
    }
  }
  return i;
}

std::pair<std::uint32_t, bool> StateSet::insert(const Key& key) {
  const std::size_t i = place(key);
  if (table_[i] != kNone) return {table_[i], false};
  const std::uint32_t number = size();
  table_[i] = number;
  if (chunks_.empty() || (end_ & (kChunk - 1)) + key.words > kChunk ||
      end_ == chunks_.size() * kChunk) {
    end_ = static_cast<std::uint32_t>(chunks_.size() * kChunk);
    chunks_.push_back(std::make_unique<std::uint64_t[]>(kChunk));
  }
  std::copy_n(key.at.begin(), key.words, &chunks_.back()[end_ & (kChunk - 1)]);
  begins_.push_back(end_);
  lengths_.push_back(static_cast<std::uint8_t>(key.words));
  end_ += key.words;
  if (size() * std::size_t{4} > table_.size() * 3) grow();
  return {number, true};
}

void StateSet::grow() {
  std::vector<std::uint32_t>(table_.size() * 2, kNone).swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (std::uint32_t n = 0; n < size(); ++n) {
    std::size_t i = hash((*this)[n], lengths_[n]) & mask;
    while (table_[i] != kNone) i = (i + 1) & mask;
    table_[i] = n;
  }
}

}  // namespace muster::protocol
