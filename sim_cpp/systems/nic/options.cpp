// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "muster/core/error.hpp"
#include "muster/run/system.hpp"
#include "muster/systems/nic.hpp"
#include "systems/nic/host/packet_faults.hpp"
#include "systems/nic/profiles.hpp"
#include "systems/nic/scheme/nic_plan.hpp"

namespace muster::nic {

void Options::add(run::OptionList& options) {
  options.choice("--nic", level_, {"rdma", "host", "direct", "collective"},
                 "NIC barriers: the host walks the step list, by remote writes (rdma) or messages "
                 "(host), or the NIC does, through its point-to-point path (direct) or without it "
                 "(collective); default collective");
  options.number("--degree", degree_,
                 "NIC barriers: degree of gather-broadcast's tree, default 4; radix of "
                 "dissemination, default 2",
                 1, 32);
  options.flag("--chained", chained_,
               "NIC barriers: remote writes count events, which fire descriptors, as on Quadrics");
  options.number("--host-step", host_step_,
                 "NIC barriers walked by hosts: cycles of the program before each of its sends", 0,
                 1000000);
  options.number("--data-passes", data_passes_,
                 "NIC barriers, point-to-point path: queues that a DATA message passes; default 6",
                 2, 6);
  options.number("--bus-cycles", bus_,
                 "NIC barriers: cycles of a crossing of the host bus; default that of the profile",
                 0, 1000000);
  options.number("--pass-cycles", pass_,
                 "NIC barriers: cycles of a pass through a queue of the NIC; default that of the "
                 "profile",
                 0, 1000000);
  options.number("--timeout", timeout_,
                 "NIC barriers: cycles before a NACK or a repetition, 0 for never; default derived "
                 "from network and profile",
                 0, 65535);
  options.number(
      "--retries", retries_,
      "NIC barriers: timeouts without an answer before a peer is declared dead; default 15", 0, 15);
  options.real("--drop", drop_, "Fault: share of NIC packets that are lost");
  options.real("--duplicate", duplicate_, "Fault: share of NIC packets that are duplicated");
  options.real("--delay", delay_,
               "Fault: share of NIC packets that are delayed, with those behind them");
  options.real("--reorder", reorder_, "Fault: share of NIC packets that are reordered");
  options.real("--corrupt", corrupt_, "Fault: share of NIC packets with 1 to 3 bits flipped");
  options.number("--longest-delay", longest_delay_,
                 "Fault: longest delay of --delay and --reorder, in cycles; default 1000", 1,
                 1000000);
}

void Options::apply(run::RunSpec& spec) const {
  const bool faults = drop_ || duplicate_ || delay_ || reorder_ || corrupt_;
  if (longest_delay_ && !delay_ && !reorder_)
    throw InputError("--longest-delay: needs --delay or --reorder");
  constexpr int kOfProfile = 2;  // the first ones
  const std::pair<const char*, bool> options[] = {{"--bus-cycles", bus_.has_value()},
                                                  {"--pass-cycles", pass_.has_value()},
                                                  {"--nic", !level_.empty()},
                                                  {"--degree", degree_.has_value()},
                                                  {"--chained", chained_},
                                                  {"--host-step", host_step_.has_value()},
                                                  {"--data-passes", data_passes_.has_value()},
                                                  {"--timeout", timeout_.has_value()},
                                                  {"--retries", retries_.has_value()},
                                                  {"--drop", drop_.has_value()},
                                                  {"--duplicate", duplicate_.has_value()},
                                                  {"--delay", delay_.has_value()},
                                                  {"--reorder", reorder_.has_value()},
                                                  {"--corrupt", corrupt_.has_value()}};
  const auto given = [](const auto& option) { return option.second; };
  const auto* const typed = std::find_if(std::begin(options), std::end(options), given);
  if (typed == std::end(options)) return;
  if (run::find_scheme(spec.scheme).system.name() != "nic")
    throw InputError(fmt::format("{}: scheme '{}' has no NICs", typed->first, spec.scheme));
  if (bus_) spec.profile = with_crossing(spec.profile, *bus_);
  if (pass_) spec.profile = with_pass(spec.profile, *pass_);
  if (std::none_of(std::begin(options) + kOfProfile, std::end(options), given)) return;
  NicSpec nic;
  if (level_ == "host") nic.level = NicLevel::kHost;
  if (level_ == "direct") nic.level = NicLevel::kDirect;
  if (level_ == "rdma") nic.level = NicLevel::kRdma;
  nic.host_step = host_step_.value_or(nic.host_step);
  nic.data_passes = data_passes_.value_or(nic.data_passes);
  nic.degree = degree_;
  if (chained_) nic.form = ListForm::kChained;
  nic.timeout = timeout_;
  if (timeout_ == 0u && point_to_point(nic.level))
    throw InputError(
        "--timeout 0: a message that is dropped for lack of room would never be repeated; it needs "
        "--nic collective");
  nic.retries = retries_.value_or(nic.retries);
  if (faults) {
    nic.faults = FaultRates{drop_.value_or(0.0), duplicate_.value_or(0.0), delay_.value_or(0.0),
                            reorder_.value_or(0.0), corrupt_.value_or(0.0)};
    nic.faults->longest_delay = longest_delay_.value_or(nic.faults->longest_delay);
    validate(*nic.faults);
    if (timeout_ == 0u && (drop_ || corrupt_))
      throw InputError("--timeout 0: lost packets would never be requested again");
  }
  spec.parts.set(nic);
}

}  // namespace muster::nic
