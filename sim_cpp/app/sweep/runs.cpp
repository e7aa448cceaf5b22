// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/sweep/plan_values.hpp"
#include "muster/core/error.hpp"
#include "muster/core/rng.hpp"

namespace muster::app::sweep {

namespace {

std::string word_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

std::vector<std::string> typed_option(const std::string& name, const Json& value) {
  if (value.is_null()) return {};
  if (value.is_boolean())
    return value.get<bool>() ? std::vector{"--" + name} : std::vector<std::string>{};
  std::vector<std::string> words;
  for (const Json& word : value.is_array() ? value : Json::array({value}))
    words.push_back(fmt::format("--{}={}", name, word_of(word)));
  return words;
}

std::string text_hash(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", mix64(hash));
}

Runs::Runs(const Plan& plan, Inputs inputs, std::string version)
    : plan_(plan), inputs_(std::move(inputs)), version_(std::move(version)) {
  make_loops();
  find_twins();
}

void Runs::make_loops() {
  std::vector<std::string> zipped;
  const auto axis_named = [&](const std::string& name) {
    return &*std::find_if(plan_.axes.begin(), plan_.axes.end(),
                          [&](const Axis& axis) { return axis.name == name; });
  };
  for (const Axis& axis : plan_.axes) {
    if (std::find(zipped.begin(), zipped.end(), axis.name) != zipped.end()) continue;
    Loop loop{{&axis}, axis.values.size()};
    for (const std::vector<std::string>& group : plan_.zip) {
      if (std::find(group.begin(), group.end(), axis.name) == group.end()) continue;
      loop.axes.clear();
      for (const std::string& name : group) loop.axes.push_back(axis_named(name));
      zipped.insert(zipped.end(), group.begin(), group.end());
    }
    size_ *= loop.values;
    loops_.push_back(std::move(loop));
    if (size_ > kMostRows)
      throw InputError(fmt::format("{}: {} runs or more, at most {}; cross fewer values",
                                   plan_.file, size_, kMostRows));
  }
}

void Runs::find_twins() {
  for (std::uint64_t row = 0; row < size_; ++row) {
    const Run run = at(row);
    const auto [first, is_new] = rows_.emplace(run.id, row);
    if (!is_new)
      throw InputError(fmt::format("{}: rows {} and {} are the same run: {}; give each value once",
                                   plan_.file, first->second, row, fmt::join(run.options, " ")));
  }
}

Run Runs::at(std::uint64_t row) const {
  Run run;
  run.row = row;
  std::map<const Axis*, const Json*> chosen;
  std::uint64_t rest = row;
  for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
    for (const Axis* axis : loop->axes) chosen[axis] = &axis->values[rest % loop->values];
    rest /= loop->values;
  }
  if (!plan_.generator.empty()) run.parameters["network"] = {{"generate", plan_.generator}};
  for (const Axis& axis : plan_.axes) {
    const Json& value = *chosen.at(&axis);
    if (axis.name == "network") {
      run.parameters["network"] = value;
    } else if (axis.name.starts_with("network.")) {
      run.parameters["network"][axis.name.substr(std::string("network.").size())] = value;
    } else {
      for (std::string& word : typed_option(axis.name, value)) run.options.push_back(word);
      if (axis.name != "seed")
        run.parameters[axis.name] = value;
      else if (value.is_number_unsigned())
        run.seed = value.get<std::uint64_t>();
    }
  }
  // Sorted, so that the order of options in the plan is of no account.
  nlohmann::json identity = {{"command", plan_.command},
                             {"parameters", run.parameters},
                             {"seed", run.seed},
                             {"version", version_}};
  identity.update(inputs_.of(run.parameters));
  run.id = text_hash(identity.dump());
  return run;
}

std::uint64_t Runs::find(const std::string& id) const {
  const auto found = rows_.find(id);
  return found == rows_.end() ? size_ : found->second;
}

}  // namespace muster::app::sweep
