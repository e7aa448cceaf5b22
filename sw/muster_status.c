/* SPDX-License-Identifier: Apache-2.0 */
#include "muster_bus.h"

const char* muster_status_text(muster_status status) {
  static const char* const texts[] = {
      [MUSTER_OK] = "done",
      [MUSTER_NO_BLOCK] = "no block of Muster answers there",
      [MUSTER_WRONG_KIND] = "the block is of another kind",
      [MUSTER_WRONG_VERSION] = "the block has a register map of another version",
      [MUSTER_BAD_ARGUMENT] = "the block has no such port, destination, group, register or operand",
      [MUSTER_NOT_READY] = "the switch still clears its routing table",
      [MUSTER_NO_ROUTES] = "the routing table has not been written yet",
      [MUSTER_NOT_SUPPORTED] = "the block was built without it",
      [MUSTER_SLOT_IN_USE] = "the register has a group",
      [MUSTER_GROUP_IN_USE] = "another register, or group of the endpoint, has the identifier",
      [MUSTER_NO_GROUP] = "the register has no group",
      [MUSTER_PARENT_IS_CHILD] = "the parent port is in the child mask",
      [MUSTER_UNDER_WAY] = "a barrier of the group is under way",
      [MUSTER_DRAINING] = "the arrival is given up, and its release may still come",
      [MUSTER_RELEASED] = "the member had been released, and nothing is given up",
      [MUSTER_NOT_WRITTEN] = "the block did not keep what was written",
      [MUSTER_REFUSED] = "the endpoint did not take the arrival",
      [MUSTER_FAILED] = "the barrier has failed",
      [MUSTER_TIMEOUT] = "it did not happen in time",
      [MUSTER_NOT_DOWN] = "the link is not down",
      [MUSTER_OTHER_NETWORK] =
          "the switches are not those of the network, or hold other words than its image",
      [MUSTER_IDLE] = "the member has not arrived, or its release was acknowledged",
      [MUSTER_IDLE + 1] = "no outcome of this driver"};
  return muster_text(texts, MUSTER_IDLE + 1, (uint32_t)status);
}
