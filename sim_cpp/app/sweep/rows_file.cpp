// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/rows_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "app/sweep/commits.hpp"
#include "core/file_io.hpp"
#include "muster/core/error.hpp"

namespace muster::app::sweep {

namespace {

/// The place of a machine in a header's list, to which it is added if it is new.
std::size_t place_of_machine(Json& machines, const Json& machine) {
  const auto found = std::find(machines.begin(), machines.end(), machine);
  const auto place = static_cast<std::size_t>(found - machines.begin());
  if (found == machines.end()) machines.push_back(machine);
  return place;
}

/// What runs read and is not what it was when the rows of the old header were made, for a message;
/// empty if all is.
std::string changed_input(const Json& old, const Json& header) {
  for (const auto& [field, what] : {std::pair("networks", "network"), std::pair("files", "file"),
                                    std::pair("models", "model of configuration")})
    for (const auto& [name, digest] : header[field].items())
      if (old.value(field, Json::object()).value(name, digest) != digest)
        return fmt::format("{} '{}'", what, name);
  return {};
}

/// Rows of another build may differ by what has changed in the program.
void check_commits(const std::string& path, const Json& old, const std::vector<Json>& rows,
                   const Json& header) {
  const std::string own = header["machines"][0].value("commit", "");
  for (const Json& row : rows)
    if (const std::string commit = commit_of(old, row); commit != own)
      throw InputError(fmt::format(
          "{}: has rows of {}, this program is of {}; name another file with --out, or allow both "
          "with --mixed",
          path, shown_commit(commit), shown_commit(own)));
}

/// The error number, or 0.
int write_whole(int file, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t done = ::write(file, text.data() + at, text.size() - at);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    at += static_cast<std::size_t>(done);
  }
  return 0;
}

}  // namespace

RowsFile::RowsFile(const std::string& path, Json header, const Runs& runs, Reuse reuse)
    : path_(path) {
  check_writable(path_);
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode))
    throw InputError(fmt::format(
        "--out '{}': is not a regular file; a sweep resumes from its file, so name one", path_));
  RowsText old;
  if (exists) {
    file_.fd = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file_.fd < 0) fail("written", errno);
    lock();
    if (status.st_size != 0) old = take_over(header, runs, reuse);
  }
  const Json own = header["machines"][0];
  if (!old.header.is_null()) header["machines"] = old.header["machines"];
  machine_ = place_of_machine(header["machines"], own);
  std::string text = line_of(header);
  for (const Json& row : old.rows) text += line_of(row);
  replace(text);
}

RowsFile::Descriptor::~Descriptor() {
  if (fd >= 0) ::close(fd);
}

RowsText RowsFile::take_over(Json& header, const Runs& runs, Reuse reuse) {
  RowsText old = read_rows(path_);
  if (old.header["version"] != header["version"])
    throw InputError(fmt::format("{}: is of version {}, this is {}; name another file with --out",
                                 path_, old.header["version"].get<std::string>(), runs.version()));
  if (old.header["shard"] != header["shard"])
    throw InputError(fmt::format("{}: is of another shard, {}; name another file with --out", path_,
                                 old.header["shard"].dump()));
  std::uint64_t strangers = 0;
  std::vector<Json> kept;
  for (Json& row : old.rows) {
    // A plan may have grown since; then rows have other numbers.
    const std::uint64_t number = runs.find(row["id"].get<std::string>());
    if (!reuse.failed && row["status"] != 0) continue;
    if (number == runs.size()) {
      ++strangers;
    } else if (there_.insert(number).second) {
      row["row"] = number;
      kept.push_back(std::move(row));
    }
  }
  if (strangers != 0) {
    const std::string changed = changed_input(old.header, header);
    throw InputError(fmt::format(
        "{}: {} of its rows are {}; name another file with --out", path_, strangers,
        changed.empty() ? "not in this plan" : "of another " + changed + " than there is now"));
  }
  const auto keep = [](const Json& of) { return of["plan"].value("keep", Json()); };
  if (!kept.empty() && keep(old.header) != keep(header))
    throw InputError(fmt::format(
        "{}: its rows were made with another \"keep\"; name another file with --out", path_));
  if (!reuse.mixed) check_commits(path_, old.header, kept, header);
  found_ = kept.size();
  old.rows = std::move(kept);
  return old;
}

void RowsFile::lock() const {
  // Other errors come from file systems without locks, where a sweep must do without.
  if (::flock(file_.fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw InputError(fmt::format(
        "{}: another sweep writes it; wait for its end, or name another file with --out", path_));
}

void RowsFile::replace(const std::string& text) {
  const std::string part = fmt::format("{}.part-{}", path_, ::getpid());
  const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) fail("written", errno);
  int error = write_whole(file, text);
  // A process that opens it by its new name finds it locked.
  if (error == 0) ::flock(file, LOCK_EX | LOCK_NB);
  if (error == 0 && std::rename(part.c_str(), path_.c_str()) != 0) error = errno;
  if (error != 0) {
    ::close(file);
    ::unlink(part.c_str());
    fail("written", error);
  }
  if (file_.fd >= 0) ::close(file_.fd);
  file_.fd = file;
}

void RowsFile::append(const Json& row) {
  const off_t before = ::lseek(file_.fd, 0, SEEK_END);
  if (const int error = write_whole(file_.fd, line_of(row)); error != 0) {
    if (::ftruncate(file_.fd, before) != 0) fail("cut after an error", errno);
    fail("written", error);
  }
  there_.insert(row["row"].get<std::uint64_t>());
}

void RowsFile::sort() {
  RowsText text = read_rows(path_);
  replace(sorted_text(text.header, std::move(text.rows)));
}

void RowsFile::fail(const std::string& what, int error) const {
  throw InputError(fmt::format("{}: cannot be {}: {}", path_, what, std::strerror(error)));
}

}  // namespace muster::app::sweep
