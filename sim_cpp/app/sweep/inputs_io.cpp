// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/sweep/inputs.hpp"
#include "app/sweep/networks.hpp"
#include "app/sweep/runs.hpp"
#include "core/file_io.hpp"
#include "fabric/block_list.hpp"
#include "muster/core/error.hpp"
#include "muster/run/profile.hpp"
#include "muster/topology/load_file.hpp"
#include "run/recorded_arrivals.hpp"

namespace muster::app::sweep {

namespace {

constexpr const char* kFileOption = "arrivals";  ///< the one option that names a file to read
constexpr std::size_t kMaxModelBytes = std::size_t{1} << 32;

/// The texts among the values of an option, those that are typed together too.
std::vector<std::string> texts_of(const Json& value) {
  std::vector<std::string> texts;
  for (const Json& word : value.is_array() ? value : Json::array({value}))
    if (word.is_string()) texts.push_back(word.get<std::string>());
  return texts;
}

/// What the profiles say of times depends on their clocks; the slowest takes all that another does.
void check_arrivals(const std::string& content, const std::string& name) {
  double slowest = 0.0;
  for (const run::Profile& profile : run::profiles()) slowest = std::max(slowest, profile.clock_ns);
  run::parse_arrivals(content, name, slowest);
}

/// Of the model that runs load, which look for it from the plan's folder. None if it is not built:
/// they say so.
void add_model(const Plan& plan, const std::string& config, Inputs::Digests& models) {
  for (const std::filesystem::path& folder : fabric::model_folders()) {
    const std::filesystem::path file = plan.folder / folder / (config + ".so");
    std::error_code none;
    if (!std::filesystem::exists(file, none)) continue;
    models[config] = text_hash(read_file(file.string(), kMaxModelBytes));
    return;
  }
}

/// Reads what one plan names.
class InputReader {
 public:
  InputReader(const Plan& plan, const fabric::EngineRegistry& engines)
      : plan_(plan), engines_(engines) {}

  Inputs read() {
    each_text("engine", [&](const std::string& name) {
      if (engines_.find(name)->has_models()) inputs_.model_engines.insert(name);
    });
    each_text("network", [&](const std::string& name) {
      const std::string content = content_of(name, topology::kMaxFileBytes);
      topology::parse_topology(content, name);
      inputs_.networks[name] = text_hash(content);
    });
    each_text(kFileOption, [&](const std::string& name) {
      const std::string content = content_of(name, run::kMaxRecordingBytes);
      check_arrivals(content, name);
      inputs_.files[name] = text_hash(content);
    });
    if (!inputs_.model_engines.empty())
      each_text("config", [&](const std::string& name) { add_model(plan_, name, inputs_.models); });
    return std::move(inputs_);
  }

 private:
  template <class Take>
  void each_text(const std::string& option, Take take) const {
    for (const Axis& axis : plan_.axes) {
      if (axis.name != option) continue;
      try {
        for (const Json& value : axis.values)
          for (const std::string& text : texts_of(value)) take(text);
      } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}: {}", plan_.file, axis.place, error.what()));
      }
    }
  }

  /// As runs find it.
  std::string content_of(const std::string& name, std::size_t max_bytes) const {
    return read_file((plan_.folder / name).string(), max_bytes);
  }

  const Plan& plan_;
  const fabric::EngineRegistry& engines_;
  Inputs inputs_;
};

}  // namespace

nlohmann::json Inputs::of(const Json& parameters) const {
  nlohmann::json read = nlohmann::json::object();
  const auto texts = [&](const char* option) { return texts_of(parameters.value(option, Json())); };
  for (const std::string& name : texts("network"))
    if (const auto digest = networks.find(name); digest != networks.end())
      read["network"] = digest->second;
  for (const std::string& name : texts(kFileOption))
    if (const auto digest = files.find(name); digest != files.end())
      read["files"].push_back(digest->second);
  for (const std::string& engine : texts("engine"))
    if (model_engines.contains(engine))
      for (const std::string& config : texts("config"))
        if (const auto digest = models.find(config); digest != models.end())
          read["model"] = digest->second;
  return read;
}

Inputs read_inputs(const Plan& plan, const fabric::EngineRegistry& engines) {
  return InputReader(plan, engines).read();
}

}  // namespace muster::app::sweep
