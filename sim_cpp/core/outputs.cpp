// SPDX-License-Identifier: Apache-2.0
#include "muster/core/outputs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "muster/core/error.hpp"

namespace muster {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw InputError("{}: cannot be {}: {}", path, what, std::strerror(error));
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, Close>;

/// The file that becomes `path` when it is complete.
std::string part_of(const std::string& path) { return fmt::format("{}.part-{}", path, ::getpid()); }

/// Files are UTF-8 without a mark, as JSON asks for; with one, two files that look alike would
/// differ.
void refuse_mark(const std::string& path, std::string_view content) {
  for (const std::string_view mark : {"\xEF\xBB\xBF", "\xFE\xFF", "\xFF\xFE"})
    if (content.starts_with(mark))
      throw InputError("{}: start: a byte order mark; save the file as UTF-8 without one", path);
}

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

static std::string read_all(std::FILE* file, const std::string& path, std::size_t max_bytes) {
  std::string content;
  char block[1 << 16];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file)) {
    content.append(block, got);
    if (content.size() > max_bytes)
      throw InputError("{}: larger than {} bytes, the limit for such a file; is it the right one?",
                       path, max_bytes);
  }
  if (std::ferror(file) != 0) fail(path, "read", errno);
  refuse_mark(path, content);
  return content;
}

std::string read_file(const std::string& path, std::size_t max_bytes) {
  if (is_special(path))  // a pipe would make the opening wait
    throw InputError(path + ": cannot be read: not a regular file; give the name of a file");
  const OpenFile file(std::fopen(path.c_str(), "re"));
  if (!file) fail(path, "read", errno);
  return read_all(file.get(), path, max_bytes);
}

std::string read_standard_input(std::size_t max_bytes) {
  return read_all(stdin, "standard input", max_bytes);
}

void check_writable(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail(path, "written", EISDIR);
    if (::access(path.c_str(), W_OK) != 0) fail(path, "written", errno);
    if (!S_ISREG(status.st_mode)) return;
  }
  if (path.ends_with('/')) fail(path, "written", EISDIR);
  const std::string part = part_of(path);
  const OpenFile file(std::fopen(part.c_str(), "wxe"));
  if (!file) fail(path, "written", errno);
  ::unlink(part.c_str());
}

void write_file(const std::string& path, std::string_view content, const std::string& shown) {
  const std::string& name = shown.empty() ? path : shown;
  const bool special = is_special(path);
  const std::string part = special ? path : part_of(path);
  OpenFile file(std::fopen(part.c_str(), special ? "we" : "wxe"));
  if (!file) fail(name, "written", errno);
  int error = 0;
  if (std::fwrite(content.data(), 1, content.size(), file.get()) != content.size()) error = errno;
  if (std::fclose(file.release()) != 0 && error == 0) error = errno;
  if (!special && error == 0 && std::rename(part.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  if (!special) ::unlink(part.c_str());
  fail(name, "written", error);
}

Outputs::~Outputs() {
  std::error_code error;
  for (const File& f : files_)
    if (!f.part.empty()) fs::remove(f.part, error);
}

void Outputs::reads(const std::string& path) { inputs_.push_back(path); }

void Outputs::writes(const std::string& option, const std::string& path,
                     const std::string& suffix) {
  if (!path.empty() && !path.ends_with(suffix))
    throw InputError("{} '{}': use the suffix {}", option, path, suffix);
  if (!is_file(path)) return;
  check_writable(path);
  if (is_special(path)) {
    files_.push_back({path, {}, {}});
    return;
  }
  for (const std::string& input : inputs_)
    if (is_file(input) && same_file(input, path))
      throw InputError("{} '{}': is also an input file; give another name", option, path);
  for (const File& f : files_)
    if (same_file(f.path, path))
      throw InputError("{} '{}': is already an output file; give another name", option, path);
  files_.push_back({path, part_of(path), {}});
}

Outputs::File& Outputs::file(const std::string& path) {
  const auto found = std::ranges::find_if(files_, [&](const File& f) { return f.path == path; });
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
    if (error) throw InputError("{}: cannot be written: {}", f.path, error.message());
  }
}

}  // namespace muster
