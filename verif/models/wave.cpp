// SPDX-License-Identifier: Apache-2.0
#include "models/wave.hpp"

#include "core/error.hpp"

namespace muster::verif {

void Wave::start(const std::string& file) {
  fst_.set_time_unit("1ns");
  fst_.set_time_resolution("1ns");
  fst_.open(file.c_str());
  if (!fst_.isOpen()) throw InputError("--wave: cannot write '" + file + "'");
}

Wave::~Wave() { fst_.close(); }

}  // namespace muster::verif
