// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/file_io.hpp"
#include "muster/core/error.hpp"
#include "muster/run/spec.hpp"
#include "run/recorded_arrivals.hpp"
#include "topology/files/json_value.hpp"

namespace muster::run {
namespace {

constexpr std::size_t kMaxRecordingDepth = 4;
constexpr const char* kArrivalsSchema = "muster-arrivals-1";

using Value = topology::JsonValue<nlohmann::json>;

/// Nanoseconds as cycles, rounded.
std::uint64_t cycles(const Value& value, double clock_ns) {
  if (!value.json().is_number_unsigned())
    value.fail(fmt::format("{} instead of whole nanoseconds, 0 or more", value.type()));
  const double cycles = std::round(value.json().get<double>() / clock_ns);
  if (cycles > static_cast<double>(kMostCycles))
    value.fail(fmt::format("{} ns are more than {} cycles; shorten it, or use a slower clock",
                           value.json().dump(), kMostCycles));
  return static_cast<std::uint64_t>(cycles);
}

RecordedArrivals read_fields(const Value& root, double clock_ns) {
  root.expect_object({"schema", "name", "note", "ranks", "calls"});
  if (const std::string schema = root.field("schema").name(); schema != kArrivalsSchema)
    root.field("schema").fail(fmt::format("'{}' is not '{}'", schema, kArrivalsSchema));
  if (root.has("note")) root.field("note").text();
  const std::uint32_t ranks = root.field("ranks").number();
  if (ranks == 0) root.field("ranks").fail("0 ranks; a recording has at least one");
  RecordedArrivals::Work work;
  for (const Value& call : root.field("calls").elements()) {
    call.expect_object({"call", "bytes", "work_ns"});
    if (const std::string name = call.field("call").name(); name.empty())
      call.field("call").fail("is empty; name the call, such as MPI_Barrier");
    if (call.has("bytes")) call.field("bytes").number();
    std::vector<std::uint64_t>& of_barrier = work.emplace_back();
    for (const Value& time : call.field("work_ns").elements())
      of_barrier.push_back(cycles(time, clock_ns));
    if (of_barrier.size() != ranks)
      call.field("work_ns").fail(
          fmt::format("{} times for {} ranks; give one per rank", of_barrier.size(), ranks));
  }
  if (work.empty()) root.field("calls").fail("an empty list; record at least one call");
  return {root.has("name") ? root.field("name").name() : "", std::move(work)};
}

}  // namespace

std::shared_ptr<const RecordedArrivals> read_arrivals(const std::string& file, double clock_ns) {
  return parse_arrivals(read_file(file, kMaxRecordingBytes), file, clock_ns);
}

std::shared_ptr<const RecordedArrivals> parse_arrivals(std::string_view content,
                                                       const std::string& file, double clock_ns) {
  try {
    topology::screen_json(content, kMaxRecordingDepth, "a recording");
    const auto document = nlohmann::json::parse(content.begin(), content.end());
    RecordedArrivals read = read_fields(Value(document, ""), clock_ns);
    return std::make_shared<const RecordedArrivals>(std::move(read));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace muster::run
