// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "muster/core/error.hpp"

namespace muster::test {

/// The message of the InputError that `action` throws.
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  FAIL("nothing was thrown");
  return {};
}

}  // namespace muster::test
