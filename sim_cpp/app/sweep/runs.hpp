// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/sweep/inputs.hpp"
#include "app/sweep/plan.hpp"

namespace muster::app::sweep {

/// One run of a plan.
struct Run {
  std::uint64_t row = 0;             ///< from 0
  std::string id;                    ///< 16 hexadecimal digits
  std::uint64_t seed = 1;            ///< of its option, if the plan has it
  Json parameters = Json::object();  ///< all values but the seed, the network first
  std::vector<std::string> options;  ///< as typed: "--load=0.1"
};

/// What is typed for an option with one of its values: nothing for null and false.
std::vector<std::string> typed_option(const std::string& name, const Json& value);

/// 16 hexadecimal digits that depend on every character.
std::string text_hash(const std::string& text);

/// All runs of a plan, each made when it is asked for.
class Runs {
 public:
  /// Throws InputError if there are too many runs, or one twice.
  Runs(const Plan& plan, Inputs inputs, std::string version);

  std::uint64_t size() const { return size_; }
  Run at(std::uint64_t row) const;
  /// The row of an id; size() if there is none.
  std::uint64_t find(const std::string& id) const;
  const Inputs& inputs() const { return inputs_; }
  const std::string& version() const { return version_; }

 private:
  /// Axes that advance together.
  struct Loop {
    std::vector<const Axis*> axes;
    std::uint64_t values;
  };
  void make_loops();
  void find_twins();

  const Plan& plan_;
  Inputs inputs_;
  std::string version_;
  std::vector<Loop> loops_;  ///< the last one is innermost
  std::uint64_t size_ = 1;
  std::map<std::string, std::uint64_t> rows_;  ///< by id
};

}  // namespace muster::app::sweep
