// SPDX-License-Identifier: Apache-2.0
#include "muster/run/profile.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>

#include "core/text.hpp"
#include "muster/core/outputs.hpp"
#include "run/profile_texts.hpp"
#include "run/result_parts.hpp"
#include "topology/files/json_value.hpp"

namespace muster::run {
namespace {

using topology::JsonValue;

constexpr const char* kProfileSchema = "muster-profile-1";
constexpr std::size_t kMaxProfileBytes = 1 << 16;

void take(Field& field, const JsonValue& value) {
  const nlohmann::json& json = value.json();
  const bool number = field.kind != Field::Kind::kText;
  if (number && !json.is_number()) value.fail(value.type() + " instead of a number");
  if (field.kind == Field::Kind::kNumber &&
      (value.number() < field.least || value.number() > field.most))
    value.fail(fmt::format("{} is not in {}..{}", json.dump(), field.least, field.most));
  const auto real = number ? json.get<double>() : 0.0;
  if (field.kind == Field::Kind::kReal && (real < field.lowest || real > field.highest))
    value.fail(fmt::format("{} is not in {}..{}", json.dump(), field.lowest, field.highest));
  field.set(number ? json.dump() : value.name());
}

}  // namespace

void describe(Fields& f, Profile& p) {
  const auto cycles = [&](const char* key, std::uint32_t& member, std::uint32_t most,
                          const char* sentence) {
    f.number({"", key}, member, 0, most, sentence);
  };
  f.text({"", "name"}, p.name, "of the profile, in results");
  f.real({"", "clock_ns"}, p.clock_ns, 1e-3, 1e6, "nanoseconds of a cycle");
  cycles("pipe_cycles", p.pipe, kLongestHop, "cycles of a pipe in each channel");
  cycles("hop_cycles", p.hop, kLongestHop,
         "of a hop of a barrier message with any scheme, in place of pipe_cycles; 0: not given");
  cycles("occupancy_cycles", p.occupancy, kLongestHop,
         "for which a header keeps an input port of a switch from taking the next; needs a pipe");
  cycles("send_cycles", p.send, kMostHostCycles, "of a host before a message");
  cycles("receive_cycles", p.receive, kMostHostCycles, "of a host after a message");
  cycles("arrive_cycles", p.arrive, kMostHostCycles, "of a member, as it arrives");
  cycles("leave_cycles", p.leave, kMostHostCycles, "of a member once released");
  cycles("host_cycles", p.host, kMostHostCycles, "of a program for a doorbell or an event");
  cycles("bus_cycles", p.bus, kMostHostCycles, "of a crossing of the host bus");
  cycles("interface_pass_cycles", p.interface_pass, kMostHostCycles,
         "of a pass through a queue of a network interface");
  cycles("interface_launch_cycles", p.interface_launch, kMostHostCycles,
         "the same for a STEP that a doorbell triggers");
  cycles("host_step_cycles", p.step, kMostHostCycles,
         "of a host that walks a step list, for each of its sends; see --host-step");
  cycles("data_passes", p.passes, 6,
         "queues that a DATA passes, see --data-passes; 0: its default");
}

Profile parse_profile(const std::string& content, const std::string& file) {
  return topology::at_place(file, [&] {
    topology::screen_json(content, 1, "a profile");
    const auto document = nlohmann::json::parse(content);
    const JsonValue root(document, "");
    Profile profile;
    Fields fields;
    describe(fields, profile);
    std::vector<std::string> known{"schema", "note"};
    for (const Field& field : fields) known.push_back(field.key);
    root.expect_object(known);
    if (const std::string schema = root.field("schema").name(); schema != kProfileSchema)
      root.field("schema").fail(
          fmt::format("'{}' is not known; this version reads \"{}\"", schema, kProfileSchema));
    for (const char* needed : {"name", "clock_ns"}) static_cast<void>(root.field(needed));
    for (Field& field : fields)
      if (root.has(field.key.c_str())) take(field, root.field(field.key.c_str()));
    if (profile.name.empty()) root.field("name").fail("is empty; results show it");
    if (profile.passes == 1)
      root.field("data_passes").fail("is 1; a DATA passes 2 queues at least, and 0 is the default");
    if (profile.hop != 0 && profile.pipe != 0)
      root.field("hop_cycles").fail("excludes pipe_cycles; remove one of them");
    return profile;
  });
}

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> all = [] {
    std::vector<Profile> list{Profile{}};
    for (const char* text : kProfileTexts) list.push_back(parse_profile(text, "profiles/"));
    return list;
  }();
  return all;
}

Profile find_profile(const std::string& name) {
  const auto built_in = [](const std::string& wanted) {
    return std::ranges::find(profiles(), wanted, &Profile::name);
  };
  if (const auto found = built_in(name); found != profiles().end()) return *found;
  if (!name.ends_with(".json"))
    throw unknown_name("--profile", name, {profile_names(), "FILE.json"});
  Profile read = parse_profile(read_file(name, kMaxProfileBytes), name);
  if (const auto found = built_in(read.name); found != profiles().end() && *found != read)
    throw InputError(
        "{}: name: '{}' is a built-in profile with other times; give this one its own name", name,
        read.name);
  return read;
}

std::string profile_names() {
  return fmt::format("{}", fmt::join(profiles() | std::views::transform(&Profile::name), ", "));
}

Json profile_schema() {
  Json schema = core::json_schema(
      "A timing profile", "Delays of hosts and switches; docs/reference/runs.md, Timing profiles.",
      [](core::Record& r) {
        r.add("schema", kProfileSchema).with("const", kProfileSchema);
        r.add("note", "for the reader: where it is from", "");
        put_fields(Profile{}, r);
      });
  schema["required"] = {"schema", "name", "clock_ns"};
  return schema;
}

}  // namespace muster::run
