// SPDX-License-Identifier: Apache-2.0
#include "muster/core/outputs.hpp"

#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "support/folder.hpp"

using muster::InputError;
using muster::Outputs;
using muster::test::Folder;

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

TEST_CASE("outputs that are not committed leave nothing", "[common][outputs]") {
  const Folder folder;
  folder.write("a", "old");
  {
    Outputs outputs;
    outputs.writes("--a", folder.file("a"));
    outputs.writes("--b", folder.file("b"));
    outputs.put(folder.file("a"), "new");
    outputs.put(folder.file("b"), "new");
  }
  CHECK(folder.read("a") == "old");
  CHECK(folder.files() == 1);
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
