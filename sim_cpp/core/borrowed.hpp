// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace muster::core {

/// A pointer to an object that another owns. The caller keeps it alive as long as the pointer
/// and its copies are used.
template <class T>
std::shared_ptr<const T> borrowed(const T& object) {
  return {std::shared_ptr<const void>(), &object};
}

}  // namespace muster::core
