/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware of a rank whose node is one of a Verilated network: the driver in sw/, each of whose
 * accesses is one of AXI4-Lite in the process that holds the network. */
#include <muster.h>
#include <stddef.h>

#include "post.h"

static struct {
  muster_endpoint endpoint;
  muster_endpoint_group places[8]; /* as many as an endpoint has */
  muster_member members[8];
  uint32_t gids[8];
  uint8_t joined;
} node;

static uint32_t read_word(void* context, uint32_t address) {
  (void)context;
  mine->call.address = address;
  post(MUSTER_READ);
  return mine->reply.number;
}

static void write_word(void* context, uint32_t address, uint32_t word) {
  (void)context;
  mine->call.address = address;
  mine->call.word = word;
  post(MUSTER_WRITE);
}

static void expect_ok(const char* what, muster_status status) {
  if (status != MUSTER_OK) give_up(what, muster_status_text(status));
}

/* Of this group, which the node joins when it is asked for first. */
static const muster_member* member_of(uint32_t gid) {
  static const muster_bus bus = {read_word, write_word, NULL, 0};
  const uint8_t place = node.joined;
  for (uint8_t i = 0; i < place; ++i)
    if (node.gids[i] == gid) return &node.members[i];
  if (place == 0) expect_ok("muster_endpoint_open", muster_endpoint_open(&node.endpoint, &bus));
  expect_ok("muster_endpoint_join", muster_endpoint_join(&node.places[place], &node.endpoint, place,
                                                         (uint16_t)gid, &node.members[place]));
  expect_ok("muster_interrupt", muster_interrupt(&node.members[place], true));
  node.gids[place] = gid;
  ++node.joined;
  return &node.members[place];
}

void meet(void) {
  post(MUSTER_COLLECTIVE);
  while ((mine->reply.flags & MUSTER_BY_DRIVER) != 0) {
    const uint32_t operand = (uint32_t)mine->reply.data[0];
    const muster_member* const member = member_of(mine->reply.number);
    uint32_t result;
    expect_ok("muster_arrive", muster_arrive(member, operand));
    post(MUSTER_INTERRUPT);
    expect_ok("muster_wait", muster_wait(member, 1, &result));
    expect_ok("muster_acknowledge", muster_acknowledge(member));
    mine->call.word = result;
    post(MUSTER_ROUND);
  }
}
