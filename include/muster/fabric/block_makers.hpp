// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "muster/core/parts.hpp"

namespace muster::fabric {

/// What an engine makes besides switches. A system whose blocks are no switches declares a class
/// that makes them; an engine that has such blocks offers one object of it.
class BlockMakers {
 public:
  /// Offers an object, in place of one of its class.
  template <class Maker>
  void add(std::shared_ptr<const Maker> maker) {
    makers_.set(std::move(maker));
  }
  /// nullptr if the engine has no such blocks.
  template <class Maker>
  const Maker* find() const {
    const auto* maker = makers_.find<std::shared_ptr<const Maker>>();
    return maker == nullptr ? nullptr : maker->get();
  }

 private:
  core::Parts makers_;
};

}  // namespace muster::fabric
