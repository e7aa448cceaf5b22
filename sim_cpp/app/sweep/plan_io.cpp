// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "app/sweep/plan.hpp"
#include "app/sweep/plan_values.hpp"
#include "core/file_io.hpp"

namespace muster::app::sweep {

namespace {

constexpr std::size_t kMaxPlanBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxPlanDepth = 8;
constexpr const char* kPlanSchema = "muster-sweep-plan-1";

std::string option_name(const PlanValue& value, const std::string& name) {
  if (name.empty() || name.front() < 'a' || name.front() > 'z')
    value.fail("write the name of an option in lower case, without leading dashes");
  return name;
}

void read_options(const PlanValue& options, const std::string& prefix, Plan& plan) {
  for (const auto& [name, value] : options.fields())
    plan.axes.push_back({prefix + option_name(value, name), value.place(), values_of(value)});
}

/// A generator in a list of networks, all of its options with one value.
Json single_network(const PlanValue& network) {
  if (!network.json().is_object()) return network.name();
  network.expect_object({"generate", "options"});
  Json made = {{"generate", network.field("generate").name()}};
  if (network.has("options"))
    for (const auto& [name, value] : network.field("options").fields())
      made[option_name(value, name)] = single_value_of(value);
  return made;
}

void read_network(const PlanValue& network, Plan& plan) {
  if (network.json().is_object()) {
    network.expect_object({"generate", "options"});
    plan.generator = network.field("generate").name();
    if (plan.generator.empty()) network.fail("\"generate\" is empty; name a generator");
    if (network.has("options")) read_options(network.field("options"), "network.", plan);
    return;
  }
  Axis axis{"network", network.place(), {}};
  if (network.json().is_array())
    for (const PlanValue& one : network.elements()) axis.values.push_back(single_network(one));
  else
    axis.values.push_back(network.name());
  if (axis.values.empty()) network.fail("an empty list; give at least one network");
  plan.axes.push_back(std::move(axis));
}

/// Each group names axes of equally many values, and no axis is in two.
void read_zip(const PlanValue& zip, Plan& plan) {
  std::vector<std::string> taken;
  for (const PlanValue& group : zip.elements()) {
    std::size_t values = 0;
    plan.zip.emplace_back();
    for (const PlanValue& element : group.elements()) {
      const std::string name = element.name();
      const auto axis = std::find_if(plan.axes.begin(), plan.axes.end(),
                                     [&](const Axis& a) { return a.name == name; });
      if (axis == plan.axes.end())
        element.fail(fmt::format("the plan has no option '{}'; add it to \"options\"", name));
      if (std::find(taken.begin(), taken.end(), name) != taken.end())
        element.fail(fmt::format("'{}' is zipped already; name it once", name));
      if (values != 0 && axis->values.size() != values)
        element.fail(fmt::format("'{}' has {} values, '{}' has {}; the numbers must be equal", name,
                                 axis->values.size(), plan.zip.back().front(), values));
      values = axis->values.size();
      taken.push_back(name);
      plan.zip.back().push_back(name);
    }
    if (plan.zip.back().size() < 2) group.fail("only one name; zip two or more, or remove it");
  }
}

void read_fields(const PlanValue& root, Plan& plan) {
  if (!root.json().is_object()) root.fail("a plan is one JSON object {...}");
  const std::string schema = root.field("schema").name();
  if (schema != kPlanSchema)
    root.field("schema").fail(fmt::format("{} is not known; this version reads \"{}\"",
                                          topology::quote(schema), kPlanSchema));
  root.expect_object({"schema", "note", "command", "network", "options", "zip", "keep"});
  if (root.has("note")) root.field("note").text();
  if (root.has("command")) {
    std::istringstream words(root.field("command").name());
    plan.command.clear();
    for (std::string word; words >> word;) plan.command.push_back(word);
    if (plan.command.empty()) root.field("command").fail("is empty; name a command such as run");
  }
  if (root.has("network")) read_network(root.field("network"), plan);
  if (root.has("options")) read_options(root.field("options"), "", plan);
  if (root.has("zip")) read_zip(root.field("zip"), plan);
  if (!root.has("keep")) return;
  for (const PlanValue& field : root.field("keep").elements()) plan.keep.push_back(field.name());
  if (plan.keep.empty()) root.field("keep").fail("an empty list; name a field, or remove it");
}

}  // namespace

Plan parse_plan(std::string_view content, const std::string& file) {
  Plan plan;
  plan.file = file;
  plan.folder = std::filesystem::absolute(file).parent_path();
  try {
    topology::screen_json(content, kMaxPlanDepth, "a plan");
    plan.document = Json::parse(content.begin(), content.end());
    read_fields(PlanValue(plan.document, ""), plan);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
  return plan;
}

Plan read_plan(const std::string& file) { return parse_plan(read_file(file, kMaxPlanBytes), file); }

}  // namespace muster::app::sweep
