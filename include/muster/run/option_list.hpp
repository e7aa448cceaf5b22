// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace muster::run {

/// Takes the options of a command line. The values given must outlive the parse; an option that is
/// not typed leaves its value as it is, which `help` shows as the default if there is one. A word
/// that is not a number of the range, or none of the choices, ends the parse with InputError.
class OptionList {
 public:
  virtual ~OptionList() = default;
  /// A whole number from `least` to `most`, in decimal digits.
  virtual void number(const std::string& name, std::uint32_t& value, const std::string& help,
                      std::uint64_t least = 0,
                      std::uint64_t most = std::numeric_limits<std::uint32_t>::max()) = 0;
  /// The same for 64 bits.
  virtual void number(const std::string& name, std::uint64_t& value, const std::string& help,
                      std::uint64_t least = 0,
                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) = 0;
  /// The same without a default.
  virtual void number(const std::string& name, std::optional<std::uint32_t>& value,
                      const std::string& help, std::uint64_t least = 0,
                      std::uint64_t most = std::numeric_limits<std::uint32_t>::max()) = 0;
  /// The same without a default, for 64 bits.
  virtual void number(const std::string& name, std::optional<std::uint64_t>& value,
                      const std::string& help, std::uint64_t least = 0,
                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) = 0;
  /// A number with or without decimal point.
  virtual void real(const std::string& name, double& value, const std::string& help) = 0;
  /// The same without a default.
  virtual void real(const std::string& name, std::optional<double>& value,
                    const std::string& help) = 0;
  /// True if it is typed; it takes no value.
  virtual void flag(const std::string& name, bool& value, const std::string& help) = 0;
  /// `name` without dashes: a word that must be typed, by its place.
  virtual void text(const std::string& name, std::string& value, const std::string& help) = 0;
  /// May be typed several times.
  virtual void texts(const std::string& name, std::vector<std::string>& values,
                     const std::string& help) = 0;
  /// One of `choices`.
  virtual void choice(const std::string& name, std::string& value,
                      const std::vector<std::string>& choices, const std::string& help) = 0;
};

}  // namespace muster::run
