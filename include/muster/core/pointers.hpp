// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "muster/core/error.hpp"

namespace muster::core {

/// A pointer to an object that another owns. The caller keeps it alive as long as the pointer
/// and its copies are used.
template <class T>
std::shared_ptr<const T> borrowed(const T& object) {
  return {std::shared_ptr<const void>(), &object};
}

/// The object as a T; nullptr if it is none, or if there is no object. Shared code hands a system
/// its own objects by a base class; as() and to() are the only way back to what they are.
template <class T, class Base>
T* as(Base* object) {
  return dynamic_cast<T*>(object);
}

/// The object as a T. Throws InternalError if it is none.
template <class T, class Base>
T& to(Base* object) {
  if (T* const found = as<T>(object)) return *found;
  throw InternalError("an object of another class than the one that was made");
}

/// An object of a class derived from Base, or none. A copy has a copy of it: Base has a function
/// `std::unique_ptr<Base> clone() const`.
template <class Base>
class Cloned {
 public:
  Cloned() = default;
  /// Takes the object; nullptr is none.
  explicit Cloned(std::unique_ptr<Base> object) : object_(std::move(object)) {}
  /// A copy of the object.
  Cloned(const Cloned& other) : object_(other.object_ ? other.object_->clone() : nullptr) {}
  Cloned(Cloned&&) noexcept = default;  ///< leaves none
  /// A copy of the object in place of this one.
  Cloned& operator=(Cloned other) noexcept {
    object_ = std::move(other.object_);
    return *this;
  }
  ~Cloned() = default;

  Base* get() { return object_.get(); }              ///< nullptr if there is none
  const Base* get() const { return object_.get(); }  ///< nullptr if there is none

 private:
  std::unique_ptr<Base> object_;
};

}  // namespace muster::core
