// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/test.hpp"

namespace muster::test {

/// An empty folder that goes away.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "muster-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }
  std::string read(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
  }

 private:
  std::filesystem::path path_;
};

/// JSON that the program has written, which must be as the schema in schemas/ says that it names.
inline nlohmann::json valid_json(const std::string& text) {
  const Folder folder;
  folder.write("result.json", text);
  const std::string line = std::string(MUSTER_SOURCE_DIR "/scripts/validate ") +
                           folder.file("result.json") + " >" + folder.file("errors") + " 2>&1";
  const int status = std::system(line.c_str());
  INFO(folder.read("errors"));
  REQUIRE(status == 0);
  return nlohmann::json::parse(text);
}

}  // namespace muster::test
