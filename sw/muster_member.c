/* SPDX-License-Identifier: Apache-2.0 */
/* Arrive, test, wait, acknowledge: what a member does, on any node. */
#include "muster.h"

muster_status muster_arrive(const muster_member* member, uint32_t operand) {
  const uint32_t busy = MUSTER_MEMBER_WAITING | MUSTER_MEMBER_DRAINING;
  if (member->operand_width < 32 && (operand >> member->operand_width) != 0)
    return MUSTER_BAD_ARGUMENT;
  if ((member->state(member->context) & busy) != 0) return MUSTER_UNDER_WAY;
  member->arrive(member->context, operand);
  return (member->state(member->context) & MUSTER_MEMBER_REFUSED) != 0 ? MUSTER_REFUSED : MUSTER_OK;
}

muster_status muster_test(const muster_member* member) {
  const uint32_t state = member->state(member->context);
  if ((state & MUSTER_MEMBER_FAILED) != 0) return MUSTER_FAILED;
  if ((state & MUSTER_MEMBER_RELEASED) != 0) return MUSTER_OK;
  if ((state & (MUSTER_MEMBER_WAITING | MUSTER_MEMBER_DRAINING)) != 0) return MUSTER_UNDER_WAY;
  return (state & MUSTER_MEMBER_REFUSED) != 0 ? MUSTER_REFUSED : MUSTER_IDLE;
}

muster_status muster_wait(const muster_member* member, uint32_t polls, uint32_t* result) {
  uint32_t poll;
  for (poll = 0; poll < polls; ++poll) {
    const muster_status status = muster_test(member);
    if (status == MUSTER_UNDER_WAY) continue;
    if (status == MUSTER_OK && result != 0) *result = member->result(member->context);
    return status;
  }
  return MUSTER_TIMEOUT;
}

muster_status muster_acknowledge(const muster_member* member) {
  if (member->acknowledge == 0) return MUSTER_NOT_SUPPORTED;
  if ((member->state(member->context) & MUSTER_MEMBER_WAITING) != 0) return MUSTER_UNDER_WAY;
  member->acknowledge(member->context);
  return MUSTER_OK;
}

muster_status muster_interrupt(const muster_member* member, bool enable) {
  if (member->interrupt == 0) return MUSTER_NOT_SUPPORTED;
  return member->interrupt(member->context, enable) ? MUSTER_OK : MUSTER_NOT_WRITTEN;
}
