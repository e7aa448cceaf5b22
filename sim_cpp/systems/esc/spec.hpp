// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/fields.hpp"
#include "systems/esc/faults.hpp"
#include "systems/esc/pe_banks.hpp"

namespace muster::esc {

/// Cycles of background before the earliest synchronization message (4 sigma before the mean).
constexpr double kWarmUp = 100.0;

/// Limits of a network; N is a power of the box size, S what an output buffer of a box holds.
constexpr std::uint32_t kFewestPes = 4, kMostPes = 65536, kMostBuffer = 64;
constexpr double kLatestMean = 1e7;  ///< cycle
constexpr unsigned kMostThreads = 256;

enum class Release : std::uint8_t { kDirect, kNetwork };

/// Schemes of others on the same boxes, docs/systems/esc.md.
enum class Reference : std::uint8_t { kNone, kThrottle, kAdaptive, kCombining };

/// Where background messages go.
enum class Pattern : std::uint8_t { kUniform, kBitReversal, kTranspose };

/// Another gamma from a cycle on.
struct RateChange {
  std::uint64_t cycle = 0;
  double rate = 0;
};

/// One point of a figure: everything that a batch of sessions depends on. docs/systems/esc.md.
struct Spec {
  std::uint32_t pes = 256;  ///< N = n^m, up to 65536
  BoxConfig box;            ///< n and S
  double rate = 0.5;        ///< gamma, background messages per PE and cycle, [0, 1)
  std::optional<RateChange> rate_change;
  double sigma = 10.0;                          ///< of the synchronization times, cycles
  double mean = 3000.0;                         ///< of the synchronization times, cycle
  bool bypass = true;                           ///< input stage bypassed; else a policy uses it
  InputPolicy policy = InputPolicy::kStraight;  ///< of a PE, if not bypassed
  std::uint32_t sections = 1;                   ///< K of kHotSection
  bool sections_at_run_time = false;            ///< every PE chooses its K, from `sections` on
  Reference reference = Reference::kNone;
  std::uint32_t throttle_limit = 0;  ///< T of kThrottle, packets
  std::uint32_t sessions = 125;
  std::optional<std::uint32_t> hot;  ///< the coordinator; drawn for each session if absent
  std::uint32_t hot_spots = 1;       ///< H coordinators at once: PE j synchronizes in group j mod H
  Pattern pattern = Pattern::kUniform;
  Release release = Release::kDirect;
  std::vector<Fault> faults;  ///< known to all PEs; routing avoids them
  std::uint64_t seed = 1;
  unsigned threads = 1;  ///< the result does not depend on it
  bool checkers = true;

  /// The setting of the outer stages: that of the policy, or the one that the faults ask for.
  OuterStages stages() const;
  /// A policy decides about the input stage: both outer stages are enabled for it.
  bool policy_acts() const { return !bypass && stages().input && stages().output; }
};

/// The least mean that leaves a warm-up.
double least_mean(double sigma);

/// "bypass", "isolated-bg", "isolated-hs", "hot-section:K", "hot-section:auto", "throttle:T",
/// "adaptive", "combining". Throws InputError.
void set_policy(Spec& spec, const std::string& text);
std::string policy_name(const Spec& spec);
/// "3100:0.8", gamma is 0.8 from cycle 3100 on. Throws InputError.
RateChange rate_change_named(const std::string& text);

/// The options of `muster esc` and the parameters in JSON.
void describe(run::Fields& f, Spec& s);

/// Throws InputError that names the option and how to fix it.
void validate(const Spec& spec);

/// Bits of a PE's number that name its section (section 4.4).
std::uint32_t section_mask(const Spec& spec);

/// The largest gamma of a session.
double largest_rate(const Spec& spec);
/// Largest rate that the input stage carries while all flags are set; 1 for bypass.
double capacity(const Spec& spec);
/// Largest rate that the ways around the faults carry: (n - 1)/n if one of them is in a part that a
/// packet can avoid by its tag, as n - 1 boxes or links do the work of n; else 1.
double capacity_around_faults(const Spec& spec);

}  // namespace muster::esc
