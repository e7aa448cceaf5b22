// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/retry_io.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace muster::btin {

using run::Json;

Json retry_parameters(const RetrySpec& spec) {
  return {{"period", spec.period},
          {"suspect_after", spec.suspect_after},
          {"message_drop", spec.drop},
          {"message_duplicate", spec.duplicate}};
}

Json retries_to_json(const RetryCounts& counts) {
  return {{"messages", counts.messages},
          {"repeated", counts.repeated},
          {"dropped", counts.dropped},
          {"duplicated", counts.duplicated},
          {"inquiries", counts.inquiries}};
}

std::string retries_text(const Result& result) {
  if (!result.retries) return {};
  const RetryCounts& counts = *result.retries;
  return fmt::format(
      "retries      {} barrier messages on links, {} of them repeated; {} lost, {} duplicated{}\n",
      counts.messages, counts.repeated, counts.dropped, counts.duplicated,
      counts.inquiries != 0 ? fmt::format("; {} queries for missing members", counts.inquiries)
                            : "");
}

}  // namespace muster::btin
