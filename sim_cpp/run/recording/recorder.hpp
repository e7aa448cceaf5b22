// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "muster/run/resolve.hpp"
#include "muster/run/watcher.hpp"
#include "run/recording/message_watch.hpp"
#include "run/recording/recording.hpp"

namespace muster::run {

/// Records what a page shows of one run.
class Recorder : public Watcher {
 public:
  /// Of the cycles `from` to `to` - 1.
  Recorder(std::uint64_t from, std::uint64_t to) { recording_.from = from, recording_.to = to; }

  void begin(const ResolvedRun& run, fabric::Network& network) override;
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override;
  void arrived(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void look(std::uint64_t next) override;

  /// What has been recorded, up to the last cycle that there was. REQUIRES: the run is over.
  const Recording& recording();

 private:
  bool recorded(std::uint64_t cycle) const {
    return cycle >= recording_.from && cycle < recording_.to;
  }
  void mark(std::uint64_t cycle, Mark what, std::uint32_t id) {
    if (recorded(cycle)) recording_.marks.push_back({cycle, what, id});
  }
  void look_at_entries(std::uint64_t cycle, std::uint32_t sw);
  void look_at_contexts(std::uint64_t cycle, std::uint32_t node);
  void look_at_links(std::uint64_t cycle);
  void look_who_dies(std::uint64_t cycle);

  Recording recording_;
  const ResolvedRun* run_ = nullptr;
  fabric::Network* network_ = nullptr;
  std::optional<MessageWatch> messages_;
  std::uint64_t next_ = 0;                         ///< cycle that comes
  std::vector<std::vector<SwitchEntry>> entries_;  ///< by switch, as last seen
  std::vector<SwitchEntry> now_;
  std::vector<std::vector<NodeContext>> contexts_;  ///< by node, as last seen; none without devices
  std::vector<NodeContext> contexts_now_;
  std::vector<std::uint32_t> ends_;  ///< status words of link ends, as last seen
};

}  // namespace muster::run
