// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <cstdlib>
#include <sstream>

#include "fabric/block_list.hpp"

namespace muster::fabric {
namespace {

/// The folder of the library, or program, that this function is in.
std::filesystem::path own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&model_folders), &info) == 0) return ".";
  std::error_code none;
  return std::filesystem::weakly_canonical(info.dli_fname, none).parent_path();
}

}  // namespace

std::vector<std::filesystem::path> model_folders() {
  std::vector<std::filesystem::path> folders;
  if (const char* const given = std::getenv("MUSTER_MODELS")) {
    std::istringstream list(given);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders.push_back(folder);
  }
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  if (!none) folders.push_back(program.parent_path() / "models");
  if (none || program.parent_path() != own_folder()) folders.push_back(own_folder() / "models");
  folders.push_back(own_folder() / "muster" / "models");
  return folders;
}

std::string build_folder() {
  const std::filesystem::path folder = own_folder();
  std::error_code none;
  if (!std::filesystem::exists(folder / "CMakeCache.txt", none)) return "build";
  return std::filesystem::proximate(folder, none).string();
}

}  // namespace muster::fabric
