// SPDX-License-Identifier: Apache-2.0
#include "muster/app.hpp"
#ifdef MUSTER_HAS_RTL
#include "muster/verif.hpp"
#endif

int main(int argc, char** argv) {
#ifdef MUSTER_HAS_RTL
  return muster::app::main(argc, argv, muster::verif::engines());
#else
  return muster::app::main(argc, argv);
#endif
}
