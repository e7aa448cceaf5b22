// SPDX-License-Identifier: Apache-2.0
#include "run/links/link_plan.hpp"

#include <bit>

#include "fabric/link_bank.hpp"
#include "fabric/sharing.hpp"
#include "run/waits.hpp"

namespace muster::run {
namespace {

using fabric::LinkConfig;
namespace status_regs = fabric::link_registers;

constexpr std::uint32_t kUsualTimeout = 16, kMostSlots = 32, kMostTimeout = 255;

/// Flits that a block may have under way in one direction of a link: those of its credits, and a
/// barrier message of each group. Where messages are repeated there may be any number of these, and
/// places for data are kept free: on healthy wires all of two for each group find a place, if the
/// largest buffer has as many.
std::uint32_t under_way(const fabric::SwitchConfig& config) {
  const std::uint32_t data = config.vcs * config.depth;
  if (fabric::repeats(config))
    return std::max(data + 1, std::min(2 * data + 2 * fabric::group_places(config), kMostSlots));
  const bool pocket = fabric::sync_credits(config) == fabric::SyncCredits::kPocket;
  return data + (pocket ? 1 : fabric::group_places(config));
}

std::uint32_t shortest_timeout(const RunSpec& spec) { return 2 * longest_latency(*spec.graph) + 5; }

LinkConfig wanted(const RunSpec& spec, const fabric::SwitchConfig& config) {
  using fabric::SyncCredits;
  const SyncCredits credits = fabric::sync_credits(config);
  if (fabric::has_barrier_buffer(credits))
    throw InputError(
        "--link-retry: a link end supports barrier messages of one flit, and those of switches of "
        "kind '{}' have more",
        config.kind->name);
  const std::uint32_t flits = under_way(config);
  if (flits > kMostSlots)
    throw InputError(
        "--link-retry: {} flits of switch configuration '{}' can be in flight, and a replay buffer "
        "holds {}; use a configuration with fewer channels, shorter queues or fewer registers",
        flits, config.name, kMostSlots);
  const std::uint32_t timeout = std::max(kUsualTimeout, shortest_timeout(spec));
  if (timeout > kMostTimeout)
    throw InputError(
        "--link-retry: a link of latency {} needs a timeout of {} cycles, at most {} are possible",
        longest_latency(*spec.graph), timeout, kMostTimeout);
  LinkConfig link{.vcs = config.vcs,
                  .depth = config.depth,
                  .flit_w = config.flit_w,
                  .pocket = credits == SyncCredits::kPocket,
                  .slots = std::max(4u, std::bit_ceil(flits)),
                  .timeout = timeout,
                  .lossy = fabric::repeats(config)};
  link.name = "for " + config.name;
  return fabric::validate(link);
}

/// Only the buffer may be larger, and the time longer.
bool suits(const LinkConfig& link, const LinkConfig& wanted, std::uint32_t timeout) {
  return link.vcs == wanted.vcs && link.depth == wanted.depth && link.flit_w == wanted.flit_w &&
         link.pocket == wanted.pocket && link.lossy == wanted.lossy && link.slots >= wanted.slots &&
         link.timeout >= timeout;
}

std::uint32_t wires_of(const RunSpec& spec) {
  return static_cast<std::uint32_t>(2 * (spec.graph->links().size() + spec.graph->nodes()));
}

}  // namespace

void check_links(const RunSpec& spec) {
  LinkSpec links = spec.links;
  Fields fields;
  describe(fields, links);
  fields.check();
  for (const Field& field : fields)
    if (field.kind == Field::Kind::kReal && field.value() != FieldValue(0.0) && !links.retry)
      throw InputError("{}: only links that retry can lose frames; add --link-retry", field.option);
  if (links.retry && !spec.stopped.empty())
    throw InputError("--link-retry: the wires of a link that retries are stopped by a flap");
  if (!links.flaps.empty() && !links.retry)
    throw InputError(
        "--flap: only links that retry can lose frames; add --link-retry, or use --stop-link");
}

LinkConfig link_config(const RunSpec& spec, const fabric::SwitchConfig& config) {
  const LinkConfig smallest = wanted(spec, config);
  const fabric::LinkFactory* factory = fabric::links_of(*spec.engine);
  for (const auto* list : {&fabric::link_configurations(), &fabric::own_link_configurations()})
    for (const LinkConfig& link : *list)
      if (suits(link, smallest, shortest_timeout(spec))) return link;
  if (factory == nullptr || !factory->supports(smallest))
    throw InputError(
        "--link-retry: engine '{}' has no link ends for switch configuration '{}'; build them with "
        "scripts/model NAME muster_link_end Vcs={} Depth={} FlitW={} Pocket={} Slots={} Timeout={} "
        "Lossy={}, or use golden",
        spec.engine->name(), config.name, smallest.vcs, smallest.depth, smallest.flit_w,
        smallest.pocket, smallest.slots, smallest.timeout, smallest.lossy);
  return smallest;
}

std::uint32_t link_delay(const RunSpec& spec, const LinkConfig& link) {
  // What came before the session is stored, and goes first.
  const std::uint32_t passing = longest_latency(*spec.graph) + 3 + link.slots;
  const LinkSpec& faults = spec.links;
  const bool faulty = faults.drop != 0.0 || faults.corrupt != 0.0 || faults.duplicate != 0.0 ||
                      faults.ack_drop != 0.0 || !faults.flaps.empty() || !spec.deaths.empty();
  return faulty ? passing + (link.retries + 1) * link.timeout * link.slots : passing;
}

std::shared_ptr<WireFaults> make_wires(const RunSpec& spec, const fabric::SwitchConfig& config) {
  if (!spec.links.retry) return nullptr;
  LinkSpec faults = spec.links;
  for (const Death& death : spec.deaths)
    if (death.link) faults.flaps.push_back({2 * death.id, death.cycle, kMostCycles});
  return std::make_shared<WireFaults>(faults, link_config(spec, config), wires_of(spec), spec.seed);
}

fabric::LinkEnds make_links(const RunSpec& spec, std::shared_ptr<WireFaults> wires) {
  if (!wires) return {};
  const LinkConfig& link = wires->ends();
  fabric::BankOptions options = spec.bank;
  options.wave_file.clear();
  const std::uint32_t ends = wires_of(spec);
  const auto make = [&](const fabric::BankOptions& own) {
    return fabric::links_of(*spec.engine)->make_links(link, ends, own);
  };
  return {.ends = fabric::share_bank<fabric::LinkBank>(options, &fabric::Division::ends, make, link,
                                                       ends),
          .faults = std::move(wires),
          .longest_hold = link.longest_hold()};
}

std::uint32_t status_of(fabric::Network& network, core::ChannelId end) {
  return network.link_ends()->read_register(end, status_regs::kStatus);
}

bool links_begun(fabric::Network& network) {
  using enum status_regs::LinkState;
  for (core::ChannelId c = 0; c < network.channels(); ++c) {
    if (!network.end_alive(c)) continue;
    const auto state = status_regs::state(status_of(network, c));
    if (state != kUp && state != kDown) return false;
  }
  return true;
}

bool is_down(fabric::Network& network, core::ChannelId end) {
  const core::Bank* const ends = network.link_ends();
  return ends != nullptr && ends->irq(end) && network.end_alive(end);
}

std::vector<core::ChannelId> ends_down(fabric::Network& network) {
  std::vector<core::ChannelId> down;
  for (core::ChannelId c = 0; c < network.channels(); ++c)
    if (is_down(network, c)) down.push_back(c);
  return down;
}

std::string reason_text(std::uint32_t reason) {
  static constexpr const char* kReasons[] = {
      "", "the other end is silent", "the other end is down or was reset",
      "more flits than its buffer holds", "the manager shut the link end"};
  return reason < std::size(kReasons) ? kReasons[reason] : "?";
}

std::string end_text(fabric::Network& network, core::ChannelId end) {
  return fmt::format("{}: {}", network.layout().name(end),
                     reason_text(status_regs::kStatusReason.of(status_of(network, end))));
}

LinkCounts count_links(fabric::Network& network, const WireFaults& wires) {
  LinkCounts counts = wires.counts();
  for (const core::ChannelId c : ends_down(network)) counts.down.push_back(end_text(network, c));
  if (wires.ends().lossy != 0) {
    counts.lost = 0;
    for (core::ChannelId c = 0; c < network.channels(); ++c)
      *counts.lost += status_regs::kStatusLost.of(status_of(network, c));
  }
  return counts;
}

}  // namespace muster::run
