// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/spec.hpp"

#include <iterator>

#include "muster/run/command.hpp"

namespace muster::esc {
namespace {

/// A policy by its name; a number follows a colon.
struct NamedPolicy {
  std::string_view name;
  bool bypass;
  InputPolicy policy;
  Reference reference;
};
constexpr NamedPolicy kPolicies[] = {
    {"bypass", true, InputPolicy::kStraight, Reference::kNone},
    {"isolated-bg", false, InputPolicy::kIsolatedBackground, Reference::kNone},
    {"isolated-hs", false, InputPolicy::kIsolatedHotSpot, Reference::kNone},
    {"hot-section:", false, InputPolicy::kHotSection, Reference::kNone},
    {"throttle:", true, InputPolicy::kStraight, Reference::kThrottle},
    {"adaptive", false, InputPolicy::kStraight, Reference::kAdaptive},
    {"combining", true, InputPolicy::kStraight, Reference::kCombining}};

/// Its policy is this one. A reference has its own, and a bypassed input stage has none.
bool has(const Spec& spec, const NamedPolicy& p) {
  if (spec.reference != p.reference || p.reference != Reference::kNone)
    return spec.reference == p.reference;
  return spec.bypass == p.bypass && (spec.bypass || spec.policy == p.policy);
}

void validate_reference(const Spec& spec) {
  if (spec.reference == Reference::kNone) return;
  if (!spec.faults.empty())
    throw InputError(
        "--policy {}: is not defined with faults; omit --fault, or use bypass, "
        "isolated-bg, isolated-hs or hot-section:K",
        policy_name(spec));
  if (spec.reference == Reference::kThrottle &&
      (spec.throttle_limit < 1 || spec.throttle_limit > spec.box.depth))
    throw InputError("--policy throttle:{}: T must be 1 to {}, the packets of an output buffer",
                     spec.throttle_limit, spec.box.depth);
}

/// All PEs must reach each other, and the coordinator all of them with one packet.
void validate_faults(const Spec& spec) {
  const Cube cube(spec.pes, spec.box.size);
  for (const Fault& fault : spec.faults) require_exists(cube, fault);
  const std::uint64_t pairs = std::uint64_t{spec.pes} * spec.pes;
  const std::uint64_t connected = connected_pairs(cube, spec.stages(), spec.faults);
  if (connected < pairs)
    throw InputError(
        "--fault: these {} faults leave {} of {} pairs of PEs without a route; remove "
        "one, because only single faults are always tolerated",
        spec.faults.size(), pairs - connected, pairs);
  if (spec.release != Release::kNetwork) return;
  const FaultRouting routing(cube, spec.stages(), spec.faults);
  for (std::uint32_t pe = spec.hot.value_or(0); pe <= spec.hot.value_or(spec.pes - 1); ++pe) {
    const std::size_t packets = routing.broadcast(pe).size();
    if (packets > 1)
      throw InputError(
          "--release network: with these faults a broadcast from PE {} takes {} packets, a "
          "coordinator sends one; use --release direct or fewer faults",
          pe, packets);
  }
}

}  // namespace

OuterStages Spec::stages() const {
  const OuterStages own{.input = !bypass, .output = true};
  return faults.empty() ? own : choose_stages(Cube(pes, box.size), faults, own);
}

double least_mean(double sigma) { return kWarmUp + 4.0 * sigma; }

void set_policy(Spec& spec, const std::string& text) {
  const auto found = std::ranges::find_if(kPolicies, [&](const NamedPolicy& p) {
    return text == p.name || (p.name.ends_with(':') && text.starts_with(p.name));
  });
  if (found == std::end(kPolicies))
    throw InputError(
        "--policy '{}': must be bypass, isolated-bg, isolated-hs, hot-section:K, "
        "hot-section:auto, throttle:T, adaptive or combining",
        text);
  spec.bypass = found->bypass;
  spec.policy = found->policy;
  spec.reference = found->reference;
  spec.box.combining = found->reference == Reference::kCombining;
  spec.sections = 1;
  spec.sections_at_run_time = text == "hot-section:auto";
  const std::string number = text.substr(found->name.size());
  if (found->reference == Reference::kThrottle)
    spec.throttle_limit = run::number32(number, "--policy throttle:T", 1, kMostBuffer);
  if (found->policy == InputPolicy::kHotSection && !spec.sections_at_run_time)
    spec.sections = run::number32(number, "--policy hot-section:K", 1, kMostPes);
}

std::string policy_name(const Spec& spec) {
  const auto found =
      std::ranges::find_if(kPolicies, [&](const NamedPolicy& p) { return has(spec, p); });
  if (found == std::end(kPolicies)) return "straight";
  std::string name(found->name);
  if (found->reference == Reference::kThrottle) name += std::to_string(spec.throttle_limit);
  if (found->policy == InputPolicy::kHotSection)
    name += spec.sections_at_run_time ? "auto" : std::to_string(spec.sections);
  return name;
}

RateChange rate_change_named(const std::string& text) {
  RateChange change;
  const char* const end = text.data() + text.size();
  const auto [colon, error] = std::from_chars(text.data(), end, change.cycle);
  if (error == std::errc{} && colon != end && *colon == ':') {
    const auto [rest, wrong] = std::from_chars(colon + 1, end, change.rate);
    if (wrong == std::errc{} && rest == end) return change;
  }
  throw InputError("--rate-change '{}': must be a cycle and the rate from it on, such as 3100:0.8",
                   text);
}

void describe(run::Fields& f, Spec& s) {
  f.number({"--pes", "pes"}, s.pes, kFewestPes, kMostPes,
           "N, a power of the box size, up to 65536");
  f.number({"--box", "box"}, s.box.size, 2, 8, "n of the n x n boxes: 2, 4 or 8");
  f.number({"--buffer", "buffer_packets"}, s.box.depth, 1, kMostBuffer,
           "S, packets in an output buffer of a box, 1 to 64");
  f.flag({"--refill", "refill"}, s.box.refill, true,
         "A full buffer accepts in the cycle in which it sends; golden alone");
  f.real({"--rate", "rate_messages_per_pe_cycle"}, s.rate, 0, 1,
         "gamma, background messages per PE and cycle, below 1");
  f.text(
      "--rate-change", [&s](const std::string& typed) { s.rate_change = rate_change_named(typed); },
      [] { return std::string(); }, "CYCLE:RATE: gamma is RATE from this cycle on; default: none");
  f.real({"--sigma", "sigma_cycles"}, s.sigma, 0, kLatestMean,
         "Standard deviation of the synchronization times, cycles");
  f.real({"--mean", "mean_cycle"}, s.mean, 0, kLatestMean,
         "Mean of the synchronization times, cycles; by default more with a large --sigma");
  f.text(
      {"--policy", "policy"}, [&s](const std::string& typed) { set_policy(s, typed); },
      [&s] { return policy_name(s); },
      "bypass, isolated-bg, isolated-hs, hot-section:K or :auto, throttle:T, adaptive, combining");
  f.number("--sessions", s.sessions, 1, std::numeric_limits<std::uint32_t>::max(),
           "Active sessions");
  f.number({"--hot", "hot"}, s.hot, 0, kMostPes - 1,
           "The coordinator; default: random for each session");
  f.number({"--hot-spots", "hot_spots"}, s.hot_spots, 1, kMostPes / 2,
           "Number of simultaneous groups");
  f.choice({"--pattern", "pattern"}, s.pattern,
           {{"uniform", Pattern::kUniform},
            {"bit-reversal", Pattern::kBitReversal},
            {"transpose", Pattern::kTranspose}},
           "Destinations of background");
  f.choice({"--release", "release"}, s.release,
           {{"direct", Release::kDirect}, {"network", Release::kNetwork}},
           "Response of the coordinator: direct, or through the network as a broadcast");
  f.text(
       "--fault", [&s](const std::string& typed) { s.faults.push_back(fault_named(typed)); },
       [] { return std::string(); },
       "A faulty part, repeatable: box:STAGE:BOX, link:STAGE:LINK or bypass:STAGE:LINK")
      .repeated = true;
  f.number("--threads", s.threads, 1, kMostThreads,
           "Simultaneous sessions; the result is the same for any number");
  f.flag({"--no-checkers", "checkers"}, s.checkers, false, "Do not check the links");
}

void validate(const Spec& spec) {
  run::check_fields(spec);
  const std::uint32_t n = spec.box.size;
  if (n != 2 && n != 4 && n != 8) throw InputError("--box {}: must be 2, 4 or 8", n);
  if (!Cube::exists(spec.pes, n) || spec.pes < kFewestPes)
    throw InputError("--pes {}: must be a power of the box size {}, {} to {}", spec.pes, n,
                     kFewestPes, kMostPes);
  if (spec.rate == 1.0) throw InputError("--rate 1: must be at least 0 and below 1");
  if (spec.rate_change && !(spec.rate_change->rate >= 0.0 && spec.rate_change->rate < 1.0))
    throw InputError("--rate-change {}:{}: the rate must be at least 0 and below 1",
                     spec.rate_change->cycle, spec.rate_change->rate);
  if (!(spec.mean >= least_mean(spec.sigma)))
    throw InputError(
        "--mean {}: leaves no warm-up of {} cycles before the earliest message; with sigma {} it "
        "must be at least {}",
        spec.mean, kWarmUp, spec.sigma, least_mean(spec.sigma));
  if (spec.policy == InputPolicy::kHotSection &&
      (!std::has_single_bit(spec.sections) || spec.sections > spec.pes))
    throw InputError("--policy hot-section:{}: K must be a power of two, at most the {} PEs",
                     spec.sections, spec.pes);
  if (spec.hot && *spec.hot >= spec.pes)
    throw InputError("--hot {}: unknown PE; they are 0 to {}", *spec.hot, spec.pes - 1);
  if (!std::has_single_bit(spec.hot_spots) || spec.hot_spots > spec.pes / 2)
    throw InputError("--hot-spots {}: must be a power of two, at most half of the {} PEs",
                     spec.hot_spots, spec.pes);
  if (spec.hot && spec.hot_spots > 1)
    throw InputError("--hot and --hot-spots exclude each other: several are drawn");
  if (spec.pattern == Pattern::kTranspose && Cube(spec.pes, n).address_bits() % 2 != 0)
    throw InputError("--pattern transpose: needs a square number of PEs, which {} is not",
                     spec.pes);
  if (spec.box.refill && spec.box.combining)
    throw InputError("--refill: boxes that combine have no such reading");
  validate_reference(spec);
  if (!spec.faults.empty()) validate_faults(spec);
}

std::uint32_t section_mask(const Spec& spec) {
  return (spec.pes - 1) & ~(spec.pes / spec.sections - 1);
}

double largest_rate(const Spec& spec) {
  return spec.rate_change ? std::max(spec.rate, spec.rate_change->rate) : spec.rate;
}

double capacity(const Spec& spec) {
  if (!spec.policy_acts()) return 1.0;
  const double n = spec.box.size, pes = spec.pes;
  double k = spec.sections;
  switch (spec.policy) {
    case InputPolicy::kStraight:
      return 1.0;
    case InputPolicy::kIsolatedBackground:
      return (n - 1) / n;
    case InputPolicy::kIsolatedHotSpot:
      return (n - 1) / n * (pes / (pes - 1));
    case InputPolicy::kHotSection:
      if (spec.sections_at_run_time) k = pes;
      return 1.0 / ((1.0 - 1.0 / pes) + (1.0 / k - 1.0 / pes) / (n - 1));
  }
  return 1.0;
}

double capacity_around_faults(const Spec& spec) {
  const Cube cube(spec.pes, spec.box.size);
  const double n = spec.box.size;
  for (const Fault& fault : spec.faults) {
    const std::optional<Cut> cut = cut_of(cube, spec.stages(), fault);
    if (cut && cut->x) return (n - 1) / n;
  }
  return 1.0;
}

}  // namespace muster::esc
