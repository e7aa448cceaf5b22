// SPDX-License-Identifier: Apache-2.0
#include "mpi/result.hpp"

#include <sys/wait.h>

#include <cmath>

#include "core/text.hpp"
#include "topology/files/json_value.hpp"

namespace muster::mpi {
namespace {

double share(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }
double mean(double sum, std::uint64_t count) { return share(sum, static_cast<double>(count)); }

void describe_site(core::Record& r, const CallSite& s) {
  r.add("call", s.call).filled();
  r.add("site", "file and offset of the call, of the first rank that came", s.site);
  r.add("communicator", "0: all ranks; then in the order of creation", s.comm);
  r.add("members", s.members);
  r.add("count", s.count);
  r.add("outside", "of these, that the ranks have met without the network", s.outside);
  r.add("rounds", "barriers of the network that the calls took together", s.rounds);
  r.add("latency_mean_cycles", "from the last arrival to the last release",
        mean(s.latency, s.count));
  r.add("latency_max_cycles", s.latency_max);
  r.add("skew_mean_cycles", "from the first arrival to the last", mean(s.skew, s.count));
  r.add("wait_mean_cycles", "of a rank, from its arrival to its release",
        mean(s.waited, s.releases));
  r.list("last", "how often each rank was the last, most often first",
         std::vector<std::pair<std::uint32_t, std::uint64_t>>(s.last.begin(), s.last.end()),
         [](core::Record& each, const std::pair<std::uint32_t, std::uint64_t>& of) {
           each.add("rank", of.first);
           each.add("count", of.second);
         });
}

void describe_result(core::Record& r, const SessionResult& s) {
  r.add("scheme", s.scheme);
  r.add("engine", s.engine);
  r.add("config", "of the switches", s.config);
  r.add("cycles", "until the last rank has ended", s.cycles);
  r.add("simulated_cycles", "those in which the network was not still", s.simulated);
  r.add("wait_share", "of the ranks' time, in these calls", share(s.waited, s.elapsed));
  r.add("barriers", "of the network", s.barriers);
  r.add("set_ups", "of the network, one more with each new group", s.set_ups);
  r.add("digest", s.digest);
  r.add("violations", "empty if all is well", s.violations);
}

/// Of the run's scheme over another, of the whole program; none if calls took no time in either.
std::optional<double> speedup(const SessionResult& run, const SessionResult& other) {
  if (run.free != 0 || other.free != 0) return {};
  return share(static_cast<double>(other.cycles), static_cast<double>(run.cycles));
}

void describe_other(core::Record& r, const SessionResult& run, const Comparison& c) {
  r.add("name", "`software`: the hosts walk the steps of the scheme", c.name);
  r.null_unless(!c.refused.empty()).add("refused", "reason; null if it has run", c.refused);
  core::Record ran = r.null_unless(c.refused.empty());
  ran.add("cycles", "until the last rank has ended", c.result.cycles);
  ran.add("wait_share", share(c.result.waited, c.result.elapsed));
  ran.add("speedup",
          "of the run's scheme over this one, of the program; null too if calls outside the "
          "network took no time",
          speedup(run, c.result));
  ran.add("digest", c.result.digest);
}

void describe_death(core::Record& r, const Death& d) {
  const bool by_signal = WIFSIGNALED(d.status);
  r.add("rank", d.rank);
  r.add("cycle", "in which its groups were set up anew without it", d.cycle);
  r.null_unless(by_signal).add("signal", "that ended it", unsigned(WTERMSIG(d.status)));
  r.null_unless(!by_signal)
      .add("status", "with which it has ended", unsigned(WEXITSTATUS(d.status)));
  r.add("call", "its last; empty: it made none", d.call);
  r.add("site", "file and offset of this call", d.site);
}

/// "rank 3, 812 of 1000".
std::string last_text(const CallSite& site) {
  const auto most = std::ranges::max_element(
      site.last, {},
      [](const std::pair<const std::uint32_t, std::uint64_t>& l) { return l.second; });
  if (most == site.last.end()) return "-";
  return fmt::format("rank {}, {} of {}", most->first, most->second, site.count);
}

/// " (2 of 1000 not in the network)".
std::string outside_text(const CallSite& site) {
  if (site.outside == 0) return "";
  if (site.outside == site.count) return " (not in the network)";
  return fmt::format(" ({} of {} not in the network)", site.outside, site.count);
}

/// Calls of all ranks on communicator 0, of one rank.
std::vector<const RecordedCall*> of_all(const std::vector<RecordedCall>& calls,
                                        std::vector<std::uint64_t>& work) {
  std::vector<const RecordedCall*> found;
  std::uint64_t sum = 0;
  for (const RecordedCall& call : calls) {
    sum += call.work;
    if (call.call.kind != MUSTER_COLLECTIVE || call.call.comm != 0) continue;
    found.push_back(&call);
    work.push_back(std::exchange(sum, 0));
  }
  return found;
}

}  // namespace

void describe(core::Record& r, const Report& report, const Provenance& origin) {
  core::add_origin(r, "muster-mpi-1", origin);
  r.add("program", "as given after --", report.program);
  r.add("network", report.network);
  r.add("ranks", report.result.ranks);
  r.add("clock_ns", "of a cycle", report.clock_ns);
  r.add("factor", "simulated time of a rank between calls, of its processor time", report.factor);
  r.add("result", [&](core::Record& of) { describe_result(of, report.result); });
  core::add_counts(r, "passed", "calls that MPI has done, by name", report.result.passed);
  r.add("differs", "results that were not those of MPI, with --check", report.differs);
  r.list("deaths", "ranks that have died, without which the others went on (--recover)",
         report.result.deaths, describe_death);
  r.list("sites", "all calls from one place on one communicator", report.result.sites,
         describe_site);
  r.list("others", "the same calls under other schemes (--compare)", report.others, describe_other,
         report.result);
}

std::string report_to_text(const Report& report) {
  const SessionResult& s = report.result;
  std::string text = fmt::format(
      "{} ranks, scheme {}, engine {}, switches {}\n"
      "program      {} cycles of {} ns, {:.3f} ms; {:.1f} % of the ranks' time in these calls\n"
      "network      {} barriers, {} of the cycles simulated, set up {}\n",
      s.ranks, s.scheme, s.engine, s.config, s.cycles, report.clock_ns,
      static_cast<double>(s.cycles) * report.clock_ns * 1e-6, 100 * share(s.waited, s.elapsed),
      s.barriers, s.simulated, s.set_ups == 1 ? "once" : fmt::format("{} times", s.set_ups));
  std::size_t wide = 4;
  for (const CallSite& site : s.sites) wide = std::max(wide, site.site.size());
  text += fmt::format("\n{:<15} {:<{}} {:>4} {:>7} {:>9} {:>9} {:>9}  {}\n", "call", "site", wide,
                      "comm", "count", "latency", "skew", "wait", "most often last");
  for (const CallSite& site : s.sites)
    text += fmt::format("{:<15} {:<{}} {:>4} {:>7} {:>9.1f} {:>9.1f} {:>9.1f}  {}{}\n", site.call,
                        site.site, wide, site.comm, site.count, mean(site.latency, site.count),
                        mean(site.skew, site.count), mean(site.waited, site.releases),
                        last_text(site), outside_text(site));
  for (const Death& death : s.deaths)
    text += fmt::format("died in cycle {}: {}\n", death.cycle, text_of(death));
  for (const auto& [name, count] : s.passed)
    text += fmt::format("passed to MPI: {} {} times\n", name, count);
  if (report.differs != 0)
    text += fmt::format("WRONG: {} results are not those of MPI\n", report.differs);
  if (!report.others.empty())
    text += fmt::format("\n{:<28} {:>14} {:>9} {:>9}\n", "same calls under", "cycles", "in calls",
                        "speedup");
  for (const Comparison& other : report.others) {
    if (!other.refused.empty()) {
      text += fmt::format("{:<28} {}\n", other.name, other.refused);
      continue;
    }
    const std::optional<double> gain = speedup(s, other.result);
    text += fmt::format("{:<28} {:>14} {:>7.1f} % {:>9}\n", other.name, other.result.cycles,
                        100 * share(other.result.waited, other.result.elapsed),
                        gain ? fmt::format("{:.3f}", *gain) : "-");
  }
  if (s.free != 0 && !report.others.empty())
    text += fmt::format("no speedup: {} calls outside the network took no time\n", s.free);
  for (const std::string& violation : s.violations)
    text += fmt::format("VIOLATION {}\n", violation);
  return text;
}

std::string recording_to_json(const std::string& name, const Script& script,
                              const std::vector<std::vector<std::uint64_t>>& work_ns,
                              double clock_ns) {
  core::Json out = {{"schema", "muster-arrivals-1"}, {"name", name}, {"ranks", script.size()}};
  std::vector<std::vector<std::uint64_t>> work(script.size());
  std::vector<std::vector<const RecordedCall*>> calls;
  std::size_t common = ~std::size_t{0};
  for (std::size_t r = 0; r < script.size(); ++r) {
    calls.push_back(of_all(script[r], work[r]));
    common = std::min(common, calls.back().size());
  }
  core::Json& list = out["calls"] = core::Json::array();
  for (std::size_t i = 0; i < common; ++i) {
    const muster_call& call = calls.front()[i]->call;
    core::Json& each = list.emplace_back(core::Json{{"call", call.name}});
    if (call.bits != 0) each["bytes"] = std::uint64_t{call.count} * call.bits / 8;
    for (std::size_t r = 0; r < script.size(); ++r)
      each["work_ns"].push_back(
          static_cast<std::uint64_t>(std::llround(static_cast<double>(work[r][i]) * clock_ns)));
  }
  out["compute_ns"] = work_ns;
  return out.dump() + "\n";
}

std::vector<std::vector<std::uint64_t>> read_compute(const std::string& file, std::uint32_t ranks) {
  constexpr std::size_t kMostBytes = std::size_t{256} << 20;
  const std::string content = read_file(file, kMostBytes);
  return muster::topology::at_place(file, [&] {
    topology::screen_json(content, 4, "a recording");
    const auto document = nlohmann::json::parse(content);
    const topology::JsonValue root(document, "");
    std::vector<std::vector<std::uint64_t>> times;
    const topology::JsonValue list = root.field("compute_ns");
    for (const topology::JsonValue& rank : list.elements()) {
      times.emplace_back();
      for (const topology::JsonValue& time : rank.elements()) {
        if (!time.json().is_number_unsigned()) time.fail("is not whole nanoseconds, 0 or more");
        times.back().push_back(time.json().get<std::uint64_t>());
      }
    }
    if (times.size() != ranks)
      list.fail(fmt::format("times of {} ranks, but {} are started", times.size(), ranks));
    return times;
  });
}

}  // namespace muster::mpi
