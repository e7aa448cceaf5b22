/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of a barrier switch, in registers or in block RAM. */
#include "muster_bus.h"

static bool has_slot(const muster_switch* sw, uint16_t slot) {
  return slot < (sw->groups != 0 ? sw->groups : sw->registers);
}

/* The register whose words are those of the slot. Of groups in block RAM it is the window, and the
 * group is selected, which shows it as it is now. */
static uint32_t register_of(const muster_switch* sw, uint16_t slot) {
  if (sw->groups == 0) return slot;
  muster_write(&sw->bus, MUSTER_WINDOW_SELECT, slot);
  return 0;
}

static uint32_t control_of(const muster_switch* sw, uint32_t r) {
  return muster_read(&sw->bus, MUSTER_SWITCH_BARRIER_CONTROL(r));
}

static bool is_valid(uint32_t control) {
  return MUSTER_GET(MUSTER_SWITCH_BARRIER_CONTROL_VALID, control) != 0;
}

static uint32_t gid_of(uint32_t control) {
  return MUSTER_GET(MUSTER_SWITCH_BARRIER_CONTROL_GID, control);
}

static uint32_t control_word(const muster_group* group) {
  return MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_VALID, 1) |
         MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_TURN, group->turn ? 1 : 0) |
         MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_OP, group->operation) |
         MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_PARENT, group->turn ? 0 : group->parent) |
         MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_GID, group->gid);
}

static bool is_group(const muster_switch* sw, uint16_t slot, const muster_group* group) {
  return has_slot(sw, slot) && (group->gid >> sw->gid_width) == 0 &&
         muster_has_ports(sw, group->children) && group->operation < 8 &&
         (group->turn || group->parent < sw->ports) && (sw->groups == 0 || group->gid == slot);
}

static bool parent_is_child(const muster_group* group, muster_ports children) {
  return !group->turn && (children & muster_port(group->parent)) != 0;
}

/* In a register other than r. */
static bool is_elsewhere(const muster_switch* sw, uint32_t r, uint32_t gid) {
  uint32_t other;
  if (sw->groups != 0) return false; /* each has its own place */
  for (other = 0; other < sw->registers; ++other) {
    const uint32_t control = control_of(sw, other);
    if (other != r && is_valid(control) && gid_of(control) == gid) return true;
  }
  return false;
}

static muster_status write_children(const muster_switch* sw, uint32_t r, muster_ports children) {
  const uint32_t word = (uint32_t)children;
  muster_write(&sw->bus, MUSTER_SWITCH_BARRIER_CHILDREN(r), word);
  return muster_read(&sw->bus, MUSTER_SWITCH_BARRIER_CHILDREN(r)) == word ? MUSTER_OK
                                                                          : MUSTER_NOT_WRITTEN;
}

muster_status muster_group_create(const muster_switch* sw, uint16_t slot,
                                  const muster_group* group) {
  const uint32_t control = control_word(group);
  uint32_t r;
  muster_status status;
  if (!is_group(sw, slot, group)) return MUSTER_BAD_ARGUMENT;
  if (parent_is_child(group, group->children)) return MUSTER_PARENT_IS_CHILD;
  r = register_of(sw, slot);
  if (is_valid(control_of(sw, r))) return MUSTER_SLOT_IN_USE;
  if (is_elsewhere(sw, r, group->gid)) return MUSTER_GROUP_IN_USE;
  status = write_children(sw, r, group->children);
  if (status != MUSTER_OK) return status;
  muster_write(&sw->bus, MUSTER_SWITCH_BARRIER_CONTROL(r), control);
  return control_of(sw, r) == control ? MUSTER_OK : MUSTER_NOT_WRITTEN;
}

muster_status muster_group_labels(const muster_switch* sw, uint16_t slot, const uint8_t* labels) {
  uint32_t words[2] = {0, 0};
  uint8_t p;
  if (sw->groups != 0 || !has_slot(sw, slot)) return MUSTER_BAD_ARGUMENT;
  for (p = 0; p < sw->ports; ++p) {
    if (labels[p] > 15 || p > 15) return MUSTER_BAD_ARGUMENT;
    words[p / 8] |= (uint32_t)labels[p] << 4 * (p % 8);
  }
  muster_write(&sw->bus, MUSTER_SWITCH_BARRIER_LABELS(slot), words[0]);
  muster_write(&sw->bus, MUSTER_SWITCH_BARRIER_UPPER_LABELS(slot), words[1]);
  return MUSTER_OK;
}

muster_status muster_group_free_slot(const muster_switch* sw, uint16_t* slot) {
  uint16_t r;
  for (r = 0; r < sw->registers; ++r) {
    const uint32_t control = control_of(sw, r);
    if (is_valid(control) || MUSTER_GET(MUSTER_SWITCH_BARRIER_CONTROL_CLAIMED, control) != 0)
      continue;
    *slot = r;
    return MUSTER_OK;
  }
  return MUSTER_SLOT_IN_USE;
}

