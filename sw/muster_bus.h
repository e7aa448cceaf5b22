/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the driver share; not for its users. */
#ifndef MUSTER_BUS_H
#define MUSTER_BUS_H

#include "muster.h"

static inline uint32_t muster_read(const muster_bus* bus, uint32_t address) {
  return bus->read(bus->context, bus->offset + address);
}

static inline void muster_write(const muster_bus* bus, uint32_t address, uint32_t word) {
  bus->write(bus->context, bus->offset + address, word);
}

/* By field: a compiler may call memcpy for a struct. */
static inline void muster_copy_bus(muster_bus* to, const muster_bus* from) {
  to->read = from->read;
  to->write = from->write;
  to->context = from->context;
  to->offset = from->offset;
}

/* The text of a value; that of `last` for values past it. */
static inline const char* muster_text(const char* const* texts, uint32_t last, uint32_t value) {
  return texts[value < last ? value : last];
}

/* True if the set has no port that the switch has not. */
static inline bool muster_has_ports(const muster_switch* sw, muster_ports ports) {
  const muster_ports least = muster_port(sw->ports); /* 0: it has all 64 */
  return least == 0 || ports < least;
}

/* The identity word is of this kind and version. */
muster_status muster_check_identity(const muster_bus* bus, uint32_t kind);

#endif
