// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <optional>
#include <vector>

#include "muster/core/error.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "support/folder.hpp"

namespace muster::verif {

namespace {

/// Files of this process take only so many bytes while the object lives.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

struct Options : fabric::BankOptions {
  test::Folder folder;
  std::vector<std::string> reasons;
  Options() {
    wave_file = folder.file("a.fst");
    wave_failed = [this](const std::string& reason) { reasons.push_back(reason); };
  }
};

std::unique_ptr<core::Bank> two_switches(const fabric::BankOptions& options) {
  return make_rtl_engine()->make_switches(run::configuration("sw8v1"), 2, options);
}

void clock(core::Bank& bank, std::uint64_t cycles) {
  const std::vector<std::uint32_t> both{0, 1};
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) bank.clock(cycle, both);
}

}  // namespace

TEST_CASE("a waveform that is complete tells nothing and leaves no scratch file", "[rtl][wave]") {
  const Options options;
  clock(*two_switches(options), 20);
  CHECK(options.reasons.empty());
  CHECK(options.folder.files() == 1);
}

TEST_CASE("while a waveform is written its folder has no other file", "[rtl][wave]") {
  const Options options;
  const auto bank = two_switches(options);
  clock(*bank, 20);
  CHECK(options.folder.files() == 1);
}

TEST_CASE("a waveform has a block once that is named twice", "[rtl][wave]") {
  Options once, twice;
  once.wave_blocks = {1};
  twice.wave_blocks = {1, 1};
  for (const Options* options : {&once, &twice}) clock(*two_switches(*options), 20);
  CHECK(once.folder.read("a.fst").size() == twice.folder.read("a.fst").size());
}

TEST_CASE("a waveform of a block that is not there is refused", "[rtl][wave]") {
  Options options;
  options.wave_blocks = {0, 2};
  CHECK_THROWS_WITH(two_switches(options), "wave: block 2 does not exist; there are 2");
  CHECK_THROWS_AS(two_switches(options), InputError);
  CHECK(options.folder.files() == 0);
}

TEST_CASE("a waveform that cannot be begun is refused", "[rtl][wave]") {
  const Options options;
  {
    const FileLimit limit(100);
    CHECK_THROWS_WITH(two_switches(options), Catch::Contains("a.fst: the waveform cannot be "
                                                             "written: File too large"));
  }
  CHECK(options.reasons == std::vector<std::string>{"File too large"});
  CHECK(options.folder.files() == 0);
}

TEST_CASE("a waveform that cannot be completed is told and removed", "[rtl][wave]") {
  const Options options;
  auto bank = two_switches(options);
  clock(*bank, 20);
  CHECK(options.reasons.empty());
  {
    const FileLimit limit(1000);
    bank.reset();
  }
  CHECK(options.reasons == std::vector<std::string>{"File too large"});
  CHECK(options.folder.files() == 0);
}

}  // namespace muster::verif