muster_status muster_group_read(const muster_switch* sw, uint16_t slot, muster_group* group) {
  uint32_t r, control;
  if (!has_slot(sw, slot)) return MUSTER_BAD_ARGUMENT;
  r = register_of(sw, slot);
  control = control_of(sw, r);
  if (!is_valid(control)) return MUSTER_NO_GROUP;
  group->gid = (uint16_t)gid_of(control);
  group->parent = (uint8_t)MUSTER_GET(MUSTER_SWITCH_BARRIER_CONTROL_PARENT, control);
  group->operation = (uint8_t)MUSTER_GET(MUSTER_SWITCH_BARRIER_CONTROL_OP, control);
  group->turn = MUSTER_GET(MUSTER_SWITCH_BARRIER_CONTROL_TURN, control) != 0;
  group->children = muster_read(&sw->bus, MUSTER_SWITCH_BARRIER_CHILDREN(r));
  return MUSTER_OK;
}

muster_status muster_group_progress(const muster_switch* sw, uint16_t slot,
                                    muster_progress* progress) {
  uint32_t r, state;
  if (!has_slot(sw, slot)) return MUSTER_BAD_ARGUMENT;
  r = register_of(sw, slot);
  state = muster_read(&sw->bus, MUSTER_SWITCH_BARRIER_STATE(r));
  progress->arrived = muster_read(&sw->bus, MUSTER_SWITCH_BARRIER_ARRIVED(r));
  progress->serve = muster_read(&sw->bus, MUSTER_SWITCH_BARRIER_SERVE(r));
  progress->sent = MUSTER_GET(MUSTER_SWITCH_BARRIER_STATE_SENT, state) != 0;
  /* The bit that means `waits` in the window is the phase of a register that repeats. */
  progress->waits = sw->groups != 0 && MUSTER_GET(MUSTER_WINDOW_STATE_WAITS, state) != 0;
  progress->failed = sw->groups == 0 && MUSTER_GET(MUSTER_SWITCH_BARRIER_STATE_FAILED, state) != 0;
  progress->suspect =
      sw->groups == 0 && MUSTER_GET(MUSTER_SWITCH_BARRIER_STATE_SUSPECT, state) != 0;
  return MUSTER_OK;
}

bool muster_group_straggler(const muster_switch* sw, uint16_t slot, muster_straggler* straggler) {
  uint32_t word;
  if (sw->groups != 0 || !has_slot(sw, slot)) return false;
  word = muster_read(&sw->bus, MUSTER_SWITCH_BARRIER_STRAGGLER(slot));
  straggler->port = (uint8_t)MUSTER_GET(MUSTER_SWITCH_BARRIER_STRAGGLER_PORT, word);
  straggler->cycles = (uint16_t)MUSTER_GET(MUSTER_SWITCH_BARRIER_STRAGGLER_CYCLES, word);
  return MUSTER_GET(MUSTER_SWITCH_BARRIER_STRAGGLER_KNOWN, word) != 0;
}

/* The slot has a group, and no barrier of it is under way; one that has failed is over. */
static muster_status is_between_barriers(const muster_switch* sw, uint16_t slot,
                                         muster_group* group) {
  muster_progress progress;
  const muster_status status = muster_group_read(sw, slot, group);
  if (status != MUSTER_OK) return status;
  (void)muster_group_progress(sw, slot, &progress); /* the slot exists */
  if (progress.failed) return MUSTER_OK;
  return progress.arrived != 0 || progress.serve != 0 || progress.sent || progress.waits
             ? MUSTER_UNDER_WAY
             : MUSTER_OK;
}

muster_status muster_group_change(const muster_switch* sw, uint16_t slot, muster_ports children) {
  muster_group group;
  const muster_status status = is_between_barriers(sw, slot, &group);
  if (status != MUSTER_OK) return status;
  if (!muster_has_ports(sw, children)) return MUSTER_BAD_ARGUMENT;
  if (parent_is_child(&group, children)) return MUSTER_PARENT_IS_CHILD;
  return write_children(sw, register_of(sw, slot), children);
}

muster_status muster_group_release(const muster_switch* sw, uint16_t slot) {
  muster_group group;
  uint32_t r;
  const muster_status status = is_between_barriers(sw, slot, &group);
  if (status != MUSTER_OK) return status;
  r = register_of(sw, slot);
  muster_write(&sw->bus, MUSTER_SWITCH_BARRIER_CONTROL(r), 0);
  return write_children(sw, r, 0);
}

muster_status muster_group_abort(const muster_switch* sw, uint16_t slot) {
  muster_group group;
  muster_progress progress;
  const muster_status status = muster_group_read(sw, slot, &group);
  if (status != MUSTER_OK) return status;
  if (sw->groups != 0) return MUSTER_NOT_SUPPORTED;
  muster_write(&sw->bus, MUSTER_SWITCH_BARRIER_COMMAND(slot),
               MUSTER_PUT(MUSTER_SWITCH_BARRIER_COMMAND_ABORTS, 1));
  (void)muster_group_progress(sw, slot, &progress);
  return progress.failed ? MUSTER_OK : MUSTER_NOT_SUPPORTED;
}
