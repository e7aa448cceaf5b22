// SPDX-License-Identifier: Apache-2.0
// Muster with one system more.
#include <muster/app.hpp>
#ifdef HAS_VERIF
#include <muster/verif.hpp>
#endif

#include "system.hpp"

int main(int argc, char** argv) {
  muster::run::add_system(token_ring::make_system());
#ifdef HAS_VERIF
  return muster::app::main(argc, argv, muster::verif::engines());
#else
  return muster::app::main(argc, argv);
#endif
}
