// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/system.hpp"

// The systems, each made in the source system.cpp of its folder, whose README.md says what it is.

namespace muster::btin {
std::unique_ptr<run::System> make_system();
}
namespace muster::esc {
std::unique_ptr<run::System> make_system();
}
namespace muster::nic {
std::unique_ptr<run::System> make_system();
}
namespace muster::packets {
std::unique_ptr<run::System> make_system();
}
namespace muster::preempt {
std::unique_ptr<run::System> make_system();
}
