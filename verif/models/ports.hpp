// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tuple>

#include "muster/core/flit.hpp"
#include "muster/fabric/formats.hpp"

namespace muster::verif {

// Input ports of a model, by reference.

template <class Model>
auto link_inputs(Model& m) {
  return std::tie(m.rx_valid_i, m.rx_vc_i, m.rx_kind_i, m.rx_payload_i, m.tx_credit_i);
}
template <class Model>
auto register_inputs(Model& m) {
  return std::tie(m.reg_valid_i, m.reg_write_i, m.reg_addr_i, m.reg_wdata_i);
}

/// Idle inputs of links and of the register port.
template <class Model>
void idle_ports(Model& m) {
  m.rx_valid_i = 0;
  m.tx_credit_i = 0;
  m.reg_valid_i = 0;
}

// How the ports of a Verilated switch hold their per-port fields: port p of an array of W-bit
// fields lies at bit p * W. Narrow fields fit a 64-bit word for up to 16 ports; the payload is a
// wide port, a little-endian array of 32-bit words, of which whole bytes are copied wherever FlitW
// allows.

/// The nibbles of a `back` word (bank.hpp) to `Bits` bits for each port, and back.
template <unsigned Ports, unsigned Bits>
constexpr std::uint64_t pack_back(std::uint64_t nibbles) {
  std::uint64_t packed = 0;
  for (unsigned p = 0; p < Ports; ++p)
    packed |= ((nibbles >> (4 * p)) & ((1u << Bits) - 1)) << (Bits * p);
  return packed;
}
template <unsigned Ports, unsigned Bits>
constexpr std::uint64_t unpack_back(std::uint64_t packed) {
  std::uint64_t nibbles = 0;
  for (unsigned p = 0; p < Ports; ++p)
    nibbles |= ((packed >> (Bits * p)) & ((1u << Bits) - 1)) << (4 * p);
  return nibbles;
}

/// Assigns a port of at most 64 bits, whatever type Verilator gave it.
template <class PortType>
void set_port(PortType& port, std::uint64_t value) {
  port = static_cast<PortType>(value);
}

/// Up to 120 bits of a port that is any Verilator type, from bit `lsb` on.
template <class PortType>
fabric::Wide get_bits(const PortType& port, unsigned lsb, unsigned width) {
  fabric::Wide bits = 0;
  const unsigned first = lsb / 8;
  std::memcpy(&bits, reinterpret_cast<const char*>(&port) + first,
              std::min(sizeof port - first, sizeof bits));
  return bits >> lsb % 8 & ((fabric::Wide{1} << width) - 1);
}
template <class PortType>
void put_bits(PortType& port, unsigned lsb, unsigned width, fabric::Wide value) {
  fabric::Wide bits = 0;
  const unsigned first = lsb / 8;
  char* const at = reinterpret_cast<char*>(&port) + first;
  const std::size_t size = std::min(sizeof port - first, sizeof bits);
  std::memcpy(&bits, at, size);
  const fabric::Wide mask = ((fabric::Wide{1} << width) - 1) << lsb % 8;
  bits = (bits & ~mask) | (value << lsb % 8 & mask);
  std::memcpy(at, &bits, size);
}

/// Element `e` of an array of elements of so many bits, at most 32.
template <class PortType>
std::uint32_t element(const PortType& port, unsigned e, unsigned width) {
  return static_cast<std::uint32_t>(get_bits(port, e * width, width));
}
template <class PortType>
void set_element(PortType& port, unsigned e, unsigned width, std::uint32_t value) {
  put_bits(port, e * width, width, value);
}

template <unsigned FlitW, class PortType>
void put_payload(PortType& payload, unsigned p, const core::Flit& flit) {
  constexpr unsigned kLow = FlitW < 64 ? FlitW : 64;
  if constexpr (FlitW % 8 == 0) {
    auto* bytes = reinterpret_cast<unsigned char*>(&payload) + p * (FlitW / 8);
    std::memcpy(bytes, &flit.lo, kLow / 8);
    if constexpr (FlitW > 64) std::memcpy(bytes + 8, &flit.hi, (FlitW - 64) / 8);
  } else {
    put_bits(payload, p * FlitW, kLow, flit.lo);
    if constexpr (FlitW > 64) put_bits(payload, p * FlitW + 64, FlitW - 64, flit.hi);
  }
}

template <unsigned FlitW, class PortType>
void get_payload(const PortType& payload, unsigned p, core::Flit& flit) {
  constexpr unsigned kLow = FlitW < 64 ? FlitW : 64;
  flit.lo = 0;
  flit.hi = 0;
  if constexpr (FlitW % 8 == 0) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&payload) + p * (FlitW / 8);
    std::memcpy(&flit.lo, bytes, kLow / 8);
    if constexpr (FlitW > 64) std::memcpy(&flit.hi, bytes + 8, (FlitW - 64) / 8);
  } else {
    flit.lo = static_cast<std::uint64_t>(get_bits(payload, p * FlitW, kLow));
    if constexpr (FlitW > 64)
      flit.hi = static_cast<std::uint16_t>(get_bits(payload, p * FlitW + 64, FlitW - 64));
  }
}

}  // namespace muster::verif
