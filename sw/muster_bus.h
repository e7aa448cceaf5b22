/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the driver share; not for its users. */
#ifndef MUSTER_BUS_H
#define MUSTER_BUS_H

#include "muster.h"

static inline uint32_t muster_read(const muster_bus* bus, uint32_t address) {
  return bus->read(bus->context, address);
}

static inline void muster_write(const muster_bus* bus, uint32_t address, uint32_t word) {
  bus->write(bus->context, address, word);
}

/* True if the mask has no port that the switch has not. */
static inline bool muster_has_ports(const muster_switch* sw, uint32_t mask) {
  return (mask >> sw->ports) == 0;
}

/* The identity word is of this kind and version. */
muster_status muster_check_identity(const muster_bus* bus, uint32_t kind);

#endif
