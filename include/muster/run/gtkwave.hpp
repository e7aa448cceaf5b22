// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/core/flit.hpp"

namespace muster::run {

/// Where a view opens, in cycles of 10 ns. The waveform has its rising edge in the middle of one.
struct GtkwaveOpening {
  std::uint64_t first = 0;              ///< leftmost
  std::uint64_t cycles = 0;             ///< to be seen, as far as words stay readable
  std::optional<std::uint64_t> marker;  ///< where the marker stands
  std::vector<std::uint64_t> named;     ///< where the markers A to Z stand; 26 at most
};

struct RunResult;
struct RunSpec;

/// Of a run's view: if a block failed, it opens there, else at cycle `at` if that is given; else on
/// the first barrier, with the marker at its last arrival. Markers A to Z are the last releases of
/// the first 26 barriers.
GtkwaveOpening gtkwave_opening(const RunResult& result, std::optional<std::uint64_t> at);

/// The rows of a GTKWave view, in the format of its save files. Names are those of the waveform.
class GtkwaveRows {
 public:
  /// `words`: name of the translation file, which is in the folder of the view.
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
  /// The save file `view` on the waveform `wave` in the same folder, wherever that is moved.
  std::string page(const std::string& title, const std::string& view, const std::string& wave,
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

/// Those of one port in the vector `name` of all ports, whose highest stands leftmost and which has
/// `width` bits a port.
std::string port_bits(const std::string& name, std::uint32_t ports, std::uint32_t port,
                      std::uint32_t width);

/// The waveform has this block: no blocks have been chosen, or it is one of them.
bool in_waveform(const RunSpec& spec, std::uint32_t block);

/// The words of a translation file for rows of {valid, kind, payload} of a link.
class LinkWords {
 public:
  /// Of links with flits of so many bits.
  explicit LinkWords(std::uint32_t flit_w) : flit_w_(flit_w) {}

  /// A flit, and "." for an idle link whose wires still hold it.
  void add(const core::Flit& flit, const std::string& meaning);
  /// A link that has carried nothing yet.
  void rest();
  /// Any other line, as GTKWave has it.
  void line(const std::string& text) { text_ += text + "\n"; }
  /// Data flits that `seen` on links, except for those that the file has already.
  void add_data(const std::vector<core::Flit>& seen);
  std::string& text() { return text_; }  ///< the file

 private:
  std::uint32_t flit_w_;
  std::string text_;
};

}  // namespace muster::run
