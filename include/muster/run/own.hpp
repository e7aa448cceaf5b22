// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// What a single system adds to a specification, to a result and to what checkers know. Shared code
/// passes it on; the system reads it by the type that it declares.

#include <memory>
#include <string_view>
#include <utility>

#include "muster/core/pointers.hpp"

namespace muster::run {

/// What a run may ask of one system, such as btin::Spec; RunSpec::own.
class SystemSpec {
 public:
  virtual ~SystemSpec() = default;
  virtual std::unique_ptr<SystemSpec> clone() const = 0;  ///< a copy
  virtual std::string_view system() const = 0;            ///< System::name() of whose it is
};

/// What one system says of a run at its end, such as btin::Result; RunResult::own.
class SystemResult {
 public:
  virtual ~SystemResult() = default;
  virtual std::unique_ptr<SystemResult> clone() const = 0;  ///< a copy
  virtual std::string_view system() const = 0;              ///< System::name() of whose it is
};

/// Base of T, the SystemSpec or SystemResult of the system that is named T::kSystem.
template <class Base, class T>
class Own : public Base {
 public:
  /// A copy as T.
  std::unique_ptr<Base> clone() const override {
    return std::make_unique<T>(static_cast<const T&>(*this));
  }
  std::string_view system() const override { return T::kSystem; }  ///< whose it is
};

/// What checkers must know of the groups of a run. The system of its scheme derives its own from
/// this; the checkers of other systems know of no groups.
struct CheckedGroups {
  virtual ~CheckedGroups() = default;
  /// The barrier messages of the run are of a form that only its system knows. The checkers of the
  /// messages of fabric::Formats stand aside.
  bool own_messages = false;
};

/// Throws InputError.
[[noreturn]] void refuse_own(std::string_view given, std::string_view wanted);

/// What RunSpec or RunResult has in `own`, as T; nullptr if it is not given, or of another system.
template <class T, class Whole>
const T* find_own(const Whole& whole) {
  return core::as<const T>(whole.own.get());
}

/// The same; default-constructed if it is not given. Throws InputError if it is of another system.
template <class T, class Whole>
const T& own(const Whole& whole) {
  static const T none;
  if (whole.own.get() == nullptr) return none;
  const T* const found = find_own<T>(whole);
  if (found == nullptr) refuse_own(whole.own.get()->system(), T::kSystem);
  return *found;
}

/// The same for what is said of a run of any system: default-constructed if it is of another.
template <class T, class Whole>
T own_or_default(const Whole& whole) {
  const T* const own = find_own<T>(whole);
  return own == nullptr ? T{} : *own;
}

/// What own() gives, to change it; it is made if it is not given.
template <class T, class Whole>
T& own(Whole& whole) {
  if (whole.own.get() == nullptr) whole.own = decltype(whole.own)(std::make_unique<T>());
  return const_cast<T&>(own<T>(std::as_const(whole)));
}

}  // namespace muster::run
