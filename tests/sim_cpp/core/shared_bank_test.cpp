// SPDX-License-Identifier: Apache-2.0
#include "core/shared_bank.hpp"

#include <catch2/catch.hpp>

#include "support/thread_ranks.hpp"

namespace muster::core {
namespace {

/// Blocks of one port that send on what has come, plus one; some fail in a cycle.
class Counting final : public Bank {
 public:
  Counting(std::uint32_t blocks, std::vector<std::uint32_t> failing)
      : Bank(blocks, 1), failing_(std::move(failing)), values_(blocks) {}
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t b : awake) {
      if (std::find(failing_.begin(), failing_.end(), b) != failing_.end())
        throw BlockError("block " + std::to_string(b) + " fails", cycle, "sw" + std::to_string(b));
      BlockWires& wires = wires_[b];
      wires.tx_valid = wires.rx_valid;
      wires.rx_back = wires.tx_back + 1;
      if (wires.rx_valid != 0) tx(b, 0).lo = rx(b, 0).lo + 1;
      wires.rx_valid = 0;
      wires.tx_back = 0;
      ++clocked;
    }
  }
  void write_register(std::uint32_t b, std::uint32_t, std::uint32_t value) override {
    values_[b] = value;
    irq_[b] = value != 0;
  }
  std::uint32_t read_register(std::uint32_t b, std::uint32_t address) override {
    if (address != 0) throw InternalError("no such register");
    return values_[b];
  }
  std::string describe(std::uint32_t b) const override {
    return "block " + std::to_string(b) + " has " + std::to_string(values_[b]);
  }
  std::uint64_t comparisons() const override { return clocked; }
  std::uint64_t clocked = 0;

 private:
  std::vector<std::uint32_t> failing_;
  std::vector<std::uint32_t> values_;
};

constexpr std::uint32_t kBlocks = 10;
const std::vector<std::uint32_t> kAll = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

/// Calls work(bank, rank) in each of `count` ranks.
template <class Work>
void on_ranks(std::uint32_t count, const std::vector<std::uint32_t>& failing, Work&& work) {
  test::ThreadRanks(count).run([&](std::shared_ptr<Ranks> ranks) {
    const std::uint32_t rank = ranks->rank();
    SharedBank<Bank> bank(std::move(ranks), Partition(kBlocks, count),
                          std::make_unique<Counting>(kBlocks, failing), kBlocks, 1u);
    work(bank, rank);
  });
}

TEST_CASE("every block belongs to one rank, neighbours together", "[core][ranks]") {
  for (std::uint32_t ranks = 1; ranks < 14; ++ranks) {
    const Partition partition(kBlocks, ranks);
    std::vector<std::uint32_t> joined;
    for (std::uint32_t r = 0; r < ranks; ++r)
      for (const std::uint32_t b : partition.part(r, kAll)) {
        CHECK(partition.owner(b) == r);
        joined.push_back(b);
      }
    CHECK(joined == kAll);
  }
}

TEST_CASE("outputs of all blocks are known to all ranks, inputs are consumed", "[core][ranks]") {
  std::vector<std::uint64_t> sums(3), compared(3);
  on_ranks(3, {}, [&](SharedBank<Bank>& bank, std::uint32_t rank) {
    for (const std::uint32_t b : kAll) {
      bank.wires(b).rx_valid = b % 2;
      bank.wires(b).tx_back = b;
      bank.rx(b, 0).lo = 100 * b;
    }
    bank.clock(7, kAll);
    for (const std::uint32_t b : kAll) {
      if (bank.wires(b).rx_valid != 0 || bank.wires(b).tx_back != 0) return;
      sums[rank] += bank.wires(b).rx_back + (bank.wires(b).tx_valid != 0 ? bank.tx(b, 0).lo : 0);
    }
    compared[rank] = bank.comparisons();
  });
  // Credits b + 1 of ten blocks, and 100 b + 1 of the odd ones.
  CHECK(sums == std::vector<std::uint64_t>(3, 55 + 2505));
  CHECK(compared == std::vector<std::uint64_t>(3, kBlocks));
}

TEST_CASE("registers are read by all ranks, before and after the first cycle", "[core][ranks]") {
  std::vector<std::string> seen(2);
  on_ranks(2, {}, [&](SharedBank<Bank>& bank, std::uint32_t rank) {
    bank.write_register(1, 0, 11);
    seen[rank] = std::to_string(bank.read_register(1, 0));
    bank.clock(0, kAll);
    bank.write_register(8, 0, 88);
    seen[rank] += bank.irq(8) ? " asks, " : " is quiet, ";
    seen[rank] += bank.irq(1) ? "asks, " : "is quiet, ";
    seen[rank] += bank.describe(8);
  });
  CHECK(seen[0] == "11 asks, asks, block 8 has 88");
  CHECK(seen[1] == seen[0]);
}

TEST_CASE("the first block that fails is the failure of all ranks", "[core][ranks]") {
  std::vector<std::string> said(4);
  on_ranks(4, {9, 3, 6}, [&](SharedBank<Bank>& bank, std::uint32_t rank) {
    try {
      bank.clock(5, kAll);
    } catch (const BlockError& error) {
      said[rank] = error.what() + (" " + error.instance()) + " " + std::to_string(error.cycle());
    }
  });
  CHECK(said == std::vector<std::string>(4, "block 3 fails sw3 5"));
}

TEST_CASE("a read that fails fails in all ranks", "[core][ranks]") {
  std::vector<std::string> said(2);
  on_ranks(2, {}, [&](SharedBank<Bank>& bank, std::uint32_t rank) {
    try {
      bank.read_register(7, 1);
    } catch (const InternalError& error) {
      said[rank] = error.what();
    }
  });
  CHECK(said == std::vector<std::string>(2, "no such register"));
}

TEST_CASE("ranks that do not do the same end at once", "[core][ranks]") {
  std::vector<std::string> said(2);
  on_ranks(2, {}, [&](SharedBank<Bank>& bank, std::uint32_t rank) {
    try {
      bank.clock(rank == 0 ? 5 : 6, kAll);
    } catch (const InternalError& error) {
      said[rank] = error.what();
    }
  });
  CHECK(said[0] ==
        "cycle 5: rank 1 has clocked other blocks than rank 0; they must be one program");
  CHECK(said[1] ==
        "cycle 6: rank 0 has clocked other blocks than rank 1; they must be one program");
}

}  // namespace
}  // namespace muster::core
