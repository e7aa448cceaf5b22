// SPDX-License-Identifier: Apache-2.0
#include "muster/core/outputs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "muster/core/error.hpp"
#include "support/folder.hpp"

using namespace muster;
using muster::test::Folder;
namespace fs = std::filesystem;

TEST_CASE("a file with a byte order mark is refused", "[common][file]") {
  const Folder folder;
  for (const std::string mark : {"\xEF\xBB\xBF", "\xFE\xFF", "\xFF\xFE"}) {
    write_file(folder.file("a"), mark + "{}");
    CHECK_THROWS_WITH(
        read_file(folder.file("a"), 100),
        folder.file("a") + ": start: a byte order mark; save the file as UTF-8 without one");
    write_file(folder.file("a"), "{}" + mark);
    CHECK(read_file(folder.file("a"), 100) == "{}" + mark);
  }
}

TEST_CASE("what is no regular file is refused at once", "[common][file]") {
  const Folder folder;
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  for (const std::string& path : {std::string("/dev/zero"), folder.file("pipe"), folder.file("")})
    CHECK_THROWS_WITH(read_file(path, 1000), Catch::Contains(path + ": cannot be read: not a reg"));
}

TEST_CASE("a write that fails leaves nothing behind", "[common][file]") {
  const Folder folder;
  const std::string missing = folder.file("no/such/file");
  CHECK_THROWS_WITH(write_file(missing, "x"), Catch::StartsWith(missing + ": cannot be written: "));
  CHECK_THROWS_WITH(write_file(missing, "x", "a.json"),
                    Catch::StartsWith("a.json: cannot be written: "));
  fs::create_directory(folder.file("directory"));
  CHECK_THROWS_AS(write_file(folder.file("directory"), "x"), InputError);
  CHECK(folder.files() == 1);
  CHECK_THROWS_WITH(write_file("/dev/full", "x"), Catch::Contains("/dev/full: cannot be written"));
  CHECK_NOTHROW(write_file("/dev/null", "x"));
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a probe tells where no file can be and leaves nothing", "[common][file]") {
  const Folder folder;
  CHECK_NOTHROW(check_writable(folder.file("a")));
  CHECK_NOTHROW(check_writable("/dev/null"));
  CHECK_THROWS_AS(check_writable(folder.file("no/such/file")), InputError);
  CHECK_THROWS_AS(check_writable(folder.file("")), InputError);
  CHECK_THROWS_AS(check_writable(folder.file("missing/")), InputError);
  CHECK(folder.files() == 0);
  write_file(folder.file("a"), "old");
  check_writable(folder.file("a"));
  CHECK(read_file(folder.file("a"), 10) == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("a full disk leaves the old content", "[common][file]") {
  const Folder folder;
  write_file(folder.file("a"), "old");
  // A temporary file that cannot be made stands for one that cannot be completed.
  const std::string part = fmt::format("{}.part-{}", folder.file("a"), ::getpid());
  std::ofstream(part) << "in the way";
  CHECK_THROWS_AS(write_file(folder.file("a"), "new"), InputError);
  CHECK(read_file(folder.file("a"), 10) == "old");
}

using muster::InputError;
using muster::Outputs;

TEST_CASE("outputs take their places together", "[common][outputs]") {
  const Folder folder;
  folder.write("a", "old");
  Outputs outputs;
  outputs.writes("--a", folder.file("a"));
  outputs.writes("--b", folder.file("b"));
  outputs.writes("--c", "-");
  outputs.writes("--d", "");
  outputs.put(folder.file("a"), "new");
  folder.write("b.other", "by another writer");
  std::filesystem::rename(folder.file("b.other"), outputs.part(folder.file("b")));
  outputs.put("-", "not a file");
  CHECK(folder.read("a") == "old");
  CHECK_FALSE(folder.has("b"));
  outputs.commit();
  CHECK(folder.read("a") == "new");
  CHECK(folder.read("b") == "by another writer");
  CHECK(folder.files() == 2);
}

TEST_CASE("a device that is full keeps the files from their places", "[common][outputs]") {
  const Folder folder;
  {
    Outputs outputs;
    outputs.writes("--a", folder.file("a"));
    outputs.writes("--b", "/dev/full");
    outputs.put(folder.file("a"), "new");
    outputs.put("/dev/full", "too much");
    CHECK_THROWS_AS(outputs.commit(), InputError);
  }
  CHECK(folder.files() == 0);
}

TEST_CASE("a hard link to the input is the input", "[common][outputs]") {
  const Folder folder;
  folder.write("a", "input");
  std::filesystem::create_hard_link(folder.file("a"), folder.file("b"));
  Outputs outputs;
  outputs.reads(folder.file("a"));
  CHECK_THROWS_AS(outputs.writes("--out", folder.file("b")), InputError);
}
