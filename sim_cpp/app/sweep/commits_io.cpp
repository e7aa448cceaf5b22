// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/commits.hpp"

namespace muster::app::sweep {

std::string commit_of(const Json& header, const Json& row) {
  const Json& machines = header["machines"];
  const auto place = row["machine"].get<std::size_t>();
  return place < machines.size() ? machines[place].value("commit", "") : "";
}

std::string shown_commit(const std::string& commit) {
  return commit.empty() ? "no known commit" : "commit " + commit;
}

}  // namespace muster::app::sweep
