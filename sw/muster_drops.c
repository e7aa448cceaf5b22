/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the words that record what a switch or an endpoint has dropped. */
#include "muster_bus.h"

static const char* const message_types[] = {
    [MUSTER_MESSAGE_TYPE_REDUCTION] = "reduction message",
    [MUSTER_MESSAGE_TYPE_DISTRIBUTION] = "distribution message",
    [MUSTER_MESSAGE_TYPE_SPILL_PLACE] = "place of a spilled message",
    [MUSTER_MESSAGE_TYPE_SPILL_DATA] = "data of a spilled message"};

static const char* const request_reasons[] = {
    [MUSTER_AGENT_DROP_BUSY] = "the access unit served another, or answered busy",
    [MUSTER_AGENT_DROP_MALFORMED] = "it is no request",
    [MUSTER_AGENT_DROP_REFUSED] = "no permit at its port, or not for packets to write",
    [MUSTER_AGENT_DROP_STRANDED] = "no route for the answer"};

static const char* const refusal_reasons[] = {
    [MUSTER_REFUSAL_GROUP_IN_USE] = "another register has the group",
    [MUSTER_REFUSAL_PARENT_IS_CHILD] = "the parent port is in the child mask",
    [MUSTER_REFUSAL_SPILL_PORTS] = "more than one spill port",
    [MUSTER_REFUSAL_FOREIGN_GROUP] = "the group is not of the port"};

static const char* message_reason(uint32_t word, uint32_t type) {
  if (type > MUSTER_MESSAGE_TYPE_DISTRIBUTION) return "malformed, or a spilled one out of place";
  return MUSTER_GET(MUSTER_SWITCH_DROPS_KNOWN, word) != 0
             ? "wrong port, or out of phase with its register"
             : "no register has its group";
}

static uint32_t address_of(muster_drop_kind kind) {
  static const uint32_t addresses[] = {[MUSTER_DROPPED_MESSAGES] = MUSTER_SWITCH_DROPS,
                                       [MUSTER_DROPPED_REQUESTS] = MUSTER_SWITCH_AGENT_DROPS,
                                       [MUSTER_REFUSED_WRITES] = MUSTER_SWITCH_REFUSALS,
                                       [MUSTER_LOST_FLITS] = MUSTER_SWITCH_OVERFLOWS,
                                       [MUSTER_GIVEN_UP_MESSAGES] = MUSTER_SWITCH_GIVEN_UP};
  return addresses[(uint32_t)kind <= MUSTER_GIVEN_UP_MESSAGES ? kind : MUSTER_DROPPED_MESSAGES];
}

/* Count and port are at the same place in all of these words. */
muster_drop muster_switch_drops(const muster_switch* sw, muster_drop_kind kind) {
  const uint32_t word = muster_read(&sw->bus, address_of(kind));
  const uint32_t type = MUSTER_GET(MUSTER_SWITCH_DROPS_WHAT, word);
  muster_drop drop;
  bool flag;
  drop.count = (uint8_t)MUSTER_GET(MUSTER_SWITCH_DROPS_COUNT, word);
  drop.port = (uint8_t)MUSTER_GET(MUSTER_SWITCH_DROPS_PORT, word);
  drop.gid = 0;
  switch (kind) {
    case MUSTER_DROPPED_REQUESTS:
      drop.what = "packet for the switch";
      drop.reason = muster_text(request_reasons, MUSTER_AGENT_DROP_STRANDED,
                                MUSTER_GET(MUSTER_SWITCH_AGENT_DROPS_WHAT, word));
      break;
    case MUSTER_REFUSED_WRITES:
      flag = MUSTER_GET(MUSTER_SWITCH_REFUSALS_HOST, word) != 0;
      drop.what = flag ? "write of the host" : "write of a packet";
      drop.reason = muster_text(refusal_reasons, MUSTER_REFUSAL_FOREIGN_GROUP,
                                MUSTER_GET(MUSTER_SWITCH_REFUSALS_REASON, word));
      break;
    case MUSTER_LOST_FLITS:
      flag = MUSTER_GET(MUSTER_SWITCH_OVERFLOWS_SYNC, word) != 0;
      drop.what = flag ? "barrier message" : "flit of a packet";
      drop.reason = "it came without a credit";
      break;
    case MUSTER_GIVEN_UP_MESSAGES:
      flag = MUSTER_GET(MUSTER_SWITCH_GIVEN_UP_ANSWER, word) != 0;
      drop.what = flag ? "answer of the spill node" : "spilled message";
      drop.reason = "it was not taken in time";
      drop.gid = (uint16_t)MUSTER_GET(MUSTER_SWITCH_GIVEN_UP_GID, word);
      break;
    default:
      drop.what = muster_text(message_types, MUSTER_MESSAGE_TYPE_SPILL_DATA, type);
      drop.reason = message_reason(word, type);
      drop.gid = (uint16_t)MUSTER_GET(MUSTER_SWITCH_DROPS_GID, word);
      break;
  }
  return drop;
}

