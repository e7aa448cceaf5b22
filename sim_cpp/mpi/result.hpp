// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record.hpp"
#include "mpi/session.hpp"

namespace muster::mpi {

/// The same calls under another scheme.
struct Comparison {
  std::string name;     ///< of the scheme, "software" in front if hosts walk its lists
  std::string refused;  ///< why it cannot be; empty if it has run
  SessionResult result;
};

/// What `muster mpi` reports: schema muster-mpi-1.
struct Report {
  std::string program, network;
  double clock_ns = 10.0;
  double factor = 1.0;
  std::uint64_t differs = 0;  ///< results that are not MPI's, of --check
  SessionResult result;
  std::vector<Comparison> others;
};

void describe(core::Record& r, const Report& report, const Provenance& origin);
std::string report_to_text(const Report& report);

/// Schema muster-arrivals-1: the calls of all ranks, for `muster run --arrivals`, and the times
/// before each call of each rank, for `muster mpi --compute`.
std::string recording_to_json(const std::string& name, const Script& script,
                              const std::vector<std::vector<std::uint64_t>>& work_ns,
                              double clock_ns);
/// Of such a file. Throws InputError "file: place: reason".
std::vector<std::vector<std::uint64_t>> read_compute(const std::string& file, std::uint32_t ranks);

}  // namespace muster::mpi
