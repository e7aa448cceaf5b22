// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace muster::run {

/// The rows of a GTKWave view, in the format of its save files. Names are those of the waveform.
class GtkwaveRows {
 public:
  /// `words`: path of the translation file.
  explicit GtkwaveRows(std::string words) : words_(std::move(words)) {}

  /// A line of text.
  void comment(const std::string& text);
  /// A signal shown as hexadecimal number, called `alias` in the view.
  void hex(const std::string& alias, const std::string& name);
  /// The same as bits.
  void binary(const std::string& alias, const std::string& name);
  /// A row of single bits, as `bits` lists them, with a blank before each.
  void bits(const std::string& alias, const std::string& bits);
  /// The same, through the translation file.
  void translated(const std::string& alias, const std::string& bits);

  std::uint32_t signals() const { return signals_; }  ///< rows but comments
  /// The save file of a view on the waveform at this path. With `marker`, a time in ns, it opens
  /// there and the marker stands there.
  std::string page(const std::string& title, const std::string& wave,
                   std::optional<std::uint64_t> marker) const;

 private:
  void row(const char* flags, const std::string& text);
  std::string words_, text_;
  std::uint32_t signals_ = 0;
};

/// The bits `first` to `last` of the vector `name`, "x[7:0]", for GtkwaveRows::bits: counted from
/// its left.
std::string vector_bits(const std::string& name, std::uint32_t first, std::uint32_t last);

}  // namespace muster::run
