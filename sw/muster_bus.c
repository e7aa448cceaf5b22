/* SPDX-License-Identifier: Apache-2.0 */
/* Access to blocks, and outcomes. */
#include "muster_bus.h"

static uint32_t mapped_read(void* context, uint32_t address) {
  const volatile uint32_t* base = (const volatile uint32_t*)context;
  return base[address];
}

static void mapped_write(void* context, uint32_t address, uint32_t word) {
  volatile uint32_t* base = (volatile uint32_t*)context;
  base[address] = word;
}

muster_bus muster_bus_at(volatile uint32_t* base) {
  muster_bus bus;
  bus.read = mapped_read;
  bus.write = mapped_write;
  bus.context = (void*)base; /* cast back before each access */
  bus.offset = 0;
  return bus;
}

muster_bus muster_bus_from(const muster_bus* bus, uint32_t offset) {
  muster_bus part;
  muster_copy_bus(&part, bus);
  part.offset += offset;
  return part;
}

muster_status muster_check_identity(const muster_bus* bus, uint32_t kind) {
  const uint32_t word = muster_read(bus, MUSTER_SWITCH_IDENTITY);
  if (MUSTER_GET(MUSTER_SWITCH_IDENTITY_MAGIC, word) != MUSTER_SWITCH_IDENTITY_MAGIC_VALUE)
    return MUSTER_NO_BLOCK;
  if (MUSTER_GET(MUSTER_SWITCH_IDENTITY_KIND, word) != kind) return MUSTER_WRONG_KIND;
  if (MUSTER_GET(MUSTER_SWITCH_IDENTITY_VERSION, word) != MUSTER_SWITCH_IDENTITY_VERSION_VALUE)
    return MUSTER_WRONG_VERSION;
  return MUSTER_OK;
}

const char* muster_status_text(muster_status status) {
#define TEXT(name, text) text,
  static const char* const texts[] = {MUSTER_STATUSES(TEXT) "no outcome of this driver"};
#undef TEXT
  return muster_text(texts, MUSTER_STATUS_COUNT, (uint32_t)status);
}
