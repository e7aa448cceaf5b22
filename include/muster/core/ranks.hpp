// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::core {

/// The processes that make one run, or one study, together (docs/reference/ranks.md). Messages from
/// one rank to another come in the order in which they were sent.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual std::uint32_t rank() const = 0;   ///< of this process, 0..count() - 1
  virtual std::uint32_t count() const = 0;  ///< of processes, at least 1
  /// Sends `mine` to all others and returns what each has sent, by rank; that of this rank is
  /// empty. It is valid until the next call. All call it equally often. REQUIRES: no message of
  /// send() is under way.
  virtual std::span<const std::vector<std::byte>> exchange(std::span<const std::byte> mine) = 0;
  /// Sends `message` to another rank and returns at once.
  virtual void send(std::uint32_t to, std::span<const std::byte> message) = 0;
  /// Waits for the next message of another rank. It is valid until the next call for that rank.
  virtual std::span<const std::byte> receive(std::uint32_t from) = 0;
  /// Messages under way go on. To be called now and then in a long computation between send() and
  /// receive().
  virtual void progress() = 0;
  /// Ends all processes at once, this one with `status`.
  [[noreturn]] virtual void abort(int status) = 0;
};

}  // namespace muster::core
