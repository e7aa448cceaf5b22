// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <utility>

#include "app/sweep/children.hpp"
#include "app/sweep/farm.hpp"
#include "core/rank_message.hpp"

// A farm of ranks. They meet every kMeetEvery: rank 0 says what is to be done next, by rank, the
// others what has ended. Rank 0 runs jobs too.
namespace muster::app::sweep {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kMeetEvery = std::chrono::milliseconds(20);
enum class Word : std::uint8_t { kStart, kStop, kClose };

struct Job {
  std::uint32_t rank;
  std::uint64_t number;
  std::vector<std::string> words;
};

void put(core::RankMessage& message, const std::vector<Job>& jobs) {
  message.put(jobs.size());
  for (const Job& job : jobs) {
    message.put(job.rank);
    message.put(job.number);
    message.put(job.words.size());
    for (const std::string& word : job.words) message.put(word);
  }
}

std::vector<Job> get_jobs(core::RankReader& message) {
  std::vector<Job> jobs(message.get<std::size_t>());
  for (Job& job : jobs) {
    job.rank = message.get<std::uint32_t>();
    job.number = message.get<std::uint64_t>();
    job.words.resize(message.get<std::size_t>());
    for (std::string& word : job.words) word = message.get_text();
  }
  return jobs;
}

struct Ended {
  std::uint64_t job;
  ChildOutcome outcome;
};

void put(core::RankMessage& message, const std::vector<Ended>& all) {
  message.put(all.size());
  for (const Ended& ended : all) {
    message.put(ended.job);
    message.put(ended.outcome.status);
    message.put(ended.outcome.out);
    message.put(ended.outcome.err);
    message.put(ended.outcome.seconds);
  }
}

std::vector<Ended> get_ended(core::RankReader& message) {
  std::vector<Ended> all(message.get<std::size_t>());
  for (Ended& ended : all) {
    ended.job = message.get<std::uint64_t>();
    ended.outcome.status = message.get<int>();
    ended.outcome.out = message.get_text();
    ended.outcome.err = message.get_text();
    ended.outcome.seconds = message.get<double>();
  }
  return all;
}

/// All ranks for the same time: who meets others too early would wait at the cost of their jobs.
void listen(Children& children, const Farm::Done& ended) {
  const auto end = Clock::now() + kMeetEvery;
  for (auto left = kMeetEvery; left.count() > 0;
       left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()))
    children.listen(static_cast<int>(left.count()), ended);
}

}  // namespace

bool Farm::run_on_ranks(std::uint64_t count, const Words& words, const Done& done,
                        const std::function<bool()>& stop) const {
  Children children(program, folder);
  std::vector<unsigned> running(ranks->count());  // of each rank
  core::RankMessage told;
  for (std::uint64_t next = 0, ended = 0; ended < count;) {
    told.clear();
    if (stop()) {
      told.put(Word::kStop);
      ranks->exchange(told.bytes());
      return false;
    }
    // One after the other, so that few jobs are spread over all ranks.
    std::vector<Job> started;
    for (unsigned full = 0; full < jobs; ++full)
      for (std::uint32_t r = 0; r < running.size() && next < count; ++r)
        if (running[r] == full) {
          started.push_back({r, next, words(next)});
          ++running[r];
          ++next;
        }
    told.put(Word::kStart);
    put(told, started);
    const auto heard = ranks->exchange(told.bytes());
    for (const Job& job : started)
      if (job.rank == 0) children.start(job.number, job.words);
    const auto take = [&](std::uint32_t rank, std::uint64_t job, ChildOutcome outcome) {
      --running[rank];
      ++ended;
      done(job, std::move(outcome));
    };
    for (std::uint32_t r = 1; r < heard.size(); ++r) {
      core::RankReader message(heard[r]);
      for (Ended& one : get_ended(message)) take(r, one.job, std::move(one.outcome));
    }
    listen(children,
           [&](std::uint64_t job, ChildOutcome outcome) { take(0, job, std::move(outcome)); });
  }
  return true;
}

void Farm::serve() const {
  Children children(program, folder);
  std::vector<Ended> ended;
  core::RankMessage told;
  while (true) {
    told.clear();
    put(told, ended);
    ended.clear();
    core::RankReader message(ranks->exchange(told.bytes())[0]);
    const auto word = message.get<Word>();
    if (word == Word::kClose) return;
    if (word == Word::kStop) {
      children.kill();
      continue;
    }
    for (const Job& job : get_jobs(message))
      if (job.rank == ranks->rank()) children.start(job.number, job.words);
    listen(children, [&](std::uint64_t job, ChildOutcome outcome) {
      ended.push_back({job, std::move(outcome)});
    });
  }
}

void Farm::close() const {
  if (ranks == nullptr) return;
  core::RankMessage told;
  told.put(Word::kClose);
  ranks->exchange(told.bytes());
}

}  // namespace muster::app::sweep
