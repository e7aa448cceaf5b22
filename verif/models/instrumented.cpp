// SPDX-License-Identifier: Apache-2.0
#include "models/instrumented.hpp"

#include <verilated_cov.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unordered_map>

namespace muster::verif {
namespace {

/// By what Verilator writes of a point: a line `C '...' COUNT` each.
class Sums {
 public:
  explicit Sums(const char* file) : file_(file == nullptr ? "" : file) {}
  ~Sums() {
    std::ofstream out(file_);
    out << "# SystemC::Coverage-3\n";
    for (const auto& [point, count] : counts_) out << point << ' ' << count << '\n';
  }
  void add(VerilatedContext& context) {
    if (file_.empty()) return;
    const std::string one = file_ + ".one";
    context.coveragep()->write(one.c_str());
    context.coveragep()->clear();
    std::ifstream in(one);
    for (std::string line; std::getline(in, line);) {
      const auto space = line.rfind(' ');
      if (line.rfind("C '", 0) == 0)
        counts_[line.substr(0, space)] += std::stoull(line.substr(space + 1));
    }
  }

 private:
  std::string file_;
  std::unordered_map<std::string, std::uint64_t> counts_;
};

}  // namespace

void keep_coverage(VerilatedContext& context) {
  static Sums sums(std::getenv("MUSTER_COVERAGE"));
  sums.add(context);
}

}  // namespace muster::verif
