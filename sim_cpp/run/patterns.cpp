// SPDX-License-Identifier: Apache-2.0
#include "run/patterns.hpp"

namespace muster::run {
namespace {

class Opposite final : public Pattern {
 public:
  explicit Opposite(std::uint32_t nodes) : nodes_(nodes) {}
  std::uint32_t destination(std::uint32_t source, Rng& /*rng*/) const override {
    return (source + nodes_ / 2) % nodes_;
  }

 private:
  std::uint32_t nodes_;
};

class Reverse final : public Pattern {
 public:
  explicit Reverse(std::uint32_t nodes) : last_(nodes - 1) {}
  std::uint32_t destination(std::uint32_t source, Rng& /*rng*/) const override {
    return last_ - source;
  }

 private:
  std::uint32_t last_;
};

}  // namespace

const std::vector<std::string>& pattern_names() {
  static const std::vector<std::string> names{"uniform", "opposite", "reverse"};
  return names;
}

std::shared_ptr<const Pattern> find_pattern(const std::string& name, std::uint32_t nodes) {
  if (name == "opposite") return std::make_shared<Opposite>(nodes);
  if (name == "reverse") return std::make_shared<Reverse>(nodes);
  return std::make_shared<Uniform>(nodes);
}

}  // namespace muster::run
