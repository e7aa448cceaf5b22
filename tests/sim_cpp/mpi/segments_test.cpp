// SPDX-License-Identifier: Apache-2.0
#include "mpi/segments.hpp"

#include "support/test.hpp"

namespace muster::mpi {
namespace {

using fabric::ReduceOp;

/// The members' numbers through barriers of `width` bits, each member's own result.
std::vector<std::vector<std::uint64_t>> through(
    ReduceOp op, std::uint32_t bits, unsigned width,
    const std::vector<std::vector<std::uint64_t>>& numbers) {
  const auto members = static_cast<std::uint32_t>(numbers.size());
  std::vector<Segments> parts;
  for (const auto& mine : numbers) parts.emplace_back(op, bits, mine, width, members);
  std::uint64_t rounds = 0;
  for (; !parts.front().done(); ++rounds) {
    fabric::Payload all = fabric::neutral(op, width);
    for (const Segments& part : parts) all = fabric::reduce(op, all, part.next(), width);
    for (Segments& part : parts) part.take(all);
  }
  CHECK(rounds == Segments::rounds(op, bits, numbers.front().size(), width, members));
  std::vector<std::vector<std::uint64_t>> results;
  for (const Segments& part : parts) results.push_back(part.result());
  return results;
}

std::uint64_t expected(ReduceOp op, std::uint64_t a, std::uint64_t b) {
  switch (op) {
    case ReduceOp::kOr:
      return a | b;
    case ReduceOp::kXor:
      return a ^ b;
    case ReduceOp::kAnd:
      return a & b;
    case ReduceOp::kMax:
      return a < b ? b : a;
    case ReduceOp::kMin:
      return a < b ? a : b;
    default:
      return a + b;
  }
}

TEST_CASE("A reduction over narrow barriers is that of whole numbers, at every member") {
  Random rng(muster_seed(), 0);
  for (const auto& [name, op] : fabric::kReduceOps)
    for (const std::uint32_t bits : {1u, 8u, 32u, 64u})
      for (const unsigned width : {5u, 6u, 22u, 70u, 74u}) {
        const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
        std::vector<std::vector<std::uint64_t>> numbers(1 + rng.below(16));
        for (auto& mine : numbers)
          for (int i = 0; i < 3; ++i)
            mine.push_back((rng.below(4) == 0 ? mask - rng.below(2) : rng.next()) & mask);
        std::vector<std::uint64_t> all = numbers.front();
        for (std::size_t m = 1; m < numbers.size(); ++m)
          for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = expected(op, all[i], numbers[m][i]) & mask;
        INFO(name << ", " << bits << " bits in " << width << ", " << numbers.size() << " members");
        for (const auto& result : through(op, bits, width, numbers)) CHECK(result == all);
      }
}

TEST_CASE("Sums of more members than a message has room for take no round") {
  CHECK(Segments::rounds(ReduceOp::kSum, 32, 1, 4, 16) == 0);
  CHECK(Segments::rounds(ReduceOp::kSum, 32, 1, 4, 17) == 0);
  CHECK(Segments::rounds(ReduceOp::kSum, 32, 1, 5, 16) == 32);
  CHECK(Segments::rounds(ReduceOp::kOr, 32, 1, 0, 16) == 0);
  CHECK(Segments::rounds(ReduceOp::kOr, 0, 0, 6, 16) == 1);
}

}  // namespace
}  // namespace muster::mpi
