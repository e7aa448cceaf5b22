// SPDX-License-Identifier: Apache-2.0
// Muster with one system more: all that it learns of the token ring.
#include <memory>
#include <muster/app.hpp>
#include <muster/system.hpp>
#include <nlohmann/json.hpp>
#ifdef HAS_VERIF
#include <muster/verif.hpp>
#endif

#include "checkers/ring_checker.hpp"
#include "golden/ring_switch.hpp"
#include "ring.hpp"
#include "scheme/ring_scheme.hpp"

namespace {

using namespace muster;
using namespace token_ring;

class TokenRing final : public run::System {
 public:
  TokenRing()
      : System({.name = "token-ring",
                .switch_kinds = {&kRingSwitch},
                .schemes = {{.name = "token-ring", .plan = plan_scheme}}}) {}
  void report(const run::RunSpec& spec, const run::RunResult& result,
              run::Report& out) const override {
    if (result.scheme != "token-ring") return;
    const Ring ring = plan_ring(*spec.graph, spec.groups.front().members);
    out.own["home_switch"] = ring.stops.front().sw;
    out.own["ring_switches"] = ring.stops.size();
  }
  void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups) const override {
    const auto* const own = core::as<const CheckedRing>(&groups);
    list.add(make_ring_checker(list.subject(), own == nullptr ? Ring{} : own->ring),
             checkers::Concern::kBarrierMessages, own != nullptr);
  }
};

}  // namespace

int main(int argc, char** argv) {
  run::add_system(std::make_unique<TokenRing>());
#ifdef HAS_VERIF
  return app::main(argc, argv, verif::engines());
#else
  return app::main(argc, argv);
#endif
}
