// SPDX-License-Identifier: Apache-2.0
// own_checker LOAD: barriers on a 3x3 mesh with LOAD flits of background data a node and cycle,
// watched by a checker of this project beside Muster's own.
#include <array>
#include <charconv>
#include <cstdio>
#include <memory>
#include <muster/core/error.hpp>
#include <muster/run.hpp>
#include <muster/system.hpp>
#include <string>

using namespace muster;

namespace {

/// A rule of this project: on all links together at most `kAllowed` flits leave in any kWindow
/// consecutive cycles, as more would exceed what the board may dissipate.
class PowerBudget final : public checkers::LinkChecker {
 public:
  static constexpr std::size_t kWindow = 16;     ///< cycles
  static constexpr std::uint32_t kAllowed = 48;  ///< flits

  explicit PowerBudget(const checkers::Subject& subject) : LinkChecker("power budget", subject) {}

  checkers::Sees sees() const override {
    return {.sync = true, .heads = true, .bodies = true, .cycles = true};
  }

  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    ++in_cycle_[cycle % kWindow];
    ++in_window_;
    last_ = event.channel;
  }

  void end_cycle(std::uint64_t cycle) override {
    require(in_window_ <= kAllowed, cycle, last_, [&] {
      return std::to_string(in_window_) + " flits in " + std::to_string(kWindow) +
             " cycles, allowed are " + std::to_string(kAllowed);
    });
    // The oldest cycle leaves the window.
    std::uint32_t& oldest = in_cycle_[(cycle + 1) % kWindow];
    in_window_ -= oldest;
    oldest = 0;
  }

 private:
  std::array<std::uint32_t, kWindow> in_cycle_{};  ///< flits, by cycle modulo kWindow
  std::uint32_t in_window_ = 0;                    ///< their sum
  core::ChannelId last_ = 0;                       ///< channel of the last flit
};

double load_of(const std::string& text) {
  double load = 0.0;
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, load);
  if (error != std::errc{} || behind != end)
    throw InputError("LOAD '" + text + "' is not a number, such as 0.5");
  return load;
}

}  // namespace

int main(int argc, char** argv) try {
  run::RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(topology::generate_mesh(3, 3));
  spec.groups = {{"all", topology::parse_group(*spec.graph, "all", spec.seed)}};
  spec.load_flits = argc > 1 ? load_of(argv[1]) : 0.0;
  spec.add_checkers = [](checkers::CheckerList& list) {
    list.add(std::make_unique<PowerBudget>(list.subject()));
  };
  const run::RunResult result = run::run_barriers(spec);
  for (const run::CheckCount& check : result.checks)
    std::printf("%s: held %llu times\n", check.name.c_str(),
                static_cast<unsigned long long>(check.passed));
  for (const std::string& violation : result.violations) std::printf("%s\n", violation.c_str());
  return result.ok() ? 0 : 1;
} catch (const InputError& error) {
  std::fprintf(stderr, "own_checker: %s\n", error.what());
  return 2;
}
