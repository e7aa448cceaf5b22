// SPDX-License-Identifier: Apache-2.0
// Bytes as a network file: whatever they are, the readers return a usable network or throw
// InputError with one printable line. What they accept must survive writing and reading.
#include <cstddef>
#include <cstdint>

#include "fuzz/topology_property.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  muster::check_topology_bytes({reinterpret_cast<const char*>(data), size});
  return 0;
}
