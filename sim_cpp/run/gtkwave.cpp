// SPDX-License-Identifier: Apache-2.0
#include "muster/run/gtkwave.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::run {

namespace {

// Display flags of GTKWave's save format.
constexpr const char* kHex = "@22";
constexpr const char* kBinary = "@28";
constexpr const char* kTranslated = "@2022";  // hexadecimal, through a translation file
constexpr const char* kComment = "@200";

}  // namespace

void GtkwaveRows::row(const char* flags, const std::string& text) {
  text_ += fmt::format("{}\n{}\n", flags, text);
  ++signals_;
}

void GtkwaveRows::comment(const std::string& text) {
  text_ += fmt::format("{}\n-{}\n", kComment, text);
}

void GtkwaveRows::hex(const std::string& alias, const std::string& name) {
  row(kHex, fmt::format("+{{{}}} {}", alias, name));
}

void GtkwaveRows::binary(const std::string& alias, const std::string& name) {
  row(kBinary, fmt::format("+{{{}}} {}", alias, name));
}

void GtkwaveRows::bits(const std::string& alias, const std::string& bits) {
  row(kHex, fmt::format("#{{{}}}{}", alias, bits));
}

void GtkwaveRows::translated(const std::string& alias, const std::string& bits) {
  row(kTranslated, fmt::format("^1 {}\n#{{{}}}{}", words_, alias, bits));
}

std::string GtkwaveRows::page(const std::string& title, const std::string& wave,
                              std::optional<std::uint64_t> marker) const {
  constexpr std::uint64_t kBefore = 200;  // ns shown before the marker
  const std::uint64_t at = marker.value_or(0);
  return fmt::format(
      "[*] Muster: {}; 10 ns a cycle\n"
      "[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 1000\n[pos] -1 -1\n"
      "*-7.5 {} -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 "
      "-1 -1 -1 -1\n[sst_width] 230\n[signals_width] 420\n{}",
      title, wave, at - std::min(at, kBefore), at, text_);
}

std::string vector_bits(const std::string& name, std::uint32_t first, std::uint32_t last) {
  std::string text;
  for (std::uint32_t bit = first; bit <= last; ++bit) text += fmt::format(" ({}){}", bit, name);
  return text;
}

}  // namespace muster::run
