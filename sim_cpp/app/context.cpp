// SPDX-License-Identifier: Apache-2.0
#include "app/context.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "muster/core/error.hpp"
#include "muster/topology/group_spec.hpp"

namespace muster::app {

namespace {

thread_local Captured* captured = nullptr;

}  // namespace

Captured::Captured() : outer_(captured) { captured = this; }

Captured::~Captured() { captured = outer_; }

void deliver(const CommonOptions& options, Outputs& outputs,
             const std::function<std::string()>& json, const std::function<std::string()>& text) {
  clear_progress();
  if (!options.json.empty() && options.json != "-") outputs.put(options.json, json());
  const std::string shown = options.json == "-" ? json() : text();
  outputs.commit();
  print(shown);
}

void print(const std::string& text) {
  if (captured != nullptr) {
    captured->out += text;
    return;
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw InputError(fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
}

void complain(const std::string& text) {
  if (captured != nullptr)
    captured->err += text;
  else
    fmt::print(stderr, "{}", text);
}

bool shows_progress() { return captured == nullptr && isatty(STDERR_FILENO) != 0; }

void show_progress(const std::string& line) {
  if (!shows_progress()) return;
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

void clear_progress() {
  if (shows_progress()) fmt::print(stderr, "\r\033[K");
}

}  // namespace muster::app
