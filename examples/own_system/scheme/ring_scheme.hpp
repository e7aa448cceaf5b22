// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <muster/system.hpp>
#include <string>

#include "ring.hpp"
#include "scheme/ring_traffic.hpp"

namespace token_ring {

/// Members send a message when they arrive and go on with the message that releases them; the
/// switches do the rest.
class RingScheme : public muster::run::Scheme {
 public:
  /// Loads the registers of all switches.
  RingScheme(const Ring& ring, const muster::run::SchemeParts& parts);
  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void receive_sync(std::uint64_t cycle, std::uint32_t node,
                    const muster::core::Flit& flit) override;
  muster::run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(const muster::run::Members& members, std::uint32_t group) const override;

 private:
  const Ring& ring_;
  muster::fabric::Network& network_;
  muster::fabric::Formats formats_;
  muster::run::ReleaseListener& listener_;
  RingTraffic traffic_;
};

}  // namespace token_ring
