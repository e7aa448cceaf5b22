/* SPDX-License-Identifier: Apache-2.0 */
/* Bring-up of a barrier switch, in this order: open, wait until it is ready, routes, permits. */
#include "muster_bus.h"

muster_status muster_switch_open(muster_switch* sw, const muster_bus* bus) {
  uint32_t sizes, widths;
  const muster_status status = muster_check_identity(bus, MUSTER_KIND_BARRIER_SWITCH);
  if (status != MUSTER_OK) return status;
  sizes = muster_read(bus, MUSTER_SWITCH_SIZES);
  widths = muster_read(bus, MUSTER_SWITCH_WIDTHS);
  muster_copy_bus(&sw->bus, bus);
  sw->registers = (uint8_t)MUSTER_GET(MUSTER_SWITCH_SIZES_REGS, sizes);
  sw->depth = (uint8_t)MUSTER_GET(MUSTER_SWITCH_SIZES_DEPTH, sizes);
  sw->channels = (uint8_t)MUSTER_GET(MUSTER_SWITCH_SIZES_VCS, sizes);
  sw->ports = (uint8_t)MUSTER_GET(MUSTER_SWITCH_SIZES_PORTS, sizes);
  sw->gid_width = (uint8_t)MUSTER_GET(MUSTER_SWITCH_WIDTHS_GID_W, widths);
  sw->flit_width = (uint16_t)MUSTER_GET(MUSTER_SWITCH_WIDTHS_FLIT_W, widths);
  sw->destinations = MUSTER_GET(MUSTER_SWITCH_WIDTHS_DESTS, widths);
  if (sw->destinations == 0) sw->destinations = 65536u; /* they do not fit the field */
  sw->groups = sw->registers == 0 ? muster_read(bus, MUSTER_WINDOW_GROUPS) : 0;
  sw->routed = false;
  return MUSTER_OK;
}

/* A switch that sweeps its routing table ignores writes to it. */
static bool is_sweeping(const muster_switch* sw) {
  return MUSTER_GET(MUSTER_SWITCH_NO_ROUTE_DROPS_SWEEPING,
                    muster_read(&sw->bus, MUSTER_SWITCH_NO_ROUTE_DROPS)) != 0;
}

muster_status muster_switch_wait_ready(const muster_switch* sw, uint32_t polls) {
  uint32_t poll;
  for (poll = 0; poll < polls; ++poll) {
    const bool clears = sw->groups != 0 && MUSTER_GET(MUSTER_WINDOW_SELECT_CLEARING,
                                                      muster_read(&sw->bus, MUSTER_WINDOW_SELECT));
    if (!clears && !is_sweeping(sw)) return MUSTER_OK;
  }
  return MUSTER_TIMEOUT;
}

static bool is_route(const muster_switch* sw, const muster_route* route) {
  return route->destination < sw->destinations && muster_has_ports(sw, route->ports);
}

/* Bit 31 of an entry is no port: port 31 is in the word before. */
static void write_entry(const muster_switch* sw, uint32_t destination, muster_ports ports,
                        uint32_t own) {
  if (sw->ports > 31)
    muster_write(&sw->bus, MUSTER_SWITCH_UPPER_ROUTE, (uint32_t)(ports >> 31));
  muster_write(&sw->bus, MUSTER_SWITCH_ROUTES(destination),
               MUSTER_PUT(MUSTER_SWITCH_ROUTES_PORTS, ports) |
                   MUSTER_PUT(MUSTER_SWITCH_ROUTES_OWN, own));
}

static void write_route(const muster_switch* sw, const muster_route* route) {
  write_entry(sw, route->destination, route->ports, 0);
}

