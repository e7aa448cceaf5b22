// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace muster::run {

/// Where a view opens, in cycles of 10 ns. The waveform has its rising edge in the middle of one.
struct GtkwaveOpening {
  std::uint64_t first = 0;              ///< leftmost
  std::uint64_t cycles = 0;             ///< to be seen, as far as words stay readable
  std::optional<std::uint64_t> marker;  ///< where the marker stands
  std::vector<std::uint64_t> named;     ///< where the markers A to Z stand; 26 at most
};

struct RunResult;

/// Of a run's view: if a block failed, it opens there, else at cycle `at` if that is given; else on
/// the first barrier, with the marker at its last arrival. Markers A to Z are the last releases of
/// the first 26 barriers.
GtkwaveOpening gtkwave_opening(const RunResult& result, std::optional<std::uint64_t> at);

/// The rows of a GTKWave view, in the format of its save files. Names are those of the waveform.
class GtkwaveRows {
 public:
  /// `words`: path of the translation file.
  explicit GtkwaveRows(std::string words) : words_(std::move(words)) {}

  /// Begins a group of rows with this title, which ends where the next one begins. It is folded to
  /// its title unless it is `open`.
  void section(const std::string& title, bool open = false);
  /// A signal shown as hexadecimal number, called `alias` in the view.
  void hex(const std::string& alias, const std::string& name);
  /// The same as bits.
  void binary(const std::string& alias, const std::string& name);
  /// A row of single bits, as `bits` lists them, with a blank before each.
  void bits(const std::string& alias, const std::string& bits);
  /// The same, through the translation file.
  void translated(const std::string& alias, const std::string& bits);

  std::uint32_t signals() const { return signals_; }  ///< rows but titles
  /// The save file of a view on the waveform at this path.
  std::string page(const std::string& title, const std::string& wave,
                   const GtkwaveOpening& opening) const;

 private:
  void row(const char* flags, const std::string& text);
  std::string end_of_section() const;
  std::string words_, text_;
  std::string title_;  // of the last section, empty before the first
  bool open_ = false;
  std::uint32_t signals_ = 0;
};

/// The bits `first` to `last` of the vector `name`, "x[7:0]", for GtkwaveRows::bits: counted from
/// its left.
std::string vector_bits(const std::string& name, std::uint32_t first, std::uint32_t last);

}  // namespace muster::run
