// SPDX-License-Identifier: Apache-2.0
#include "mpi/callers.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>

namespace muster::mpi {

std::string text_of(const Death& death) {
  std::string text = fmt::format("rank {} ", death.rank);
  if (WIFSIGNALED(death.status)) {
    const int signal = WTERMSIG(death.status);
    text += fmt::format("was ended by signal {} ({})", signal, strsignal(signal));
  } else {
    text += fmt::format("has ended with status {}", WEXITSTATUS(death.status));
  }
  if (death.call.empty()) return text + "; it made no call";
  return text + fmt::format("; its last call was {} at {}", death.call, death.site);
}

bool ScriptCallers::wait(std::chrono::milliseconds) {
  const std::size_t known = deaths_.size();
  for (std::uint32_t r = 0; r < ranks(); ++r) {
    const std::vector<RecordedCall>& calls = script_[r];
    if (next_[r] != calls.size()) continue;
    if (!calls.empty() && calls.back().call.kind == MUSTER_FINALIZE) continue;
    if (std::ranges::find(deaths_, r, &Death::rank) == deaths_.end())
      deaths_.emplace_back().rank = r;
  }
  return deaths_.size() != known;
}

}  // namespace muster::mpi
