// SPDX-License-Identifier: Apache-2.0
#include "muster/core/outputs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/file_io.hpp"
#include "muster/core/error.hpp"

namespace muster {

namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& path) { return !path.empty() && path != "-"; }

bool is_special(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_regular_file(path, error);
}

/// By another name, through a link, or both not there yet.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  return fs::weakly_canonical(fs::absolute(a), error) ==
         fs::weakly_canonical(fs::absolute(b), error);
}

}  // namespace

Outputs::~Outputs() {
  std::error_code error;
  for (const File& f : files_)
    if (!f.part.empty()) fs::remove(f.part, error);
}

void Outputs::reads(const std::string& path) { input_ = path; }

void Outputs::writes(const std::string& option, const std::string& path) {
  if (!is_file(path)) return;
  check_writable(path);
  if (is_special(path)) {
    files_.push_back({path, {}, {}});
    return;
  }
  if (is_file(input_) && same_file(input_, path))
    throw InputError(
        fmt::format("{} '{}': is also an input file; give another name", option, path));
  for (const File& f : files_)
    if (same_file(f.path, path))
      throw InputError(
          fmt::format("{} '{}': is already an output file; give another name", option, path));
  files_.push_back({path, fmt::format("{}.part-{}", path, ::getpid()), {}});
}

Outputs::File& Outputs::file(const std::string& path) {
  const auto found =
      std::find_if(files_.begin(), files_.end(), [&](const File& f) { return f.path == path; });
  if (found == files_.end()) throw InternalError(path + ": was not announced as an output");
  return *found;
}

std::string Outputs::part(const std::string& path) {
  const File& f = file(path);
  return f.part.empty() ? f.path : f.part;
}

void Outputs::put(const std::string& path, std::string_view content) {
  if (!is_file(path)) return;
  File& f = file(path);
  if (f.part.empty())
    f.content = content;
  else
    write_file(f.part, content, f.path);
}

void Outputs::commit() {
  for (const File& f : files_)
    if (!f.content.empty()) write_file(f.path, f.content);
  for (const File& f : files_) {
    std::error_code error;
    if (f.part.empty() || !fs::exists(f.part, error)) continue;
    fs::rename(f.part, f.path, error);
    if (error) throw InputError(fmt::format("{}: cannot be written: {}", f.path, error.message()));
  }
}

}  // namespace muster
