// SPDX-License-Identifier: Apache-2.0
#include "muster/core/outputs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "muster/core/error.hpp"

namespace muster {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw InputError("{}: cannot be {}: {}", path, what, std::strerror(error));
}

struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

/// The file that becomes `path` when it is complete.
std::string part_of(const std::string& path) { return fmt::format("{}.part-{}", path, ::getpid()); }

/// Files are UTF-8 without a mark, as JSON asks for; with one, two files that look alike would
/// differ.
void refuse_mark(const std::string& path, std::string_view content) {
  for (const std::string_view mark : {"\xEF\xBB\xBF", "\xFE\xFF", "\xFF\xFE"})
    if (content.starts_with(mark))
      throw InputError("{}: start: a byte order mark; save the file as UTF-8 without one", path);
}

/// The error number, or 0.
int write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t done = ::write(fd, content.data(), content.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(done));
  }
  return 0;
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

static std::string read_all(int fd, const std::string& path, std::size_t max_bytes) {
  std::string content;
  char block[1 << 16];
  while (true) {
    const ssize_t got = ::read(fd, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "read", errno);
    if (got == 0) break;
    content.append(block, static_cast<std::size_t>(got));
    if (content.size() > max_bytes)
      throw InputError("{}: larger than {} bytes, the limit for such a file; is it the right one?",
                       path, max_bytes);
  }
  refuse_mark(path, content);
  return content;
}

std::string read_file(const std::string& path, std::size_t max_bytes) {
  // A pipe must not make open() wait.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  if (file.fd < 0) fail(path, "read", errno);
  struct stat status {};
  if (::fstat(file.fd, &status) != 0) fail(path, "read", errno);
  if (!S_ISREG(status.st_mode))
    throw InputError(path + ": cannot be read: not a regular file; give the name of a file");
  return read_all(file.fd, path, max_bytes);
}

std::string read_standard_input(std::size_t max_bytes) {
  return read_all(STDIN_FILENO, "standard input", max_bytes);
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
  const Descriptor file{::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
  if (file.fd < 0) fail(path, "written", errno);
  ::unlink(part.c_str());
}

void write_file(const std::string& path, std::string_view content, const std::string& shown) {
  const std::string& name = shown.empty() ? path : shown;
  const bool special = is_special(path);
  const std::string part = special ? path : part_of(path);
  const int flags = special ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL;
  Descriptor file{::open(part.c_str(), flags | O_CLOEXEC, 0666)};
  if (file.fd < 0) fail(name, "written", errno);
  int error = write_all(file.fd, content);
  if (::close(file.fd) != 0 && error == 0) error = errno;
  file.fd = -1;
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

void Outputs::reads(const std::string& path) { input_ = path; }

void Outputs::writes(const std::string& option, const std::string& path) {
  if (!is_file(path)) return;
  check_writable(path);
  if (is_special(path)) {
    files_.push_back({path, {}, {}});
    return;
  }
  if (is_file(input_) && same_file(input_, path))
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
