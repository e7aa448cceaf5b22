/* SPDX-License-Identifier: Apache-2.0 */
/* Link ends: how they are, and how one that is down starts again. */
#include "muster_bus.h"

muster_status muster_link_open(muster_link* link, const muster_bus* bus) {
  const muster_status status = muster_check_identity(bus, MUSTER_KIND_LINK_END);
  if (status == MUSTER_OK) muster_copy_bus(&link->bus, bus);
  return status;
}

muster_link_status muster_link_read(const muster_link* link) {
  const uint32_t word = muster_read(&link->bus, MUSTER_LINK_STATUS);
  muster_link_status status;
  status.state = (uint8_t)MUSTER_GET(MUSTER_LINK_STATUS_STATE, word);
  status.reason = (uint8_t)MUSTER_GET(MUSTER_LINK_STATUS_REASON, word);
  status.drained = MUSTER_GET(MUSTER_LINK_STATUS_DRAINED, word) != 0;
  status.restarts = MUSTER_GET(MUSTER_LINK_STATUS_RESTART, word) != 0;
  status.replays = (uint8_t)MUSTER_GET(MUSTER_LINK_STATUS_REPLAYS, word);
  status.rejected = (uint8_t)MUSTER_GET(MUSTER_LINK_STATUS_REJECTED, word);
  status.lost = (uint8_t)MUSTER_GET(MUSTER_LINK_STATUS_LOST, word);
  return status;
}

muster_status muster_link_wait_up(const muster_link* link, uint32_t polls) {
  uint32_t poll;
  for (poll = 0; poll < polls; ++poll)
    if (muster_link_read(link).state == MUSTER_LINK_STATE_UP) return MUSTER_OK;
  return MUSTER_TIMEOUT;
}

static void command(const muster_link* link, uint32_t word) {
  muster_write(&link->bus, MUSTER_LINK_COMMAND, word);
}

muster_status muster_link_retrain(const muster_link* link) {
  if (muster_link_read(link).state != MUSTER_LINK_STATE_DOWN) return MUSTER_NOT_DOWN;
  command(link, MUSTER_PUT(MUSTER_LINK_COMMAND_RESTART, 1));
  return MUSTER_OK;
}

void muster_link_take_down(const muster_link* link) {
  command(link, MUSTER_PUT(MUSTER_LINK_COMMAND_KILL, 1));
}

void muster_link_clear_counters(const muster_link* link) {
  command(link, MUSTER_PUT(MUSTER_LINK_COMMAND_CLEAR, 1));
}

const char* muster_link_state_text(uint8_t state) {
  switch (state) {
    case MUSTER_LINK_STATE_WAIT:
      return "waits for the other end";
    case MUSTER_LINK_STATE_START:
      return "starts";
    case MUSTER_LINK_STATE_UP:
      return "up";
    default:
      return "down";
  }
}

const char* muster_link_reason_text(uint8_t reason) {
  switch (reason) {
    case MUSTER_LINK_REASON_NONE:
      return "it has not been down";
    case MUSTER_LINK_REASON_SILENT:
      return "the other end is silent";
    case MUSTER_LINK_REASON_OTHER:
      return "the other end began anew or is down";
    case MUSTER_LINK_REASON_OVERFLOW:
      return "more came than its buffer holds";
    case MUSTER_LINK_REASON_KILLED:
      return "the host took it down";
    default:
      return "no reason of this driver";
  }
}
