// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/system.hpp"
#include "muster/systems/btin.hpp"

namespace muster::btin {

/// The options of barrier trees and of groups that change, as typed.
class Options : public run::SpecOptions<Spec> {
 public:
  Options();
  void apply(run::RunSpec& spec) const override;

 private:
  std::string root_;
  std::vector<std::string> joins_;   ///< "3:4@2": that node is a member from barrier 2 on
  std::vector<std::string> leaves_;  ///< "3:4@2/1": of group 1, it is none from barrier 2 on
};

/// Throws InputError for membership requests that cannot be, and for changes of groups that are not
/// set up in band.
void check_spec(const run::RunSpec& spec, const run::SchemeFactory& scheme);

/// Groups change while they live: their members, or links.
bool changes(const run::RunSpec& spec);
/// Or they move between register and memory.
bool changes_or_moves(const run::RunSpec& spec);

}  // namespace muster::btin
