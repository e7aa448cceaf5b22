// SPDX-License-Identifier: Apache-2.0
#include "muster/run/gtkwave.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <tuple>

#include "muster/run/result.hpp"

namespace muster::run {

namespace {

// Display flags of GTKWave's save format.
constexpr const char* kHex = "@22";
constexpr const char* kBinary = "@28";
constexpr const char* kTranslated = "@2022";  // hexadecimal, through a translation file
constexpr const char* kOpen = "@800200";
constexpr const char* kOpenEnd = "@1000200";
constexpr const char* kFolded = "@c00200";
constexpr const char* kFoldedEnd = "@1401200";

// GTKWave's zoom is the whole number of ns in 200 pixels. In its own font a letter of a word takes
// 6 pixels, so in 20 ns 16 letters of a cycle's word have room; a word without is cut, to `+` at
// last.
constexpr std::uint64_t kPixels = 200, kLeast = 8, kMost = 20;
constexpr std::uint64_t kWave = 1300;  // pixels of waves in a window of 1800, beside the names
constexpr std::size_t kMarkers = 26;

/// The number that the save format has for the zoom: the power of two, whose fraction is cut.
double zoom(std::uint64_t cycles) {
  const std::uint64_t all = (10 * cycles * kPixels + kWave - 1) / kWave;
  return -std::log2(static_cast<double>(std::clamp(all, kLeast, kMost)) + 0.25);
}

constexpr std::uint64_t kBefore = 5;  // cycles shown before the one that was asked for

std::uint64_t edge(std::uint64_t cycle) { return 10 * cycle + 5; }

/// GTKWave takes the names in a view from the folder of the view if all are in the same folder, of
/// whatever name.
constexpr const char* kBeside = "beside/";

__extension__ using Wide = unsigned __int128;

/// {valid, kind, payload} as GTKWave writes it.
std::string link_digits(bool valid, const core::Flit& flit, std::uint32_t flit_w) {
  const Wide value =
      Wide{valid} << (flit_w + 3) | Wide{flit.kind} << flit_w | Wide{flit.hi} << 64 | flit.lo;
  std::string text;
  for (unsigned d = (flit_w + 4 + 3) / 4; d-- > 0;)
    text += "0123456789abcdef"[static_cast<unsigned>(value >> (4 * d)) & 15];
  return text;
}

}  // namespace

void GtkwaveRows::row(const char* flags, const std::string& text) {
  text_ += fmt::format("{}\n{}\n", flags, text);
  ++signals_;
}

std::string GtkwaveRows::end_of_section() const {
  if (title_.empty()) return {};
  return fmt::format("{}\n-{}\n", open_ ? kOpenEnd : kFoldedEnd, title_);
}

void GtkwaveRows::section(const std::string& title, bool open) {
  text_ += end_of_section();
  title_ = title;
  open_ = open;
  text_ += fmt::format("{}\n-{}\n", open ? kOpen : kFolded, title);
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
  row(kTranslated, fmt::format("^1 {}{}\n#{{{}}}{}", kBeside, words_, alias, bits));
}

std::string GtkwaveRows::page(const std::string& title, const std::string& view,
                              const std::string& wave, const GtkwaveOpening& opening) const {
  std::string markers = opening.marker ? fmt::format(" {}", edge(*opening.marker)) : " -1";
  for (std::size_t m = 0; m < kMarkers; ++m)
    markers += m < opening.named.size() ? fmt::format(" {}", edge(opening.named[m])) : " -1";
  return fmt::format(
      "[*] Muster: {}; 10 ns a cycle\n"
      "[dumpfile] \"{}{}\"\n[savefile] \"{}{}\"\n[timestart] {}\n[size] 1800 1000\n[pos] -1 -1\n"
      "*{:.6f}{}\n[sst_width] 20\n[signals_width] 420\n[sst_expanded] 0\n{}{}",
      title, kBeside, wave, kBeside, view, 10 * opening.first, zoom(opening.cycles), markers, text_,
      end_of_section());
}

GtkwaveOpening gtkwave_opening(const RunResult& result, std::optional<std::uint64_t> at) {
  std::vector<BarrierRecord> barriers = result.barriers;
  std::ranges::sort(barriers, [](const auto& a, const auto& b) {
    return std::tie(a.released_at, a.group) < std::tie(b.released_at, b.group);
  });
  GtkwaveOpening opening;
  if (result.failed) at = result.failed->cycle;
  if (at) {
    opening.first = *at - std::min(*at, kBefore);
    opening.marker = at;
  } else if (!barriers.empty()) {
    opening.first = barriers.front().released_at - barriers.front().latency_cycles;
    opening.cycles = barriers.front().latency_cycles + 1;
    opening.marker = opening.first;
  }
  if (barriers.size() > kMarkers) barriers.resize(kMarkers);
  for (const BarrierRecord& barrier : barriers) opening.named.push_back(barrier.released_at);
  return opening;
}

std::string vector_bits(const std::string& name, std::uint32_t first, std::uint32_t last) {
  std::string text;
  for (std::uint32_t bit = first; bit <= last; ++bit) text += fmt::format(" ({}){}", bit, name);
  return text;
}

std::string port_bits(const std::string& name, std::uint32_t ports, std::uint32_t port,
                      std::uint32_t width) {
  const std::uint32_t first = (ports - 1 - port) * width;
  return vector_bits(fmt::format("{}[{}:0]", name, ports * width - 1), first, first + width - 1);
}

bool in_waveform(const RunSpec& spec, std::uint32_t block) {
  const auto& only = spec.bank.wave_blocks;
  return only.empty() || std::ranges::find(only, block) != only.end();
}

void LinkWords::add(const core::Flit& flit, const std::string& meaning) {
  line(link_digits(true, flit, flit_w_) + " " + meaning);
  line(link_digits(false, flit, flit_w_) + " .");
}

void LinkWords::add_data(const std::vector<core::Flit>& seen) {
  std::set<std::string> known;
  std::istringstream lines(text_);
  for (std::string line; std::getline(lines, line);) known.insert(line.substr(0, line.find(' ')));
  for (const core::Flit& flit : seen)
    if (known.insert(link_digits(true, flit, flit_w_)).second) add(flit, "data");
}

void LinkWords::rest() { line(link_digits(false, {}, flit_w_) + " ."); }

}  // namespace muster::run
