/* SPDX-License-Identifier: Apache-2.0 */
/* Endpoints between AXI-Streams, and the members of groups at them. */
#include "muster_bus.h"

muster_status muster_endpoint_open(muster_endpoint* endpoint, const muster_bus* bus) {
  uint32_t sizes, widths;
  const muster_status status = muster_check_identity(bus, MUSTER_KIND_AXIS_ENDPOINT);
  if (status != MUSTER_OK) return status;
  sizes = muster_read(bus, MUSTER_ENDPOINT_SIZES);
  widths = muster_read(bus, MUSTER_ENDPOINT_WIDTHS);
  muster_copy_bus(&endpoint->bus, bus);
  endpoint->groups = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_SIZES_GROUPS, sizes);
  endpoint->channels = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_SIZES_VCS, sizes);
  endpoint->depth = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_SIZES_DEPTH, sizes);
  endpoint->gid_width = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_WIDTHS_GID_W, widths);
  endpoint->flit_width = (uint16_t)MUSTER_GET(MUSTER_ENDPOINT_WIDTHS_FLIT_W, widths);
  endpoint->data_width = (uint16_t)MUSTER_GET(MUSTER_ENDPOINT_WIDTHS_DATA_W, widths);
  return MUSTER_OK;
}

muster_endpoint_state muster_endpoint_read_state(const muster_endpoint* endpoint) {
  const uint32_t word = muster_read(&endpoint->bus, MUSTER_ENDPOINT_SUMMARY);
  muster_endpoint_state groups;
  groups.waiting = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_SUMMARY_WAITING, word);
  groups.released = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_SUMMARY_RELEASED, word);
  return groups;
}

/* ---- A member ---- */

static const muster_endpoint_group* of(void* context) {
  return (const muster_endpoint_group*)context;
}

static uint32_t status_of(const muster_bus* bus, uint8_t group) {
  return muster_read(bus, MUSTER_ENDPOINT_GROUPS_STATUS(group));
}

static void put_status(const muster_bus* bus, uint8_t group, uint32_t word) {
  muster_write(bus, MUSTER_ENDPOINT_GROUPS_STATUS(group), word);
}

/* A release of the group may come. */
static bool is_busy(const muster_bus* bus, uint8_t group) {
  return (status_of(bus, group) & (MUSTER_ENDPOINT_GROUPS_STATUS_WAITING_MASK |
                                   MUSTER_ENDPOINT_GROUPS_STATUS_DRAINING_MASK)) != 0;
}

/* Of a group that is not busy: refused if another one of the endpoint has the identifier. */
static muster_status write_control(const muster_bus* bus, uint8_t group, uint32_t word) {
  const uint32_t refused = MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_STATUS_CONTROL_REFUSED, 1);
  put_status(bus, group, refused);
  muster_write(bus, MUSTER_ENDPOINT_GROUPS_CONTROL(group), word);
  if ((status_of(bus, group) & refused) != 0) {
    put_status(bus, group, refused);
    return MUSTER_GROUP_IN_USE;
  }
  return muster_read(bus, MUSTER_ENDPOINT_GROUPS_CONTROL(group)) == word ? MUSTER_OK
                                                                         : MUSTER_NOT_WRITTEN;
}

static void arrive(void* context, uint32_t operand) {
  muster_write(&of(context)->bus, MUSTER_ENDPOINT_GROUPS_ARRIVE(of(context)->group), operand);
}

/* The bit of a refused arrival stays; one that was taken since then waits or has been released. */
static uint32_t state(void* context) {
  const uint32_t word = status_of(&of(context)->bus, of(context)->group);
  if (MUSTER_GET(MUSTER_ENDPOINT_GROUPS_STATUS_WAITING, word) != 0) return MUSTER_MEMBER_WAITING;
  if (MUSTER_GET(MUSTER_ENDPOINT_GROUPS_STATUS_DRAINING, word) != 0) return MUSTER_MEMBER_DRAINING;
  if (MUSTER_GET(MUSTER_ENDPOINT_GROUPS_STATUS_RELEASED, word) != 0) return MUSTER_MEMBER_RELEASED;
  return MUSTER_GET(MUSTER_ENDPOINT_GROUPS_STATUS_REFUSED, word) != 0 ? MUSTER_MEMBER_REFUSED : 0;
}

static uint32_t result(void* context) {
  return muster_read(&of(context)->bus, MUSTER_ENDPOINT_GROUPS_RESULT(of(context)->group));
}

/* A write that leaves the rest of the word as it is changes nothing else, whatever the group does.
 */
static bool interrupt(void* context, bool enable) {
  const muster_bus* bus = &of(context)->bus;
  const uint32_t address = MUSTER_ENDPOINT_GROUPS_CONTROL(of(context)->group);
  const uint32_t word = (muster_read(bus, address) & ~MUSTER_ENDPOINT_GROUPS_CONTROL_IRQ_MASK) |
                        MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_IRQ, enable ? 1 : 0);
  muster_write(bus, address, word);
  return muster_read(bus, address) == word;
}

static void acknowledge(void* context) {
  put_status(&of(context)->bus, of(context)->group,
             MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_STATUS_RELEASED, 1) |
                 MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_STATUS_REFUSED, 1));
}

muster_status muster_endpoint_join(muster_endpoint_group* at, const muster_endpoint* endpoint,
                                   uint8_t group, uint16_t gid, muster_member* member) {
  const muster_bus* bus = &endpoint->bus;
  muster_status status;
  if (group >= endpoint->groups || (gid >> endpoint->gid_width) != 0) return MUSTER_BAD_ARGUMENT;
  /* Also for a member that waits or drains, which the program gives up with them. */
  muster_copy_bus(&at->bus, bus);
  at->group = group;
  member->arrive = arrive;
  member->state = state;
  member->result = result;
  member->interrupt = interrupt;
  member->acknowledge = acknowledge;
  member->context = at;
  member->operand_width = (uint8_t)(endpoint->data_width < 32 ? endpoint->data_width : 32);
  if (is_busy(bus, group)) return MUSTER_UNDER_WAY;
  status = write_control(bus, group,
                         MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_MEMBER, 1) |
                             MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_GID, gid));
  /* The same member and identifier again leave the status as it was. */
  if (status == MUSTER_OK) acknowledge(at);
  return status;
}

muster_status muster_endpoint_leave(const muster_endpoint_group* at) {
  return is_busy(&at->bus, at->group) ? MUSTER_UNDER_WAY : write_control(&at->bus, at->group, 0);
}

muster_status muster_endpoint_abandon(const muster_endpoint_group* at) {
  uint32_t word;
  put_status(&at->bus, at->group, MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_STATUS_ABANDON, 1));
  word = status_of(&at->bus, at->group);
  if ((word & MUSTER_ENDPOINT_GROUPS_STATUS_DRAINING_MASK) != 0) return MUSTER_DRAINING;
  return (word & MUSTER_ENDPOINT_GROUPS_STATUS_RELEASED_MASK) != 0 ? MUSTER_RELEASED : MUSTER_OK;
}

void muster_endpoint_rewritten(const muster_endpoint_group* at) {
  put_status(&at->bus, at->group, MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_STATUS_REWRITTEN, 1));
}
