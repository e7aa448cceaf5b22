// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace muster::checkers {

/// Among what a plan tells the checkers (run::SchemePlan::checked): the barrier messages of the run
/// are of a form that only its system knows. The checkers of the messages of fabric::Formats stand
/// aside.
struct OwnMessages {};

}  // namespace muster::checkers
