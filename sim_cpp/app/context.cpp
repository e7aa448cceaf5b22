// SPDX-License-Identifier: Apache-2.0
#include "app/context.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "common/error.hpp"
#include "common/file_io.hpp"
#include "topology/group_spec.hpp"

namespace muster::app {

void deliver(const CommonOptions& options, const std::function<std::string()>& json,
             const std::function<std::string()>& text) {
  clear_progress();
  if (options.json == "-") {
    fmt::print("{}", json());
    return;
  }
  if (!options.json.empty()) write_file(options.json, json());
  fmt::print("{}", text());
}

void require_writable(const std::string& path) {
  if (!path.empty() && path != "-") check_writable(path);
}

std::vector<topology::NodeId> members_of(const topology::Graph& graph, const std::string& file,
                                         const std::string& group, std::uint64_t seed) {
  try {
    return topology::parse_group(graph, group, seed);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

bool shows_progress() { return isatty(STDERR_FILENO) != 0; }

void show_progress(const std::string& line) {
  if (!shows_progress()) return;
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

void clear_progress() {
  if (shows_progress()) fmt::print(stderr, "\r\033[K");
}

}  // namespace muster::app