muster_status muster_switch_write_routes(muster_switch* sw, const muster_route* routes,
                                         uint32_t count) {
  uint32_t i, d;
  for (i = 0; i < count; ++i)
    if (!is_route(sw, &routes[i])) return MUSTER_BAD_ARGUMENT;
  if (is_sweeping(sw)) return MUSTER_NOT_READY;
  /* The sweep after reset leaves 0, but a program may write the table again. */
  for (d = 0; d < sw->destinations; ++d) write_entry(sw, d, 0, 0);
  for (i = 0; i < count; ++i) write_route(sw, &routes[i]);
  sw->routed = true;
  return MUSTER_OK;
}

muster_status muster_switch_change_route(muster_switch* sw, const muster_route* route) {
  if (!sw->routed) return MUSTER_NO_ROUTES;
  if (!is_route(sw, route)) return MUSTER_BAD_ARGUMENT;
  if (is_sweeping(sw)) return MUSTER_NOT_READY;
  write_route(sw, route);
  return MUSTER_OK;
}

muster_status muster_switch_route_to_itself(muster_switch* sw, uint32_t destination) {
  if (!sw->routed) return MUSTER_NO_ROUTES;
  if (destination >= sw->destinations) return MUSTER_BAD_ARGUMENT;
  if (is_sweeping(sw)) return MUSTER_NOT_READY;
  write_entry(sw, destination, 0, 1);
  return MUSTER_OK;
}

/* Writes a word and looks whether it is there. */
static muster_status write_and_read(const muster_switch* sw, uint32_t address, uint32_t word,
                                    muster_status otherwise) {
  muster_write(&sw->bus, address, word);
  return muster_read(&sw->bus, address) == word ? MUSTER_OK : otherwise;
}

muster_status muster_switch_permit(const muster_switch* sw, muster_ports ports) {
  /* A packet that writes has an answer, which needs a route. */
  if (!sw->routed) return MUSTER_NO_ROUTES;
  if (!muster_has_ports(sw, ports)) return MUSTER_BAD_ARGUMENT;
  return write_and_read(sw, MUSTER_SWITCH_PERMITS, (uint32_t)ports, MUSTER_NOT_WRITTEN);
}

muster_status muster_switch_spill_to(const muster_switch* sw, uint8_t port) {
  if (port >= sw->ports) return MUSTER_BAD_ARGUMENT;
  return write_and_read(sw, MUSTER_SWITCH_SPILL, (uint32_t)muster_port(port), MUSTER_NOT_SUPPORTED);
}

muster_port_counts muster_switch_port_counts(const muster_switch* sw, uint8_t port) {
  muster_port_counts counts = {0, 0, 0};
  if (port >= sw->ports) return counts;
  counts.flits = muster_read(&sw->bus, MUSTER_SWITCH_PORTS_FLITS(port));
  counts.stalls = muster_read(&sw->bus, MUSTER_SWITCH_PORTS_STALLS(port));
  counts.losses = muster_read(&sw->bus, MUSTER_SWITCH_PORTS_LOSSES(port));
  return counts;
}

void muster_switch_clear_port_counts(const muster_switch* sw, uint8_t port) {
  if (port >= sw->ports) return;
  muster_write(&sw->bus, MUSTER_SWITCH_PORTS_FLITS(port), 0);
  muster_write(&sw->bus, MUSTER_SWITCH_PORTS_STALLS(port), 0);
  muster_write(&sw->bus, MUSTER_SWITCH_PORTS_LOSSES(port), 0);
}

muster_status muster_switch_interrupt_on(const muster_switch* sw, uint32_t causes) {
  if (causes > 31u) return MUSTER_BAD_ARGUMENT;
  return write_and_read(sw, MUSTER_SWITCH_IRQ_ENABLE, causes, MUSTER_NOT_SUPPORTED);
}

uint32_t muster_switch_take_causes(const muster_switch* sw) {
  const uint32_t causes = muster_read(&sw->bus, MUSTER_SWITCH_IRQ_CAUSES);
  muster_write(&sw->bus, MUSTER_SWITCH_IRQ_CAUSES, causes);
  return causes;
}