void muster_switch_clear_drops(const muster_switch* sw, muster_drop_kind kind) {
  muster_write(&sw->bus, address_of(kind), 0);
}

uint16_t muster_switch_unroutable(const muster_switch* sw) {
  return (uint16_t)MUSTER_GET(MUSTER_SWITCH_NO_ROUTE_DROPS_COUNT,
                              muster_read(&sw->bus, MUSTER_SWITCH_NO_ROUTE_DROPS));
}

static uint8_t count_of(const muster_switch* sw, muster_drop_kind kind) {
  return (uint8_t)MUSTER_GET(MUSTER_SWITCH_DROPS_COUNT, muster_read(&sw->bus, address_of(kind)));
}

bool muster_switch_read_counts(const muster_switch* sw, muster_switch_counts* counts) {
  const uint32_t word = muster_read(&sw->bus, MUSTER_SWITCH_NO_ROUTE_DROPS);
  counts->unroutable = (uint16_t)MUSTER_GET(MUSTER_SWITCH_NO_ROUTE_DROPS_COUNT, word);
  counts->headless = (uint8_t)MUSTER_GET(MUSTER_SWITCH_NO_ROUTE_DROPS_HEADLESS, word);
  counts->messages = count_of(sw, MUSTER_DROPPED_MESSAGES);
  counts->requests = count_of(sw, MUSTER_DROPPED_REQUESTS);
  counts->refused_writes = count_of(sw, MUSTER_REFUSED_WRITES);
  counts->lost_flits = count_of(sw, MUSTER_LOST_FLITS);
  counts->given_up = count_of(sw, MUSTER_GIVEN_UP_MESSAGES);
  return (counts->unroutable | counts->headless | counts->messages | counts->requests |
          counts->refused_writes | counts->lost_flits | counts->given_up) != 0;
}

bool muster_endpoint_read_counts(const muster_endpoint* endpoint, muster_endpoint_counts* counts) {
  const uint32_t word = muster_read(&endpoint->bus, MUSTER_ENDPOINT_DROPS);
  const uint32_t streams = muster_read(&endpoint->bus, MUSTER_ENDPOINT_STREAM_DROPS);
  counts->messages = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_DROPS_MESSAGES, word);
  counts->arrivals = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_DROPS_ARRIVALS, word);
  counts->packets = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_DROPS_PACKETS, word);
  counts->flits = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_DROPS_FLITS, word);
  counts->controls = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_STREAM_DROPS_CONTROLS, streams);
  counts->cut = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_STREAM_DROPS_CUT, streams);
  counts->aborted = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_STREAM_DROPS_ABORTED, streams);
  counts->illegal = (uint8_t)MUSTER_GET(MUSTER_ENDPOINT_STREAM_DROPS_ILLEGAL, streams);
  return (word | streams) != 0;
}

void muster_endpoint_clear_counts(const muster_endpoint* endpoint) {
  muster_write(&endpoint->bus, MUSTER_ENDPOINT_DROPS, 0);
  muster_write(&endpoint->bus, MUSTER_ENDPOINT_STREAM_DROPS, 0);
}
