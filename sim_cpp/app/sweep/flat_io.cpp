// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/flat.hpp"

namespace muster::app::sweep {

void for_each_field(const Json& value, const std::string& prefix,
                    const std::function<void(const std::string& name, const Json& value)>& field) {
  for (const auto& [name, part] : value.items()) {
    const std::string whole = prefix.empty() ? name : prefix + "." + name;
    if (part.is_object())
      for_each_field(part, whole, field);
    else
      field(whole, part);
  }
}

}  // namespace muster::app::sweep
