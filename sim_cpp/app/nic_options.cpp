// SPDX-License-Identifier: Apache-2.0
#include "app/nic_options.hpp"

#include "app/commands.hpp"
#include "core/error.hpp"

namespace muster::app {

void add_nic(CLI::App& run, RunOptions& o) {
  run.add_option("--nic", o.nic,
                 "NIC barriers: the step list is walked by the host, or by the NIC through its "
                 "point-to-point path (direct) or past it (collective); default collective")
      ->check(CLI::IsMember({"host", "direct", "collective"}));
  add_number(run, "--degree", o.degree,
             "NIC barriers: degree of gather-broadcast's tree, default 4; radix of "
             "dissemination, default 2",
             1, 32);
  run.add_flag("--chained", o.chained, "NIC barriers: chained descriptors, as on Quadrics");
  add_number(run, "--timeout", o.timeout,
             "NIC barriers: cycles before a NACK or a repetition, 0 for never; default by "
             "network and profile",
             0, 65535);
  add_number(run, "--retries", o.retries,
             "NIC barriers: silent timeouts before a peer is taken for dead; default 15", 0, 15);
  run.add_option("--drop", o.drop, "Fault: share of NIC packets lost before their NIC");
  run.add_option("--duplicate", o.duplicate, "Fault: share of NIC packets doubled");
  run.add_option("--delay", o.delay, "Fault: share of NIC packets held back, with those behind");
  run.add_option("--reorder", o.reorder, "Fault: share of NIC packets overtaken by those behind");
  run.add_option("--corrupt", o.corrupt, "Fault: share of NIC packets with 1 to 3 bits flipped");
  add_number(run, "--longest-delay", o.longest_delay,
             "Fault: cycles of --delay and --reorder at most; default 1000", 1, 1000000);
}

void set_nic(const RunOptions& o, run::RunSpec& spec) {
  const bool faults = o.drop || o.duplicate || o.delay || o.reorder || o.corrupt;
  if (o.longest_delay && !o.delay && !o.reorder)
    throw InputError("--longest-delay: needs --delay or --reorder");
  if (o.nic.empty() && !o.degree && !o.chained && !o.timeout && !o.retries && !faults) return;
  nic::NicSpec nic;
  if (o.nic == "host") nic.level = nic::NicLevel::kHost;
  if (o.nic == "direct") nic.level = nic::NicLevel::kDirect;
  nic.degree = o.degree;
  if (o.chained) nic.form = nic::ListForm::kChained;
  nic.timeout = o.timeout;
  if (o.timeout == 0u && nic.level != nic::NicLevel::kCollective)
    throw InputError(
        "--timeout 0: a message that finds no room at its receiver would never be repeated; it is "
        "for --nic collective");
  nic.retries = o.retries.value_or(nic.retries);
  if (faults) {
    nic.faults =
        nic::FaultRates{o.drop.value_or(0.0), o.duplicate.value_or(0.0), o.delay.value_or(0.0),
                        o.reorder.value_or(0.0), o.corrupt.value_or(0.0)};
    nic.faults->longest_delay = o.longest_delay.value_or(nic.faults->longest_delay);
    nic::validate(*nic.faults);
    if (o.timeout == 0u && (o.drop || o.corrupt))
      throw InputError("--timeout 0: packets that are lost would never be asked for");
  }
  spec.nic = nic;
}

}  // namespace muster::app
