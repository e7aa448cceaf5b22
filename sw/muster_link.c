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
  static const char* const texts[] = {[MUSTER_LINK_STATE_WAIT] = "waits for the other end",
                                      [MUSTER_LINK_STATE_START] = "starts",
                                      [MUSTER_LINK_STATE_UP] = "up",
                                      [MUSTER_LINK_STATE_DOWN] = "down"};
  return muster_text(texts, MUSTER_LINK_STATE_DOWN, state);
}

const char* muster_link_reason_text(uint8_t reason) {
  static const char* const texts[] = {
      [MUSTER_LINK_REASON_NONE] = "it has not been down",
      [MUSTER_LINK_REASON_SILENT] = "the other end is silent",
      [MUSTER_LINK_REASON_OTHER] = "the other end began anew or is down",
      [MUSTER_LINK_REASON_OVERFLOW] = "more came than its buffer holds",
      [MUSTER_LINK_REASON_KILLED] = "the host took it down",
      [MUSTER_LINK_REASON_KILLED + 1] = "no reason of this driver"};
  return muster_text(texts, MUSTER_LINK_REASON_KILLED + 1, reason);
}
