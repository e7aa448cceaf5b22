// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <barrier>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "muster/core/error.hpp"
#include "muster/core/ranks.hpp"

namespace muster::test {

/// Ranks that are threads of the test, in place of processes under MPI: what they run must not
/// know the difference, as they share nothing but what they exchange.
class ThreadRanks {
 public:
  explicit ThreadRanks(std::uint32_t count)
      : said_(count), meet_(static_cast<std::ptrdiff_t>(count)) {}

  /// Calls rank(ranks) for all, each on a thread of its own, and returns when all have returned.
  void run(const std::function<void(std::shared_ptr<core::Ranks>)>& rank) {
    std::vector<std::jthread> threads;
    for (std::uint32_t r = 0; r < said_.size(); ++r)
      threads.emplace_back([this, r, &rank] { rank(std::make_shared<One>(*this, r)); });
  }

 private:
  class One final : public core::Ranks {
   public:
    One(ThreadRanks& all, std::uint32_t rank) : all_(all), rank_(rank) {}
    std::uint32_t rank() const override { return rank_; }
    std::uint32_t count() const override { return static_cast<std::uint32_t>(all_.said_.size()); }
    std::span<const std::vector<std::byte>> exchange(std::span<const std::byte> mine) override {
      all_.said_[rank_].assign(mine.begin(), mine.end());
      all_.meet_.arrive_and_wait();
      heard_ = all_.said_;
      heard_[rank_].clear();
      all_.meet_.arrive_and_wait();
      return heard_;
    }
    void abort(int) override { std::abort(); }

   private:
    ThreadRanks& all_;
    std::uint32_t rank_;
    std::vector<std::vector<std::byte>> heard_;
  };

  std::vector<std::vector<std::byte>> said_;
  std::barrier<> meet_;
};

}  // namespace muster::test
