// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <barrier>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "muster/core/ranks.hpp"
#include "muster/run/result.hpp"
#include "muster/run/run.hpp"
#include "support/test.hpp"

namespace muster::test {

/// Ranks that are threads of the test, in place of processes under MPI: what they run must not
/// know the difference, as they share only their messages.
class ThreadRanks {
 public:
  explicit ThreadRanks(std::uint32_t count)
      : said_(count),
        meet_(static_cast<std::ptrdiff_t>(count)),
        sent_(count, std::vector<std::deque<Message>>(count)) {}

  /// Calls rank(ranks) for all, each on a thread of its own, and returns when all have returned.
  void run(const std::function<void(std::shared_ptr<core::Ranks>)>& rank) {
    std::vector<std::jthread> threads;
    for (std::uint32_t r = 0; r < said_.size(); ++r)
      threads.emplace_back([this, r, &rank] { rank(std::make_shared<One>(*this, r)); });
  }
  /// Messages that were not received.
  std::size_t left() const {
    std::size_t count = 0;
    for (const auto& from : sent_)
      for (const auto& to : from) count += to.size();
    return count;
  }

 private:
  using Message = std::vector<std::byte>;

  class One final : public core::Ranks {
   public:
    One(ThreadRanks& all, std::uint32_t rank)
        : all_(all), rank_(rank), received_(all.said_.size()) {}
    std::uint32_t rank() const override { return rank_; }
    std::uint32_t count() const override { return static_cast<std::uint32_t>(all_.said_.size()); }
    std::span<const Message> exchange(std::span<const std::byte> mine) override {
      all_.said_[rank_].assign(mine.begin(), mine.end());
      all_.meet_.arrive_and_wait();
      heard_ = all_.said_;
      heard_[rank_].clear();
      all_.meet_.arrive_and_wait();
      return heard_;
    }
    void send(std::uint32_t to, std::span<const std::byte> message) override {
      const std::lock_guard lock(all_.lock_);
      all_.sent_[rank_][to].emplace_back(message.begin(), message.end());
      all_.arrived_.notify_all();
    }
    std::span<const std::byte> receive(std::uint32_t from) override {
      std::unique_lock lock(all_.lock_);
      std::deque<Message>& messages = all_.sent_[from][rank_];
      all_.arrived_.wait(lock, [&] { return !messages.empty(); });
      received_[from] = std::move(messages.front());
      messages.pop_front();
      return received_[from];
    }
    void progress() override {}
    void abort(int) override { std::abort(); }

   private:
    ThreadRanks& all_;
    std::uint32_t rank_;
    std::vector<Message> heard_, received_;
  };

  std::vector<Message> said_;
  std::barrier<> meet_;
  std::mutex lock_;
  std::condition_variable arrived_;
  std::vector<std::vector<std::deque<Message>>> sent_;  ///< by sender and receiver
};

/// What a run says, except for the time it takes.
inline std::string result_of(const run::RunSpec& spec) {
  auto json = nlohmann::json::parse(run::run_to_json(spec, run::run_barriers(spec), {}));
  json.erase("seconds");
  json.erase("switch_cycles_per_second");
  return json.dump();
}

/// With so many threads.
inline std::string result_with_threads(run::RunSpec spec, std::uint32_t threads) {
  spec.threads = threads;
  return result_of(spec);
}

/// Of so many ranks, as rank 0 has it.
inline std::string result_of_ranks(const run::RunSpec& spec, std::uint32_t count) {
  std::string result;
  ThreadRanks(count).run([&](std::shared_ptr<core::Ranks> ranks) {
    run::RunSpec own = spec;
    own.ranks = ranks;
    if (ranks->rank() == 0)
      result = result_of(own);
    else
      run::run_barriers(own);
  });
  return result;
}

}  // namespace muster::test
