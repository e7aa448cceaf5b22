// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <cstdlib>
#include <vector>

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
  }
  ~MpiRanks() override { MPI_Finalize(); }

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
      if (from != rank_) receive(from);
    MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
    return heard_;
  }

  void abort(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();
  }

 private:
  static constexpr int kTag = 0;

  void receive(int from) {
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
  std::vector<MPI_Request> sends_;
};

}  // namespace
}  // namespace muster::mpi

/// Called once, by the program (app/process_ranks.hpp).
extern "C" muster::core::Ranks* muster_mpi_ranks() { return new muster::mpi::MpiRanks; }
