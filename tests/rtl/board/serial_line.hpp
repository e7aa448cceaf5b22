// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace muster::test {

/// Reads bytes off a serial line that is looked at once a cycle: a start bit 0, eight bits, the
/// lowest first, a stop bit 1, each of `divisor` cycles.
class SerialLine {
 public:
  explicit SerialLine(unsigned divisor) : divisor_(divisor) {}

  /// The line in this cycle. A byte is read in the middle of its stop bit.
  void see(bool level) {
    if (phase_ == 0 && level) return;  // idle
    const unsigned bit = phase_ / divisor_;
    if (phase_ % divisor_ == divisor_ / 2) {
      if (bit == 0 && level) {  // too short for a start bit: the line before reset
        phase_ = 0;
        return;
      }
      if (bit >= 1 && bit <= 8) byte_ |= unsigned{level} << (bit - 1);
      if (bit == 9) {
        text_ += static_cast<char>(byte_);
        framed_ = framed_ && level;
        byte_ = phase_ = 0;
        return;
      }
    }
    ++phase_;
  }
  /// What has been read.
  const std::string& text() const { return text_; }
  /// All stop bits were where they belong.
  bool framed() const { return framed_; }

 private:
  unsigned divisor_;
  unsigned phase_ = 0;  ///< cycles since the start bit began; 0: none has
  unsigned byte_ = 0;
  bool framed_ = true;
  std::string text_;
};

/// Clocks a model with ports clk_i and tx_o until it has sent `lines` lines, `cycles` at most.
template <class Model>
SerialLine listen(Model& model, unsigned divisor, std::size_t lines, std::uint64_t cycles) {
  SerialLine line(divisor);
  std::size_t seen = 0, read = 0;
  for (std::uint64_t cycle = 0; cycle < cycles && seen < lines; ++cycle) {
    model.clk_i = 0;
    model.eval();
    line.see(model.tx_o != 0);
    model.clk_i = 1;
    model.eval();
    for (; read < line.text().size(); ++read) seen += line.text()[read] == '\n';
  }
  return line;
}

}  // namespace muster::test
