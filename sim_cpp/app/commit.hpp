// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace muster::app {

/// Commit of the sources that the program was built from, with "-dirty" if they were changed since;
/// empty where they are no checkout.
const char* source_commit();

}  // namespace muster::app
