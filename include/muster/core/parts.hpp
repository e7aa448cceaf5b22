// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <map>
#include <memory>
#include <typeindex>
#include <utility>

namespace muster::core {

/// At most one value of each type. A specification, a plan or a result carries what single systems
/// add to it in one of these, so that shared code needs to name none of them. A copy copies the
/// values.
class Parts {
 public:
  /// Puts `value` there, in place of one of its type.
  template <class T>
  T& set(T value) {
    return std::any_cast<T&>(values_[typeid(T)] = std::move(value));
  }
  /// nullptr if there is none of this type.
  template <class T>
  const T* find() const {
    const auto at = values_.find(typeid(T));
    return at == values_.end() ? nullptr : std::any_cast<T>(&at->second);
  }
  /// The same, to change it.
  template <class T>
  T* find() {
    const auto at = values_.find(typeid(T));
    return at == values_.end() ? nullptr : std::any_cast<T>(&at->second);
  }
  /// The value, or a default-constructed one.
  template <class T>
  T get() const {
    const T* value = find<T>();
    return value == nullptr ? T{} : *value;
  }
  /// The value; a default-constructed one is put there if there is none.
  template <class T>
  T& make() {
    T* value = find<T>();
    return value == nullptr ? set(T{}) : *value;
  }

 private:
  std::map<std::type_index, std::any> values_;
};

/// A pointer to an object that another owns. The caller keeps it alive as long as the pointer
/// and its copies are used.
template <class T>
std::shared_ptr<const T> borrowed(const T& object) {
  return {std::shared_ptr<const void>(), &object};
}

}  // namespace muster::core
