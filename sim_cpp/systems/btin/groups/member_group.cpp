// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/member_group.hpp"

namespace muster::btin {

namespace {
constexpr std::uint32_t kWordBits = 16;
constexpr std::uint32_t kHead = 3;  ///< words before the bitmap
}  // namespace

std::vector<std::uint32_t> announcement_words(const Announcement& a, std::uint32_t nodes) {
  std::vector<std::uint32_t> words{std::uint32_t{a.options.reflect} |
                                       static_cast<std::uint32_t>(a.options.op) << 1 |
                                       std::uint32_t{a.options.spill} << 4 | a.version << 5,
                                   a.creator, a.changes};
  words.resize(kHead + (nodes + kWordBits - 1) / kWordBits, 0);
  for (const NodeId n : a.members) words[kHead + n / kWordBits] |= 1u << n % kWordBits;
  return words;
}

Announcement announcement_at(const std::vector<std::uint32_t>& words, std::size_t place,
                             std::uint32_t nodes) {
  Announcement a;
  const std::uint32_t options = words[place];
  a.options = {(options & 1) != 0, static_cast<fabric::ReduceOp>(options >> 1 & 7),
               (options >> 4 & 1) != 0};
  a.version = options >> 5;
  a.creator = words[place + 1];
  a.changes = words[place + 2];
  for (NodeId n = 0; n < nodes; ++n)
    if ((words[place + kHead + n / kWordBits] >> n % kWordBits & 1) != 0) a.members.push_back(n);
  return a;
}

}  // namespace muster::btin
