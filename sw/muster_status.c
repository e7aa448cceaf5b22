/* SPDX-License-Identifier: Apache-2.0 */
#include "muster.h"

const char* muster_status_text(muster_status status) {
  switch (status) {
    case MUSTER_OK:
      return "done";
    case MUSTER_NO_BLOCK:
      return "no block of Muster answers there";
    case MUSTER_WRONG_KIND:
      return "the block is of another kind";
    case MUSTER_WRONG_VERSION:
      return "the block has a register map of another version";
    case MUSTER_BAD_ARGUMENT:
      return "the block has no such port, destination, group, register or operand";
    case MUSTER_NOT_READY:
      return "the switch still clears its routing table";
    case MUSTER_NO_ROUTES:
      return "the routing table has not been written yet";
    case MUSTER_NOT_SUPPORTED:
      return "the block was built without it";
    case MUSTER_SLOT_IN_USE:
      return "the register has a group";
    case MUSTER_GROUP_IN_USE:
      return "another register, or group of the endpoint, has the identifier";
    case MUSTER_NO_GROUP:
      return "the register has no group";
    case MUSTER_PARENT_IS_CHILD:
      return "the parent port is in the child mask";
    case MUSTER_UNDER_WAY:
      return "a barrier of the group is under way";
    case MUSTER_DRAINING:
      return "the arrival is given up, and its release may still come";
    case MUSTER_RELEASED:
      return "the member had been released, and nothing is given up";
    case MUSTER_NOT_WRITTEN:
      return "the block did not keep what was written";
    case MUSTER_REFUSED:
      return "the endpoint did not take the arrival";
    case MUSTER_FAILED:
      return "the barrier has failed";
    case MUSTER_TIMEOUT:
      return "it did not happen in time";
    case MUSTER_NOT_DOWN:
      return "the link is not down";
    case MUSTER_OTHER_NETWORK:
      return "the switches are not those of the network, or hold other words than its image";
    case MUSTER_IDLE:
      return "the member has not arrived, or its release was acknowledged";
  }
  return "no outcome of this driver";
}
