/* SPDX-License-Identifier: Apache-2.0 */
/* The member of a group at an endpoint between AXI-Streams. */
#include "muster_bus.h"

static const muster_endpoint_group* of(void* context) {
  return (const muster_endpoint_group*)context;
}

static void arrive(void* context, uint32_t operand) {
  muster_write(&of(context)->bus, MUSTER_ENDPOINT_GROUPS_ARRIVE(of(context)->group), operand);
}

/* The bit of a refused arrival stays; one that was taken since then waits or has been released. */
static uint32_t state(void* context) {
  const uint32_t word =
      muster_read(&of(context)->bus, MUSTER_ENDPOINT_GROUPS_STATUS(of(context)->group));
  if (MUSTER_GET(MUSTER_ENDPOINT_GROUPS_STATUS_WAITING, word) != 0) return MUSTER_MEMBER_WAITING;
  if (MUSTER_GET(MUSTER_ENDPOINT_GROUPS_STATUS_RELEASED, word) != 0) return MUSTER_MEMBER_RELEASED;
  return MUSTER_GET(MUSTER_ENDPOINT_GROUPS_STATUS_REFUSED, word) != 0 ? MUSTER_MEMBER_REFUSED : 0;
}

static uint32_t result(void* context) {
  return muster_read(&of(context)->bus, MUSTER_ENDPOINT_GROUPS_RESULT(of(context)->group));
}

/* A write of the control word begins the group anew, so this is for a member that waits for
 * nothing. */
static void interrupt(void* context, bool enable) {
  const uint32_t address = MUSTER_ENDPOINT_GROUPS_CONTROL(of(context)->group);
  const uint32_t word = muster_read(&of(context)->bus, address);
  muster_write(&of(context)->bus, address,
               (word & ~MUSTER_ENDPOINT_GROUPS_CONTROL_IRQ_MASK) |
                   MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_IRQ, enable ? 1 : 0));
}

muster_status muster_endpoint_join(muster_endpoint_group* at, const muster_bus* bus, uint8_t group,
                                   uint16_t gid, muster_member* member) {
  uint32_t control;
  const muster_status status = muster_check_identity(bus, MUSTER_KIND_AXIS_ENDPOINT);
  if (status != MUSTER_OK) return status;
  if (group >= MUSTER_GET(MUSTER_ENDPOINT_SIZES_GROUPS, muster_read(bus, MUSTER_ENDPOINT_SIZES)))
    return MUSTER_BAD_ARGUMENT;
  control = MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_MEMBER, 1) |
            MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_GID, gid);
  muster_write(bus, MUSTER_ENDPOINT_GROUPS_CONTROL(group), control);
  if (muster_read(bus, MUSTER_ENDPOINT_GROUPS_CONTROL(group)) != control) return MUSTER_NOT_WRITTEN;
  at->bus = *bus;
  at->group = group;
  member->arrive = arrive;
  member->state = state;
  member->result = result;
  member->interrupt = interrupt;
  member->context = at;
  return MUSTER_OK;
}

void muster_endpoint_leave(const muster_endpoint_group* at) {
  muster_write(&at->bus, MUSTER_ENDPOINT_GROUPS_CONTROL(at->group), 0);
}
