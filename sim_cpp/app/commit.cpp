// SPDX-License-Identifier: Apache-2.0
#include "app/context.hpp"
#include "commit_text.hpp"  // made by cmake/MusterCommit.cmake

namespace muster::app {

const char* source_commit() { return kCommitText; }

}  // namespace muster::app
