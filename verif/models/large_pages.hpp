// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace muster::verif {

/// Asks the system to hold the memory from `first` to `last` in large pages, all at once. A
/// thousand models lie on more small pages than a processor can remember the addresses of. Only a
/// hint: where the system does not know it or declines, nothing happens.
void use_large_pages(const void* first, const void* last);

}  // namespace muster::verif
