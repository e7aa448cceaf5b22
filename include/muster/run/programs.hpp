// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "muster/fabric/formats.hpp"

namespace muster::run {

class Members;

/// Programs that are the members of a run: when they arrive, and how often, is known only while it
/// goes on. Groups and members count as in Arrivals. RunSpec::programs.
class Programs {
 public:
  /// What the run does next.
  enum class Next : std::uint8_t {
    kStep,  ///< the next cycle
    kDone,  ///< no member arrives again, all have been released: it ends as a complete run
    kLeave  ///< it ends at once, as one that is interrupted
  };

  virtual ~Programs() = default;
  /// Members may arrive from this cycle on; the groups took `created` cycles to create.
  /// `members` outlives the run.
  virtual void begin(std::uint64_t cycle, std::uint64_t created, Members& members) = 0;
  /// Before each cycle: lets members arrive in it by Members::arrive. `still()`: until one does,
  /// nothing changes in the network; so time may pass there without cycles.
  virtual Next before(std::uint64_t cycle, const std::function<bool()>& still) = 0;
  /// The member goes on in this cycle, which may lie behind the one that is under way.
  virtual void released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) = 0;

  // Of a scheme whose messages carry data; the others call none of these.
  /// They carry so many bits, 0 if none.
  virtual void carry(unsigned width) = 0;
  /// What a member that has arrived brings to its barrier.
  virtual fabric::Payload brings(std::uint32_t group, std::uint32_t member) const = 0;
  /// What the data of all members make together. REQUIRES: all have arrived, none is released.
  virtual fabric::Payload all(std::uint32_t group) const = 0;
  /// With what the member is released; released() follows.
  virtual void takes(std::uint32_t group, std::uint32_t member, const fabric::Payload& data) = 0;
};

}  // namespace muster::run
