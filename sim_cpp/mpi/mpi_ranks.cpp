// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <array>
#include <cstdlib>

#include "muster/core/ranks.hpp"

// Any failure of MPI itself ends all processes with its own report (MPI_ERRORS_ARE_FATAL).
namespace muster::mpi {
namespace {

class MpiRanks final : public core::Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    heard_.resize(static_cast<std::size_t>(count_));
    sends_.reserve(heard_.size());
    sending_.resize(heard_.size());
  }
  ~MpiRanks() override {
    for (Sending& to : sending_) MPI_Waitall(kUnderWay, to.requests.data(), MPI_STATUSES_IGNORE);
    MPI_Finalize();
  }

  std::uint32_t rank() const override { return static_cast<std::uint32_t>(rank_); }
  std::uint32_t count() const override { return static_cast<std::uint32_t>(count_); }

  std::span<const std::vector<std::byte>> exchange(std::span<const std::byte> mine) override {
    sends_.clear();
    for (int to = 0; to < count_; ++to) {
      if (to == rank_) continue;
      MPI_Isend(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, to, kTag, MPI_COMM_WORLD,
                &sends_.emplace_back());
    }
    for (int from = 0; from < count_; ++from)
      if (from != rank_) receive_from(from);
    MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
    return heard_;
  }

  void send(std::uint32_t to, std::span<const std::byte> message) override {
    Sending& sending = sending_[to];
    const std::size_t i = sending.next;
    sending.next = (i + 1) % kUnderWay;
    MPI_Wait(&sending.requests[i], MPI_STATUS_IGNORE);
    sending.messages[i].assign(message.begin(), message.end());
    MPI_Isend(sending.messages[i].data(), static_cast<int>(message.size()), MPI_BYTE,
              static_cast<int>(to), kTag, MPI_COMM_WORLD, &sending.requests[i]);
  }

  std::span<const std::byte> receive(std::uint32_t from) override {
    receive_from(static_cast<int>(from));
    return heard_[from];
  }

  void progress() override {
    int arrived = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
  }

  void abort(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();
  }

 private:
  static constexpr int kTag = 0;
  static constexpr int kUnderWay = 2;  // messages to one rank that it need not have received
  struct Sending {
    std::array<MPI_Request, kUnderWay> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    std::array<std::vector<std::byte>, kUnderWay> messages;
    std::size_t next = 0;
  };

  void receive_from(int from) {
    std::vector<std::byte>& message = heard_[static_cast<std::size_t>(from)];
    MPI_Message probed;
    MPI_Status status;
    MPI_Mprobe(from, kTag, MPI_COMM_WORLD, &probed, &status);
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    message.resize(static_cast<std::size_t>(bytes));
    MPI_Mrecv(message.data(), bytes, MPI_BYTE, &probed, MPI_STATUS_IGNORE);
  }

  int rank_ = 0, count_ = 1;
  std::vector<std::vector<std::byte>> heard_;
  std::vector<MPI_Request> sends_;  ///< of an exchange
  std::vector<Sending> sending_;    ///< by rank
};

}  // namespace
}  // namespace muster::mpi

/// Called once, by the program (app/process.hpp).
extern "C" muster::core::Ranks* muster_mpi_ranks() { return new muster::mpi::MpiRanks; }
