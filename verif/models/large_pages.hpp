// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace muster::verif {

/// Asks the system to hold the memory from `first` to `last` in large pages, all at once. A
/// thousand models lie on more small pages than a processor can remember the addresses of. Only a
/// hint: where the system does not know it or declines, nothing happens.
void use_large_pages(const void* first, const void* last);

/// Puts the code of the shared object that `function` is of on large pages, at the same addresses:
/// the code of a model is hundreds of small pages, which all are needed in every cycle. Nobody may
/// run it meanwhile. REQUIRES of the object, or nothing happens: it was linked with segments at
/// multiples of a large page (muster_model_module).
void use_large_pages_for_code(const void* function);

}  // namespace muster::verif
