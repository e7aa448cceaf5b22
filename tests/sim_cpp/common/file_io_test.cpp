// SPDX-License-Identifier: Apache-2.0
#include "common/file_io.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "common/error.hpp"

using namespace muster;
namespace fs = std::filesystem;

namespace {

/// An empty directory that goes away with the test.
struct Scratch {
  fs::path path = fs::temp_directory_path() / fmt::format("muster-file-io-{}", ::getpid());
  Scratch() { fs::create_directory(path); }
  ~Scratch() { fs::remove_all(path); }
  std::string file(const char* name) const { return (path / name).string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), {}));
  }
};

}  // namespace

TEST_CASE("what is written can be read back byte for byte", "[common][file]") {
  const Scratch scratch;
  const std::string content("line\n\0\xff binary\r\n", 16);
  write_file(scratch.file("a"), content);
  CHECK(read_file(scratch.file("a"), 100) == content);
  write_file(scratch.file("a"), "");
  CHECK(read_file(scratch.file("a"), 0).empty());
  const std::string large(300'000, 'x');
  write_file(scratch.file("a"), large);
  CHECK(read_file(scratch.file("a"), large.size()) == large);
  CHECK(scratch.entries() == 1);
}

TEST_CASE("a larger file than allowed is refused", "[common][file]") {
  const Scratch scratch;
  write_file(scratch.file("a"), "12345");
  CHECK(read_file(scratch.file("a"), 5) == "12345");
  CHECK_THROWS_AS(read_file(scratch.file("a"), 4), InputError);
}

TEST_CASE("what is no regular file is refused at once", "[common][file]") {
  const Scratch scratch;
  REQUIRE(::mkfifo(scratch.file("pipe").c_str(), 0600) == 0);
  for (const std::string& path : {std::string("/dev/zero"), scratch.file("pipe"), scratch.file("")})
    CHECK_THROWS_WITH(read_file(path, 1000), Catch::Contains(path + ": cannot be read: not a reg"));
}

TEST_CASE("a write that fails leaves nothing behind", "[common][file]") {
  const Scratch scratch;
  const std::string missing = scratch.file("no/such/file");
  CHECK_THROWS_WITH(write_file(missing, "x"), Catch::StartsWith(missing + ": cannot be written: "));
  fs::create_directory(scratch.path / "directory");
  CHECK_THROWS_AS(write_file(scratch.file("directory"), "x"), InputError);
  CHECK(scratch.entries() == 1);
  CHECK_THROWS_WITH(write_file("/dev/full", "x"), Catch::Contains("/dev/full: cannot be written"));
  CHECK_NOTHROW(write_file("/dev/null", "x"));
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a probe tells where no file can be and leaves nothing", "[common][file]") {
  const Scratch scratch;
  CHECK_NOTHROW(check_writable(scratch.file("a")));
  CHECK_NOTHROW(check_writable("/dev/null"));
  CHECK_THROWS_AS(check_writable(scratch.file("no/such/file")), InputError);
  CHECK_THROWS_AS(check_writable(scratch.file("")), InputError);
  CHECK_THROWS_AS(check_writable(scratch.file("missing/")), InputError);
  CHECK(scratch.entries() == 0);
  write_file(scratch.file("a"), "old");
  check_writable(scratch.file("a"));
  CHECK(read_file(scratch.file("a"), 10) == "old");
  CHECK(scratch.entries() == 1);
}

TEST_CASE("a full disk leaves the old content", "[common][file]") {
  const Scratch scratch;
  write_file(scratch.file("a"), "old");
  // A temporary file that cannot be made stands for one that cannot be completed.
  const std::string part = fmt::format("{}.part-{}", scratch.file("a"), ::getpid());
  std::ofstream(part) << "in the way";
  CHECK_THROWS_AS(write_file(scratch.file("a"), "new"), InputError);
  CHECK(read_file(scratch.file("a"), 10) == "old");
}
