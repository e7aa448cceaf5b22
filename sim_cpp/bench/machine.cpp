// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <string>
#include <thread>

#include "bench/groups.hpp"

namespace muster::bench {
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown CPU";
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
  return fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
}

}  // namespace

Machine this_machine(const fabric::EngineRegistry& engines) {
  Machine machine{.cpu = cpu_model(),
                  .compiler = compiler(),
                  .cores = std::thread::hardware_concurrency(),
                  .tools = {}};
  for (const std::string& name : engines.names()) {
    const std::string tool = engines.find(name)->made_with();
    if (!tool.empty()) machine.tools.push_back(fmt::format("{}: {}", name, tool));
  }
  return machine;
}

}  // namespace muster::bench
