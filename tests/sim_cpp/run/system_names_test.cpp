// SPDX-License-Identifier: Apache-2.0
#include "run/system_names.hpp"

#include <catch2/catch.hpp>

#include "muster/core/error.hpp"

namespace muster::run {
namespace {

class Named : public System {
 public:
  std::string_view name() const override { return name_; }
  std::vector<SchemeFactory> schemes() const override {
    std::vector<SchemeFactory> list;
    for (const std::string& scheme : schemes_) list.push_back({.name = scheme, .plan = nullptr});
    return list;
  }
  std::vector<Profile> profiles() const override {
    std::vector<Profile> list;
    for (const std::string& profile : profiles_) list.push_back({.name = profile});
    return list;
  }

  std::string name_ = "ring";
  std::vector<std::string> schemes_{"ring", "two-rings"}, profiles_{"slow-ring"};
};

TEST_CASE("a system with names of its own is taken", "[run][system]") {
  CHECK_NOTHROW(check_names(Named{}));
}

TEST_CASE("a system whose name, scheme or profile is taken is refused with both named",
          "[run][system][errors]") {
  Named ring;
  SECTION("its name") {
    ring.name_ = "btin";
    CHECK_THROWS_WITH(check_names(ring), "system 'btin': another system has this name");
  }
  SECTION("a scheme of another") {
    ring.schemes_.emplace_back("unicast");
    CHECK_THROWS_WITH(check_names(ring),
                      "system 'ring': scheme 'unicast' is taken by system 'packets'");
  }
  SECTION("a scheme of its own") {
    ring.schemes_.emplace_back("ring");
    CHECK_THROWS_WITH(check_names(ring), "system 'ring': scheme 'ring' is taken by itself");
  }
  SECTION("a profile of another") {
    ring.profiles_.emplace_back("elan3");
    CHECK_THROWS_WITH(check_names(ring), "system 'ring': profile 'elan3' is taken by system 'nic'");
  }
  SECTION("the profile that is there without a system") {
    ring.profiles_.emplace_back("native");
    CHECK_THROWS_WITH(check_names(ring),
                      "system 'ring': profile 'native' is taken by Muster itself");
  }
  CHECK_THROWS_AS(add_system(std::make_unique<Named>(ring)), InternalError);
  for (const auto& system : systems()) CHECK(system->name() != "ring");
}

}  // namespace
}  // namespace muster::run
