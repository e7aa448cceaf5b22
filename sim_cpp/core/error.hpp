// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace muster {

/// The user gave something that cannot be used. `what()` is one line that names the file or
/// option, the place in it, the reason, and how to mend it. The command ends with status 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The simulation contradicts itself: a model, a checker or lockstep found a violation. `what()`
/// names cycle, instance and state. The command ends with status 1.
class InternalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace muster
