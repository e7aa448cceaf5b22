/* SPDX-License-Identifier: Apache-2.0 */
/* Written by scripts/registers from rdl/; do not edit. The prose is docs/reference/registers.md.
 *
 * Addresses are those of 32-bit words; on a bus of bytes they are to be multiplied by 4. Of a field
 * F there are F_MASK, in place, and F_SHIFT: MUSTER_GET(F, word) reads it out of a word,
 * MUSTER_PUT(F, value) is a word with the value in it. */
#ifndef MUSTER_REGISTERS_H
#define MUSTER_REGISTERS_H

#include <stdint.h>

#define MUSTER_GET(field, word) ((field##_MASK & (uint32_t)(word)) >> field##_SHIFT)
#define MUSTER_PUT(field, value) (field##_MASK & ((uint32_t)(value) << field##_SHIFT))

/* kind */
#define MUSTER_KIND_BARRIER_SWITCH 1u
/* docs/systems/baselines.md tells what it has of the map of a switch */
#define MUSTER_KIND_MULTICAST_SWITCH 2u
/* likewise docs/systems/preempting-switches.md#registers */
#define MUSTER_KIND_BSR1_SWITCH 3u
#define MUSTER_KIND_BSR2_SWITCH 4u
#define MUSTER_KIND_BSR3_SWITCH 5u
/* has a map of its own: docs/systems/nic-engine.md#registers */
#define MUSTER_KIND_NIC_ENGINE 6u
/* likewise docs/systems/baselines.md#registers-of-the-unit-switch */
#define MUSTER_KIND_UNIT_SWITCH 7u
/* has a map of its own, with what it has sent again, rejected and lost:
 * docs/systems/retry-link.md#registers */
#define MUSTER_KIND_LINK_END 8u
/* has a map of its own: docs/systems/wrappers.md#registers-of-an-endpoint */
#define MUSTER_KIND_AXIS_ENDPOINT 9u

/* message type */
/* towards the root */
#define MUSTER_MESSAGE_TYPE_REDUCTION 0u
/* from the root */
#define MUSTER_MESSAGE_TYPE_DISTRIBUTION 1u
/* malformed; with a spill port, also one at another port or out of order */
#define MUSTER_MESSAGE_TYPE_SPILL_PLACE 2u
/* likewise */
#define MUSTER_MESSAGE_TYPE_SPILL_DATA 3u

/* refusal */
/* another valid register has the group */
#define MUSTER_REFUSAL_GROUP_IN_USE 0u
/* the parent is in the child mask */
#define MUSTER_REFUSAL_PARENT_IS_CHILD 1u
/* spill mask */
#define MUSTER_REFUSAL_SPILL_PORTS 2u
/* the group is not permitted at the port */
#define MUSTER_REFUSAL_FOREIGN_GROUP 3u

/* agent drop */
/* dropped, because the access unit served another, or answered with status 4 */
#define MUSTER_AGENT_DROP_BUSY 0u
/* not a request of 7 flits */
#define MUSTER_AGENT_DROP_MALFORMED 1u
/* a write without permit or to an address that packets may not write */
#define MUSTER_AGENT_DROP_REFUSED 2u
/* no route for the answer; refused or not */
#define MUSTER_AGENT_DROP_STRANDED 3u

/* operation */
#define MUSTER_OPERATION_OR 0u
#define MUSTER_OPERATION_XOR 1u
#define MUSTER_OPERATION_MAX 2u
#define MUSTER_OPERATION_SUM 3u
#define MUSTER_OPERATION_AND 4u
#define MUSTER_OPERATION_MIN 6u

/* link reason */
#define MUSTER_LINK_REASON_NONE 0u
/* the other end is silent */
#define MUSTER_LINK_REASON_SILENT 1u
/* the other end restarted or is down */
#define MUSTER_LINK_REASON_OTHER 2u
/* its buffer overflowed */
#define MUSTER_LINK_REASON_OVERFLOW 3u
/* by order of the host */
#define MUSTER_LINK_REASON_KILLED 4u

/* link state */
#define MUSTER_LINK_STATE_WAIT 0u
#define MUSTER_LINK_STATE_START 1u
#define MUSTER_LINK_STATE_UP 2u
#define MUSTER_LINK_STATE_DOWN 3u

/* nic phase */
#define MUSTER_NIC_PHASE_IDLE 0u
#define MUSTER_NIC_PHASE_RUNNING 1u
#define MUSTER_NIC_PHASE_FAILED 2u
#define MUSTER_NIC_PHASE_DRAINING 3u

/* nic notice */
#define MUSTER_NIC_NOTICE_NONE 0u
#define MUSTER_NIC_NOTICE_DONE 1u
#define MUSTER_NIC_NOTICE_DEAD 2u
#define MUSTER_NIC_NOTICE_RELEASED 3u

/* ---- barrier switch: rdl/barrier_switch.rdl ---- */

/* kind of block and version of its map */
#define MUSTER_SWITCH_IDENTITY 0x000u
/* 31..16: the letters MS */
#define MUSTER_SWITCH_IDENTITY_MAGIC_MASK 0xffff0000u
#define MUSTER_SWITCH_IDENTITY_MAGIC_SHIFT 16
#define MUSTER_SWITCH_IDENTITY_MAGIC_VALUE 0x4d53u
/* 15..8: the kind of block */
#define MUSTER_SWITCH_IDENTITY_KIND_MASK 0x0000ff00u
#define MUSTER_SWITCH_IDENTITY_KIND_SHIFT 8
#define MUSTER_SWITCH_IDENTITY_KIND_VALUE 0x1u
/* 7..0: version of the map */
#define MUSTER_SWITCH_IDENTITY_VERSION_MASK 0x000000ffu
#define MUSTER_SWITCH_IDENTITY_VERSION_SHIFT 0
#define MUSTER_SWITCH_IDENTITY_VERSION_VALUE 0x7u

/* sizes that the switch was built with */
#define MUSTER_SWITCH_SIZES 0x001u
/* 31..24: barrier registers, or entries of a status table */
#define MUSTER_SWITCH_SIZES_REGS_MASK 0xff000000u
#define MUSTER_SWITCH_SIZES_REGS_SHIFT 24
/* 23..16: flits in an input queue */
#define MUSTER_SWITCH_SIZES_DEPTH_MASK 0x00ff0000u
#define MUSTER_SWITCH_SIZES_DEPTH_SHIFT 16
/* 15..8: virtual channels */
#define MUSTER_SWITCH_SIZES_VCS_MASK 0x0000ff00u
#define MUSTER_SWITCH_SIZES_VCS_SHIFT 8
/* 7..0: ports */
#define MUSTER_SWITCH_SIZES_PORTS_MASK 0x000000ffu
#define MUSTER_SWITCH_SIZES_PORTS_SHIFT 0

/* widths that the switch was built with */
#define MUSTER_SWITCH_WIDTHS 0x002u
/* 31..16: entries of the routing table; 65 536 are 0 here */
#define MUSTER_SWITCH_WIDTHS_DESTS_MASK 0xffff0000u
#define MUSTER_SWITCH_WIDTHS_DESTS_SHIFT 16
/* 15..10: bits of a group identifier */
#define MUSTER_SWITCH_WIDTHS_GID_W_MASK 0x0000fc00u
#define MUSTER_SWITCH_WIDTHS_GID_W_SHIFT 10
/* 9..0: payload bits of a flit */
#define MUSTER_SWITCH_WIDTHS_FLIT_W_MASK 0x000003ffu
#define MUSTER_SWITCH_WIDTHS_FLIT_W_SHIFT 0

/* what was dropped because it had no route or no head, and the state of the table */
#define MUSTER_SWITCH_NO_ROUTE_DROPS 0x004u
/* 31: the routing table is being swept after reset: packets have no route, and writes of entries
 * are ignored */
#define MUSTER_SWITCH_NO_ROUTE_DROPS_SWEEPING_MASK 0x80000000u
#define MUSTER_SWITCH_NO_ROUTE_DROPS_SWEEPING_SHIFT 31
/* 23..16: flits dropped because no packet was open at their queue and they were no head, and heads
 * that came inside a packet and ended it, saturating */
#define MUSTER_SWITCH_NO_ROUTE_DROPS_HEADLESS_MASK 0x00ff0000u
#define MUSTER_SWITCH_NO_ROUTE_DROPS_HEADLESS_SHIFT 16
/* 15..0: packets dropped because the table had no route, all ports together, saturating; in
 * preempting switches messages too */
#define MUSTER_SWITCH_NO_ROUTE_DROPS_COUNT_MASK 0x0000ffffu
#define MUSTER_SWITCH_NO_ROUTE_DROPS_COUNT_SHIFT 0

/* outputs whose virtual channels have no credit, as if data without credit stood on the link: no
 * flit of data is allocated to them and no answer of the access unit goes; barrier messages do */
#define MUSTER_SWITCH_HOLD 0x006u
/* 31..0: bit p: output p is held */
#define MUSTER_SWITCH_HOLD_OUTPUTS_MASK 0xffffffffu
#define MUSTER_SWITCH_HOLD_OUTPUTS_SHIFT 0

/* ports from 31 on of the entry of the routing table that is written next, and of those after it;
 * in the next word port 63 */
#define MUSTER_SWITCH_UPPER_ROUTE 0x008u
/* 31..0: bit i: port 31 + i */
#define MUSTER_SWITCH_UPPER_ROUTE_PORTS_MASK 0xffffffffu
#define MUSTER_SWITCH_UPPER_ROUTE_PORTS_SHIFT 0

/* ports from which packets may write barrier registers */
#define MUSTER_SWITCH_PERMITS 0x00au
/* 31..0: bit p: they may at port p */
#define MUSTER_SWITCH_PERMITS_PORTS_MASK 0xffffffffu
#define MUSTER_SWITCH_PERMITS_PORTS_SHIFT 0

/* spill port: messages of groups without register are handed to the node there */
#define MUSTER_SWITCH_SPILL 0x00cu
/* 31..0: bit p: the node at port p */
#define MUSTER_SWITCH_SPILL_PORT_MASK 0xffffffffu
#define MUSTER_SWITCH_SPILL_PORT_SHIFT 0

/* what sets irq_o */
#define MUSTER_SWITCH_IRQ_ENABLE 0x00eu
/* 4: damage, as in 0x00F */
#define MUSTER_SWITCH_IRQ_ENABLE_DAMAGE_MASK 0x00000010u
#define MUSTER_SWITCH_IRQ_ENABLE_DAMAGE_SHIFT 4
/* 3: a register is suspect */
#define MUSTER_SWITCH_IRQ_ENABLE_SUSPECTS_MASK 0x00000008u
#define MUSTER_SWITCH_IRQ_ENABLE_SUSPECTS_SHIFT 3
/* 2..0: the causes of 0x00F, in its bits */
#define MUSTER_SWITCH_IRQ_ENABLE_CAUSES_MASK 0x00000007u
#define MUSTER_SWITCH_IRQ_ENABLE_CAUSES_SHIFT 0

/* what has happened since reset or since a 1 was written to its bit */
#define MUSTER_SWITCH_IRQ_CAUSES 0x00fu
/* 4: an entry of the routing table or a group's word was read with wrong parity; with Parity */
#define MUSTER_SWITCH_IRQ_CAUSES_DAMAGE_MASK 0x00000010u
#define MUSTER_SWITCH_IRQ_CAUSES_DAMAGE_SHIFT 4
/* 2: a flit came to a full queue or pocket, or the spill gave a message up; with Guard */
#define MUSTER_SWITCH_IRQ_CAUSES_OVERFLOWS_MASK 0x00000004u
#define MUSTER_SWITCH_IRQ_CAUSES_OVERFLOWS_SHIFT 2
/* 1: a write was refused; with Guard */
#define MUSTER_SWITCH_IRQ_CAUSES_REFUSALS_MASK 0x00000002u
#define MUSTER_SWITCH_IRQ_CAUSES_REFUSALS_SHIFT 1
/* 0: something was dropped at a port, as in losses */
#define MUSTER_SWITCH_IRQ_CAUSES_DROPS_MASK 0x00000001u
#define MUSTER_SWITCH_IRQ_CAUSES_DROPS_SHIFT 0

/* barrier messages dropped since reset or the last write */
#define MUSTER_SWITCH_DROPS 0x010u
/* 31..24: count, saturating */
#define MUSTER_SWITCH_DROPS_COUNT_MASK 0xff000000u
#define MUSTER_SWITCH_DROPS_COUNT_SHIFT 24
/* 21..16: port where it came in */
#define MUSTER_SWITCH_DROPS_PORT_MASK 0x003f0000u
#define MUSTER_SWITCH_DROPS_PORT_SHIFT 16
/* 14: set if a valid register had its group and refused it (wrong port, or out of phase), clear if
 * none had it */
#define MUSTER_SWITCH_DROPS_KNOWN_MASK 0x00004000u
#define MUSTER_SWITCH_DROPS_KNOWN_SHIFT 14
/* 13..12: its type */
#define MUSTER_SWITCH_DROPS_WHAT_MASK 0x00003000u
#define MUSTER_SWITCH_DROPS_WHAT_SHIFT 12
/* 11..0: its group identifier, or label */
#define MUSTER_SWITCH_DROPS_GID_MASK 0x00000fffu
#define MUSTER_SWITCH_DROPS_GID_SHIFT 0

/* times of registers that repeat */
#define MUSTER_SWITCH_PERIODS 0x011u
/* 23..16: age period, repeat ticks */
#define MUSTER_SWITCH_PERIODS_AGE_MASK 0x00ff0000u
#define MUSTER_SWITCH_PERIODS_AGE_SHIFT 16
/* 15..0: repeat period, cycles; 0: never */
#define MUSTER_SWITCH_PERIODS_REPETITION_MASK 0x0000ffffu
#define MUSTER_SWITCH_PERIODS_REPETITION_SHIFT 0

/* writes refused, as at 0x010 */
#define MUSTER_SWITCH_REFUSALS 0x012u
/* 31..24: count, saturating */
#define MUSTER_SWITCH_REFUSALS_COUNT_MASK 0xff000000u
#define MUSTER_SWITCH_REFUSALS_COUNT_SHIFT 24
/* 21..16: port where its packet came in, 0 for the host */
#define MUSTER_SWITCH_REFUSALS_PORT_MASK 0x003f0000u
#define MUSTER_SWITCH_REFUSALS_PORT_SHIFT 16
/* 14: the first one was a write of the host */
#define MUSTER_SWITCH_REFUSALS_HOST_MASK 0x00004000u
#define MUSTER_SWITCH_REFUSALS_HOST_SHIFT 14
/* 13..12: reason */
#define MUSTER_SWITCH_REFUSALS_REASON_MASK 0x00003000u
#define MUSTER_SWITCH_REFUSALS_REASON_SHIFT 12
/* 3..0: the barrier register, bits 7..4 of the address */
#define MUSTER_SWITCH_REFUSALS_SLOT_MASK 0x0000000fu
#define MUSTER_SWITCH_REFUSALS_SLOT_SHIFT 0

/* flits lost at a full queue or pocket, as at 0x010 */
#define MUSTER_SWITCH_OVERFLOWS 0x013u
/* 31..24: count, saturating */
#define MUSTER_SWITCH_OVERFLOWS_COUNT_MASK 0xff000000u
#define MUSTER_SWITCH_OVERFLOWS_COUNT_SHIFT 24
/* 21..16: port where it came in */
#define MUSTER_SWITCH_OVERFLOWS_PORT_MASK 0x003f0000u
#define MUSTER_SWITCH_OVERFLOWS_PORT_SHIFT 16
/* 14: the first one was a sync flit */
#define MUSTER_SWITCH_OVERFLOWS_SYNC_MASK 0x00004000u
#define MUSTER_SWITCH_OVERFLOWS_SYNC_SHIFT 14
/* 13..12: its virtual channel, 0 for a sync flit */
#define MUSTER_SWITCH_OVERFLOWS_VC_MASK 0x00003000u
#define MUSTER_SWITCH_OVERFLOWS_VC_SHIFT 12

/* time-outs of the switch's waits for others */
#define MUSTER_SWITCH_PATIENCE 0x014u
/* 7..4: M: the latches of the spill give up after 2^M cycles; 0: never */
#define MUSTER_SWITCH_PATIENCE_SPILL_MASK 0x000000f0u
#define MUSTER_SWITCH_PATIENCE_SPILL_SHIFT 4
/* 3..0: N: the access unit gives up after 2^N cycles without progress; 0: never */
#define MUSTER_SWITCH_PATIENCE_AGENT_MASK 0x0000000fu
#define MUSTER_SWITCH_PATIENCE_AGENT_SHIFT 0

/* messages given up by the latches of the spill, as at 0x010 */
#define MUSTER_SWITCH_GIVEN_UP 0x015u
/* 31..24: count, saturating */
#define MUSTER_SWITCH_GIVEN_UP_COUNT_MASK 0xff000000u
#define MUSTER_SWITCH_GIVEN_UP_COUNT_SHIFT 24
/* 21..16: port where it came in; for an answer, its output port */
#define MUSTER_SWITCH_GIVEN_UP_PORT_MASK 0x003f0000u
#define MUSTER_SWITCH_GIVEN_UP_PORT_SHIFT 16
/* 14: the first one was an answer of the spill node */
#define MUSTER_SWITCH_GIVEN_UP_ANSWER_MASK 0x00004000u
#define MUSTER_SWITCH_GIVEN_UP_ANSWER_SHIFT 14
/* 12: its type: 0 reduction, 1 distribution */
#define MUSTER_SWITCH_GIVEN_UP_WHAT_MASK 0x00001000u
#define MUSTER_SWITCH_GIVEN_UP_WHAT_SHIFT 12
/* 11..0: its group identifier */
#define MUSTER_SWITCH_GIVEN_UP_GID_MASK 0x00000fffu
#define MUSTER_SWITCH_GIVEN_UP_GID_SHIFT 0

/* packets for this switch that were dropped, refused or not answered, as at 0x010 */
#define MUSTER_SWITCH_AGENT_DROPS 0x020u
/* 31..24: count, one for each port and cycle, saturating */
#define MUSTER_SWITCH_AGENT_DROPS_COUNT_MASK 0xff000000u
#define MUSTER_SWITCH_AGENT_DROPS_COUNT_SHIFT 24
/* 21..16: port where it came in */
#define MUSTER_SWITCH_AGENT_DROPS_PORT_MASK 0x003f0000u
#define MUSTER_SWITCH_AGENT_DROPS_PORT_SHIFT 16
/* 13..12: outcome of the first */
#define MUSTER_SWITCH_AGENT_DROPS_WHAT_MASK 0x00003000u
#define MUSTER_SWITCH_AGENT_DROPS_WHAT_SHIFT 12

/* groups of port p, for writes by packets */
#define MUSTER_SWITCH_GROUP_PERMITS(p) (0x040u + (uint32_t)(p))
/* 27..16: bits of the identifier that count */
#define MUSTER_SWITCH_GROUP_PERMITS_MASK_MASK 0x0fff0000u
#define MUSTER_SWITCH_GROUP_PERMITS_MASK_SHIFT 16
/* 11..0: required value */
#define MUSTER_SWITCH_GROUP_PERMITS_VALUE_MASK 0x00000fffu
#define MUSTER_SWITCH_GROUP_PERMITS_VALUE_SHIFT 0

/* A write also clears the state of the register: no arrivals, nothing sent, nothing to serve, data
 * 0 */
#define MUSTER_SWITCH_BARRIER_CONTROL(r) (0x100u + 16u * (uint32_t)(r))
/* 31: the register has a group */
#define MUSTER_SWITCH_BARRIER_CONTROL_VALID_MASK 0x80000000u
#define MUSTER_SWITCH_BARRIER_CONTROL_VALID_SHIFT 31
/* 30: the switch is the root of the tree and reflects */
#define MUSTER_SWITCH_BARRIER_CONTROL_TURN_MASK 0x40000000u
#define MUSTER_SWITCH_BARRIER_CONTROL_TURN_SHIFT 30
/* 29: mark of the writer for a register that it is setting up; no other effect */
#define MUSTER_SWITCH_BARRIER_CONTROL_CLAIMED_MASK 0x20000000u
#define MUSTER_SWITCH_BARRIER_CONTROL_CLAIMED_SHIFT 29
/* 28..26: operation on the data; as 0 or 4, or as 0, with parameter Ops */
#define MUSTER_SWITCH_BARRIER_CONTROL_OP_MASK 0x1c000000u
#define MUSTER_SWITCH_BARRIER_CONTROL_OP_SHIFT 26
/* 25..24: of the messages that the register takes and sends */
#define MUSTER_SWITCH_BARRIER_CONTROL_EPOCH_MASK 0x03000000u
#define MUSTER_SWITCH_BARRIER_CONTROL_EPOCH_SHIFT 24
/* 21..16: parent port */
#define MUSTER_SWITCH_BARRIER_CONTROL_PARENT_MASK 0x003f0000u
#define MUSTER_SWITCH_BARRIER_CONTROL_PARENT_SHIFT 16
/* 11..0: group identifier; with Labels for software alone */
#define MUSTER_SWITCH_BARRIER_CONTROL_GID_MASK 0x00000fffu
#define MUSTER_SWITCH_BARRIER_CONTROL_GID_SHIFT 0

/* messages in progress of the register */
#define MUSTER_SWITCH_BARRIER_STATE(r) (0x101u + 16u * (uint32_t)(r))
/* 7..4: age: duration of the current barrier, in age periods */
#define MUSTER_SWITCH_BARRIER_STATE_AGE_MASK 0x000000f0u
#define MUSTER_SWITCH_BARRIER_STATE_AGE_SHIFT 4
/* 3: the age is 15: members are missing */
#define MUSTER_SWITCH_BARRIER_STATE_SUSPECT_MASK 0x00000008u
#define MUSTER_SWITCH_BARRIER_STATE_SUSPECT_SHIFT 3
/* 2: the barrier has failed */
#define MUSTER_SWITCH_BARRIER_STATE_FAILED_MASK 0x00000004u
#define MUSTER_SWITCH_BARRIER_STATE_FAILED_SHIFT 2
/* 1: phase of the barrier */
#define MUSTER_SWITCH_BARRIER_STATE_PHASE_MASK 0x00000002u
#define MUSTER_SWITCH_BARRIER_STATE_PHASE_SHIFT 1
/* 0: reduction message sent, distribution awaited */
#define MUSTER_SWITCH_BARRIER_STATE_SENT_MASK 0x00000001u
#define MUSTER_SWITCH_BARRIER_STATE_SENT_SHIFT 0

/* written at the address of state, only by the host */
#define MUSTER_SWITCH_BARRIER_COMMAND(r) (0x101u + 16u * (uint32_t)(r))
/* 2: 1: the barrier fails */
#define MUSTER_SWITCH_BARRIER_COMMAND_ABORTS_MASK 0x00000004u
#define MUSTER_SWITCH_BARRIER_COMMAND_ABORTS_SHIFT 2

/* A write also clears the state of the register, but with parameter Retry */
#define MUSTER_SWITCH_BARRIER_CHILDREN(r) (0x102u + 16u * (uint32_t)(r))
/* 31..0: child mask: child switches and local member nodes */
#define MUSTER_SWITCH_BARRIER_CHILDREN_PORTS_MASK 0xffffffffu
#define MUSTER_SWITCH_BARRIER_CHILDREN_PORTS_SHIFT 0

#define MUSTER_SWITCH_BARRIER_ARRIVED(r) (0x104u + 16u * (uint32_t)(r))
/* 31..0: arrived mask */
#define MUSTER_SWITCH_BARRIER_ARRIVED_PORTS_MASK 0xffffffffu
#define MUSTER_SWITCH_BARRIER_ARRIVED_PORTS_SHIFT 0

#define MUSTER_SWITCH_BARRIER_SERVE(r) (0x106u + 16u * (uint32_t)(r))
/* 31..0: ports still to serve */
#define MUSTER_SWITCH_BARRIER_SERVE_PORTS_MASK 0xffffffffu
#define MUSTER_SWITCH_BARRIER_SERVE_PORTS_SHIFT 0

#define MUSTER_SWITCH_BARRIER_FOLDING(r) (0x108u + 16u * (uint32_t)(r))
/* 31..0: ports that have arrived and whose data wait to be folded */
#define MUSTER_SWITCH_BARRIER_FOLDING_PORTS_MASK 0xffffffffu
#define MUSTER_SWITCH_BARRIER_FOLDING_PORTS_SHIFT 0

/* the last barrier for which all children have arrived; 0 before the first */
#define MUSTER_SWITCH_BARRIER_STRAGGLER(r) (0x10au + 16u * (uint32_t)(r))
/* 31: there has been one */
#define MUSTER_SWITCH_BARRIER_STRAGGLER_KNOWN_MASK 0x80000000u
#define MUSTER_SWITCH_BARRIER_STRAGGLER_KNOWN_SHIFT 31
/* 21..16: port that arrived last; of several the lowest */
#define MUSTER_SWITCH_BARRIER_STRAGGLER_PORT_MASK 0x003f0000u
#define MUSTER_SWITCH_BARRIER_STRAGGLER_PORT_SHIFT 16
/* 15..0: cycles that the first arrival had waited then, saturating */
#define MUSTER_SWITCH_BARRIER_STRAGGLER_CYCLES_MASK 0x0000ffffu
#define MUSTER_SWITCH_BARRIER_STRAGGLER_CYCLES_SHIFT 0

/* labels, 4 bits a port: the index of the group's register in the switch behind the port; of a port
 * with a node r, which is in its messages to the switch too */
#define MUSTER_SWITCH_BARRIER_LABELS(r) (0x10cu + 16u * (uint32_t)(r))
/* 31..0: of ports 7..0; in the next word of ports 15..8 */
#define MUSTER_SWITCH_BARRIER_LABELS_PORTS_MASK 0xffffffffu
#define MUSTER_SWITCH_BARRIER_LABELS_PORTS_SHIFT 0

/* labels, 4 bits a port: the index of the group's register in the switch behind the port; of a port
 * with a node r, which is in its messages to the switch too */
#define MUSTER_SWITCH_BARRIER_UPPER_LABELS(r) (0x10du + 16u * (uint32_t)(r))
/* 31..0: of ports 7..0; in the next word of ports 15..8 */
#define MUSTER_SWITCH_BARRIER_UPPER_LABELS_PORTS_MASK 0xffffffffu
#define MUSTER_SWITCH_BARRIER_UPPER_LABELS_PORTS_SHIFT 0

/* of port p: flits that have left, of any kind, saturating */
#define MUSTER_SWITCH_PORTS_FLITS(p) (0x200u + 4u * (uint32_t)(p))
/* 31..0: count */
#define MUSTER_SWITCH_PORTS_FLITS_COUNT_MASK 0xffffffffu
#define MUSTER_SWITCH_PORTS_FLITS_COUNT_SHIFT 0

/* of port p: cycles in which a flit waited for the output, which took none, saturating, as flits */
#define MUSTER_SWITCH_PORTS_STALLS(p) (0x201u + 4u * (uint32_t)(p))
/* 31..0: count */
#define MUSTER_SWITCH_PORTS_STALLS_COUNT_MASK 0xffffffffu
#define MUSTER_SWITCH_PORTS_STALLS_COUNT_SHIFT 0

/* of port p: cycles in which something that came in there was dropped, saturating, as flits */
#define MUSTER_SWITCH_PORTS_LOSSES(p) (0x202u + 4u * (uint32_t)(p))
/* 31..0: count */
#define MUSTER_SWITCH_PORTS_LOSSES_COUNT_MASK 0xffffffffu
#define MUSTER_SWITCH_PORTS_LOSSES_COUNT_SHIFT 0

/* routing table, destination d */
#define MUSTER_SWITCH_ROUTES(d) (0x800u + (uint32_t)(d))
/* 31: bit self: with an empty mask, packets for d are for this switch */
#define MUSTER_SWITCH_ROUTES_OWN_MASK 0x80000000u
#define MUSTER_SWITCH_ROUTES_OWN_SHIFT 31
/* 30..0: mask of legal next ports, bit p for port p: a mask, not the number of a port */
#define MUSTER_SWITCH_ROUTES_PORTS_MASK 0x7fffffffu
#define MUSTER_SWITCH_ROUTES_PORTS_SHIFT 0

/* ---- window on a group in block RAM: rdl/group_window.rdl ---- */

/* of the selected group, as of a register */
#define MUSTER_WINDOW_CONTROL 0x100u
/* 31: the group is in use */
#define MUSTER_WINDOW_CONTROL_VALID_MASK 0x80000000u
#define MUSTER_WINDOW_CONTROL_VALID_SHIFT 31
/* 30: reflects at the root */
#define MUSTER_WINDOW_CONTROL_TURN_MASK 0x40000000u
#define MUSTER_WINDOW_CONTROL_TURN_SHIFT 30
/* 29: mark of the writer; no other effect */
#define MUSTER_WINDOW_CONTROL_CLAIMED_MASK 0x20000000u
#define MUSTER_WINDOW_CONTROL_CLAIMED_SHIFT 29
/* 28..26: operation on the data */
#define MUSTER_WINDOW_CONTROL_OP_MASK 0x1c000000u
#define MUSTER_WINDOW_CONTROL_OP_SHIFT 26
/* 21..16: parent port */
#define MUSTER_WINDOW_CONTROL_PARENT_MASK 0x003f0000u
#define MUSTER_WINDOW_CONTROL_PARENT_SHIFT 16
/* 11..0: a written identifier is ignored; reads give the selected one */
#define MUSTER_WINDOW_CONTROL_GID_MASK 0x00000fffu
#define MUSTER_WINDOW_CONTROL_GID_SHIFT 0

/* messages in progress of the group */
#define MUSTER_WINDOW_STATE 0x101u
/* 1: a message of the group waits for outputs */
#define MUSTER_WINDOW_STATE_WAITS_MASK 0x00000002u
#define MUSTER_WINDOW_STATE_WAITS_SHIFT 1
/* 0: reduction message sent, distribution awaited */
#define MUSTER_WINDOW_STATE_SENT_MASK 0x00000001u
#define MUSTER_WINDOW_STATE_SENT_SHIFT 0

/* of the selected group */
#define MUSTER_WINDOW_CHILDREN 0x102u
/* 31..0: its child mask */
#define MUSTER_WINDOW_CHILDREN_PORTS_MASK 0xffffffffu
#define MUSTER_WINDOW_CHILDREN_PORTS_SHIFT 0

#define MUSTER_WINDOW_ARRIVED 0x104u
/* 31..0: children that have arrived */
#define MUSTER_WINDOW_ARRIVED_PORTS_MASK 0xffffffffu
#define MUSTER_WINDOW_ARRIVED_PORTS_SHIFT 0

#define MUSTER_WINDOW_SERVE 0x106u
/* 31..0: children still to be served */
#define MUSTER_WINDOW_SERVE_PORTS_MASK 0xffffffffu
#define MUSTER_WINDOW_SERVE_PORTS_SHIFT 0

/* the group of the words above */
#define MUSTER_WINDOW_SELECT 0x110u
/* 31: the memory is being cleared after reset */
#define MUSTER_WINDOW_SELECT_CLEARING_MASK 0x80000000u
#define MUSTER_WINDOW_SELECT_CLEARING_SHIFT 31
/* 11..0: the selected group */
#define MUSTER_WINDOW_SELECT_GID_MASK 0x00000fffu
#define MUSTER_WINDOW_SELECT_GID_SHIFT 0

/* groups in block RAM */
#define MUSTER_WINDOW_GROUPS 0x111u
/* 31..0: Groups */
#define MUSTER_WINDOW_GROUPS_COUNT_MASK 0xffffffffu
#define MUSTER_WINDOW_GROUPS_COUNT_SHIFT 0

/* ---- preempting switch: rdl/preempting_switch.rdl ---- */

/* address of this switch; written before the first message */
#define MUSTER_BSR_ADDRESS 0x005u
/* 10..0: its address (golden with more than 2048 destinations: as many bits as they need) */
#define MUSTER_BSR_ADDRESS_NODE_MASK 0x000007ffu
#define MUSTER_BSR_ADDRESS_NODE_SHIFT 0

/* mode of cutting channels */
#define MUSTER_BSR_POLICY 0x010u
/* 1: unpadded: no pads */
#define MUSTER_BSR_POLICY_UNPADDED_MASK 0x00000002u
#define MUSTER_BSR_POLICY_UNPADDED_SHIFT 1
/* 0: random: the channel to cut is random */
#define MUSTER_BSR_POLICY_RANDOM_MASK 0x00000001u
#define MUSTER_BSR_POLICY_RANDOM_SHIFT 0

/* times of the outputs, cycles */
#define MUSTER_BSR_TIMES 0x011u
/* 31..16: longest */
#define MUSTER_BSR_TIMES_LONGEST_MASK 0xffff0000u
#define MUSTER_BSR_TIMES_LONGEST_SHIFT 16
/* 15..8: gap */
#define MUSTER_BSR_TIMES_GAP_MASK 0x0000ff00u
#define MUSTER_BSR_TIMES_GAP_SHIFT 8
/* 7..0: idle */
#define MUSTER_BSR_TIMES_IDLE_MASK 0x000000ffu
#define MUSTER_BSR_TIMES_IDLE_SHIFT 0

/* the LFSR */
#define MUSTER_BSR_LFSR 0x012u
/* 15..0: its value; 0 is stored as 1 */
#define MUSTER_BSR_LFSR_VALUE_MASK 0x0000ffffu
#define MUSTER_BSR_LFSR_VALUE_SHIFT 0

/* the longest wait of Bounded waits at any output */
#define MUSTER_BSR_LONGEST_WAIT 0x013u
/* 15..0: cycles, saturating */
#define MUSTER_BSR_LONGEST_WAIT_CYCLES_MASK 0x0000ffffu
#define MUSTER_BSR_LONGEST_WAIT_CYCLES_SHIFT 0

/* outputs that are closed for messages */
#define MUSTER_BSR_CLOSED 0x014u
/* 31..0: bit p: output p is closed */
#define MUSTER_BSR_CLOSED_OUTPUTS_MASK 0xffffffffu
#define MUSTER_BSR_CLOSED_OUTPUTS_SHIFT 0

/* messages dropped at port p, four counters that saturate at 15 */
#define MUSTER_BSR_PORT_DROPS(p) (0x040u + (uint32_t)(p))
/* 31..24: a message of the port that its entry does not expect in this state */
#define MUSTER_BSR_PORT_DROPS_OUT_OF_PHASE_MASK 0xff000000u
#define MUSTER_BSR_PORT_DROPS_OUT_OF_PHASE_SHIFT 24
/* 23..16: not from the neighbour in the tree */
#define MUSTER_BSR_PORT_DROPS_WRONG_SOURCE_MASK 0x00ff0000u
#define MUSTER_BSR_PORT_DROPS_WRONG_SOURCE_SHIFT 16
/* 15..8: no entry has its group */
#define MUSTER_BSR_PORT_DROPS_UNKNOWN_GROUP_MASK 0x0000ff00u
#define MUSTER_BSR_PORT_DROPS_UNKNOWN_GROUP_SHIFT 8
/* 7..0: not a message */
#define MUSTER_BSR_PORT_DROPS_MALFORMED_MASK 0x000000ffu
#define MUSTER_BSR_PORT_DROPS_MALFORMED_SHIFT 0

/* entry e */
#define MUSTER_BSR_ENTRIES_CONTROL(e) (0x100u + 16u * (uint32_t)(e))
/* 31: the entry has a group */
#define MUSTER_BSR_ENTRIES_CONTROL_VALID_MASK 0x80000000u
#define MUSTER_BSR_ENTRIES_CONTROL_VALID_SHIFT 31
/* 30: this switch is the center of the group's tree */
#define MUSTER_BSR_ENTRIES_CONTROL_CENTER_MASK 0x40000000u
#define MUSTER_BSR_ENTRIES_CONTROL_CENTER_SHIFT 30
/* 29: tree */
#define MUSTER_BSR_ENTRIES_CONTROL_TREE_MASK 0x20000000u
#define MUSTER_BSR_ENTRIES_CONTROL_TREE_SHIFT 29
/* 28: branch */
#define MUSTER_BSR_ENTRIES_CONTROL_BRANCH_MASK 0x10000000u
#define MUSTER_BSR_ENTRIES_CONTROL_BRANCH_SHIFT 28
/* 27: sent */
#define MUSTER_BSR_ENTRIES_CONTROL_SENT_MASK 0x08000000u
#define MUSTER_BSR_ENTRIES_CONTROL_SENT_SHIFT 27
/* 26: tidy */
#define MUSTER_BSR_ENTRIES_CONTROL_TIDY_MASK 0x04000000u
#define MUSTER_BSR_ENTRIES_CONTROL_TIDY_SHIFT 26
/* 25: refused */
#define MUSTER_BSR_ENTRIES_CONTROL_REFUSED_MASK 0x02000000u
#define MUSTER_BSR_ENTRIES_CONTROL_REFUSED_SHIFT 25
/* 18..8: count (golden: as wide as an address) */
#define MUSTER_BSR_ENTRIES_CONTROL_COUNT_MASK 0x0007ff00u
#define MUSTER_BSR_ENTRIES_CONTROL_COUNT_SHIFT 8
/* 7..0: group identifier */
#define MUSTER_BSR_ENTRIES_CONTROL_GID_MASK 0x000000ffu
#define MUSTER_BSR_ENTRIES_CONTROL_GID_SHIFT 0

/* the neighbours of the entry in the tree */
#define MUSTER_BSR_ENTRIES_WAYS(e) (0x101u + 16u * (uint32_t)(e))
/* 31..16: address of the center's switch */
#define MUSTER_BSR_ENTRIES_WAYS_CENTER_MASK 0xffff0000u
#define MUSTER_BSR_ENTRIES_WAYS_CENTER_SHIFT 16
/* 15..0: address of the parent */
#define MUSTER_BSR_ENTRIES_WAYS_PARENT_MASK 0x0000ffffu
#define MUSTER_BSR_ENTRIES_WAYS_PARENT_SHIFT 0

#define MUSTER_BSR_ENTRIES_CHILDREN(e) (0x102u + 16u * (uint32_t)(e))
/* 31..0: ports of children */
#define MUSTER_BSR_ENTRIES_CHILDREN_PORTS_MASK 0xffffffffu
#define MUSTER_BSR_ENTRIES_CHILDREN_PORTS_SHIFT 0

#define MUSTER_BSR_ENTRIES_ARRIVED(e) (0x104u + 16u * (uint32_t)(e))
/* 31..0: arrived mask */
#define MUSTER_BSR_ENTRIES_ARRIVED_PORTS_MASK 0xffffffffu
#define MUSTER_BSR_ENTRIES_ARRIVED_PORTS_SHIFT 0

#define MUSTER_BSR_ENTRIES_SERVE(e) (0x106u + 16u * (uint32_t)(e))
/* 31..0: ports still to serve */
#define MUSTER_BSR_ENTRIES_SERVE_PORTS_MASK 0xffffffffu
#define MUSTER_BSR_ENTRIES_SERVE_PORTS_SHIFT 0

/* A write clears all of the entry but valid, center, count (as it stands), group identifier */
#define MUSTER_BSR_ENTRIES_LOCALS(e) (0x108u + 16u * (uint32_t)(e))
/* 31..0: locals: ports of local members */
#define MUSTER_BSR_ENTRIES_LOCALS_PORTS_MASK 0xffffffffu
#define MUSTER_BSR_ENTRIES_LOCALS_PORTS_SHIFT 0

/* of entry e, the child behind port p */
#define MUSTER_BSR_ADDRESSES_CHILD(e, p) (0x400u + 64u * (uint32_t)(e) + (uint32_t)(p))
/* 15..0: its address */
#define MUSTER_BSR_ADDRESSES_CHILD_NODE_MASK 0x0000ffffu
#define MUSTER_BSR_ADDRESSES_CHILD_NODE_SHIFT 0

/* ---- unit switch: rdl/unit_switch.rdl ---- */

/* address of this switch */
#define MUSTER_UNIT_ADDRESS 0x005u
/* 15..0: its address */
#define MUSTER_UNIT_ADDRESS_NODE_MASK 0x0000ffffu
#define MUSTER_UNIT_ADDRESS_NODE_SHIFT 0

/* when the unit takes messages */
#define MUSTER_UNIT_POLICY 0x010u
/* 1: hold: each when it is next in the order of combining */
#define MUSTER_UNIT_POLICY_HOLDS_MASK 0x00000002u
#define MUSTER_UNIT_POLICY_HOLDS_SHIFT 1
/* 0: wait: none while it has a message to send */
#define MUSTER_UNIT_POLICY_WAITS_MASK 0x00000001u
#define MUSTER_UNIT_POLICY_WAITS_SHIFT 0

/* messages dropped at port p, four counters that saturate at 15 */
#define MUSTER_UNIT_PORT_DROPS(p) (0x040u + (uint32_t)(p))
/* 31..24: a message of the port that its entry does not expect in this state */
#define MUSTER_UNIT_PORT_DROPS_OUT_OF_PHASE_MASK 0xff000000u
#define MUSTER_UNIT_PORT_DROPS_OUT_OF_PHASE_SHIFT 24
/* 23..16: not from the neighbour in the tree */
#define MUSTER_UNIT_PORT_DROPS_WRONG_SOURCE_MASK 0x00ff0000u
#define MUSTER_UNIT_PORT_DROPS_WRONG_SOURCE_SHIFT 16
/* 15..8: no entry has its group */
#define MUSTER_UNIT_PORT_DROPS_UNKNOWN_GROUP_MASK 0x0000ff00u
#define MUSTER_UNIT_PORT_DROPS_UNKNOWN_GROUP_SHIFT 8
/* 7..0: not a message */
#define MUSTER_UNIT_PORT_DROPS_MALFORMED_MASK 0x000000ffu
#define MUSTER_UNIT_PORT_DROPS_MALFORMED_SHIFT 0

/* entry e */
#define MUSTER_UNIT_ENTRIES_CONTROL(e) (0x100u + 16u * (uint32_t)(e))
/* 31: the entry has a group */
#define MUSTER_UNIT_ENTRIES_CONTROL_VALID_MASK 0x80000000u
#define MUSTER_UNIT_ENTRIES_CONTROL_VALID_SHIFT 31
/* 30: the switch is the root of the group's tree */
#define MUSTER_UNIT_ENTRIES_CONTROL_ROOT_MASK 0x40000000u
#define MUSTER_UNIT_ENTRIES_CONTROL_ROOT_SHIFT 30
/* 22..16: number of children, at most 16 */
#define MUSTER_UNIT_ENTRIES_CONTROL_CHILDREN_MASK 0x007f0000u
#define MUSTER_UNIT_ENTRIES_CONTROL_CHILDREN_SHIFT 16
/* 11..0: group */
#define MUSTER_UNIT_ENTRIES_CONTROL_GID_MASK 0x00000fffu
#define MUSTER_UNIT_ENTRIES_CONTROL_GID_SHIFT 0

/* the parent in the tree */
#define MUSTER_UNIT_ENTRIES_PARENT(e) (0x101u + 16u * (uint32_t)(e))
/* 15..0: its address */
#define MUSTER_UNIT_ENTRIES_PARENT_NODE_MASK 0x0000ffffu
#define MUSTER_UNIT_ENTRIES_PARENT_NODE_SHIFT 0

/* ports of local members */
#define MUSTER_UNIT_ENTRIES_LOCALS(e) (0x108u + 16u * (uint32_t)(e))
/* 31..0: locals */
#define MUSTER_UNIT_ENTRIES_LOCALS_PORTS_MASK 0xffffffffu
#define MUSTER_UNIT_ENTRIES_LOCALS_PORTS_SHIFT 0

/* of entry e, child c */
#define MUSTER_UNIT_ADDRESSES_CHILD(e, c) (0x400u + 64u * (uint32_t)(e) + (uint32_t)(c))
/* 15..0: its address */
#define MUSTER_UNIT_ADDRESSES_CHILD_NODE_MASK 0x0000ffffu
#define MUSTER_UNIT_ADDRESSES_CHILD_NODE_SHIFT 0

/* ---- link end: rdl/link_end.rdl ---- */

/* state of the link */
#define MUSTER_LINK_STATUS 0x001u
/* 31..24: lost: barrier messages of the block that were lost, saturating */
#define MUSTER_LINK_STATUS_LOST_MASK 0xff000000u
#define MUSTER_LINK_STATUS_LOST_SHIFT 24
/* 23..16: rejected: frames that were rejected, saturating */
#define MUSTER_LINK_STATUS_REJECTED_MASK 0x00ff0000u
#define MUSTER_LINK_STATUS_REJECTED_SHIFT 16
/* 15..8: replays: retransmissions, saturating */
#define MUSTER_LINK_STATUS_REPLAYS_MASK 0x0000ff00u
#define MUSTER_LINK_STATUS_REPLAYS_SHIFT 8
/* 6: restart */
#define MUSTER_LINK_STATUS_RESTART_MASK 0x00000040u
#define MUSTER_LINK_STATUS_RESTART_SHIFT 6
/* 5: drained; in other states than Down it reads 0 */
#define MUSTER_LINK_STATUS_DRAINED_MASK 0x00000020u
#define MUSTER_LINK_STATUS_DRAINED_SHIFT 5
/* 4..2: reason: why it went down */
#define MUSTER_LINK_STATUS_REASON_MASK 0x0000001cu
#define MUSTER_LINK_STATUS_REASON_SHIFT 2
/* 1..0: state */
#define MUSTER_LINK_STATUS_STATE_MASK 0x00000003u
#define MUSTER_LINK_STATUS_STATE_SHIFT 0

/* command of the host, written at the address of status */
#define MUSTER_LINK_COMMAND 0x001u
/* 2: clears the counters; events of the same cycle are not counted */
#define MUSTER_LINK_COMMAND_CLEAR_MASK 0x00000004u
#define MUSTER_LINK_COMMAND_CLEAR_SHIFT 2
/* 1: down (reason 4), if not Down */
#define MUSTER_LINK_COMMAND_KILL_MASK 0x00000002u
#define MUSTER_LINK_COMMAND_KILL_SHIFT 1
/* 0: restart = 1, if Down */
#define MUSTER_LINK_COMMAND_RESTART_MASK 0x00000001u
#define MUSTER_LINK_COMMAND_RESTART_SHIFT 0

/* sizes that the end was built with */
#define MUSTER_LINK_WIDTHS 0x002u
/* 31..28: Retries */
#define MUSTER_LINK_WIDTHS_RETRIES_MASK 0xf0000000u
#define MUSTER_LINK_WIDTHS_RETRIES_SHIFT 28
/* 27..20: Timeout */
#define MUSTER_LINK_WIDTHS_TIMEOUT_MASK 0x0ff00000u
#define MUSTER_LINK_WIDTHS_TIMEOUT_SHIFT 20
/* 19..12: Slots */
#define MUSTER_LINK_WIDTHS_SLOTS_MASK 0x000ff000u
#define MUSTER_LINK_WIDTHS_SLOTS_SHIFT 12
/* 11: Pocket */
#define MUSTER_LINK_WIDTHS_POCKET_MASK 0x00000800u
#define MUSTER_LINK_WIDTHS_POCKET_SHIFT 11
/* 10..6: Depth */
#define MUSTER_LINK_WIDTHS_DEPTH_MASK 0x000007c0u
#define MUSTER_LINK_WIDTHS_DEPTH_SHIFT 6
/* 5..3: Vcs */
#define MUSTER_LINK_WIDTHS_VCS_MASK 0x00000038u
#define MUSTER_LINK_WIDTHS_VCS_SHIFT 3
/* 2: Lossy */
#define MUSTER_LINK_WIDTHS_LOSSY_MASK 0x00000004u
#define MUSTER_LINK_WIDTHS_LOSSY_SHIFT 2

/* ---- NIC barrier engine: rdl/nic_engine.rdl ---- */

/* kind of block and version of its map */
#define MUSTER_NIC_IDENTITY 0x000u
/* 31..16: the letters MS */
#define MUSTER_NIC_IDENTITY_MAGIC_MASK 0xffff0000u
#define MUSTER_NIC_IDENTITY_MAGIC_SHIFT 16
#define MUSTER_NIC_IDENTITY_MAGIC_VALUE 0x4d53u
/* 15..8: the kind of block */
#define MUSTER_NIC_IDENTITY_KIND_MASK 0x0000ff00u
#define MUSTER_NIC_IDENTITY_KIND_SHIFT 8
#define MUSTER_NIC_IDENTITY_KIND_VALUE 0x6u
/* 7..0: version of the map */
#define MUSTER_NIC_IDENTITY_VERSION_MASK 0x000000ffu
#define MUSTER_NIC_IDENTITY_VERSION_SHIFT 0
#define MUSTER_NIC_IDENTITY_VERSION_VALUE 0x2u

/* sizes that the engine was built with */
#define MUSTER_NIC_SIZES 0x001u
/* 31: 1: it has an event unit, Chained */
#define MUSTER_NIC_SIZES_CHAINED_MASK 0x80000000u
#define MUSTER_NIC_SIZES_CHAINED_SHIFT 31
/* 27..24: Contexts */
#define MUSTER_NIC_SIZES_CONTEXTS_MASK 0x0f000000u
#define MUSTER_NIC_SIZES_CONTEXTS_SHIFT 24
/* 23..16: Steps */
#define MUSTER_NIC_SIZES_STEPS_MASK 0x00ff0000u
#define MUSTER_NIC_SIZES_STEPS_SHIFT 16
/* 15..8: Conns */
#define MUSTER_NIC_SIZES_CONNS_MASK 0x0000ff00u
#define MUSTER_NIC_SIZES_CONNS_SHIFT 8
/* 7..0: Records */
#define MUSTER_NIC_SIZES_RECORDS_MASK 0x000000ffu
#define MUSTER_NIC_SIZES_RECORDS_SHIFT 0

/* widths that the engine was built with */
#define MUSTER_NIC_WIDTHS 0x002u
/* 31..24: Vcs */
#define MUSTER_NIC_WIDTHS_VCS_MASK 0xff000000u
#define MUSTER_NIC_WIDTHS_VCS_SHIFT 24
/* 23..16: Depth */
#define MUSTER_NIC_WIDTHS_DEPTH_MASK 0x00ff0000u
#define MUSTER_NIC_WIDTHS_DEPTH_SHIFT 16
/* 15..8: SeqW */
#define MUSTER_NIC_WIDTHS_SEQ_W_MASK 0x0000ff00u
#define MUSTER_NIC_WIDTHS_SEQ_W_SHIFT 8
/* 7..0: FlitW */
#define MUSTER_NIC_WIDTHS_FLIT_W_MASK 0x000000ffu
#define MUSTER_NIC_WIDTHS_FLIT_W_SHIFT 0

/* address of the engine */
#define MUSTER_NIC_ADDRESS 0x003u
/* 13..12: virtual channel of its packets */
#define MUSTER_NIC_ADDRESS_CHANNEL_MASK 0x00003000u
#define MUSTER_NIC_ADDRESS_CHANNEL_SHIFT 12
/* 10..0: own address */
#define MUSTER_NIC_ADDRESS_NODE_MASK 0x000007ffu
#define MUSTER_NIC_ADDRESS_NODE_SHIFT 0

/* times of NACKs */
#define MUSTER_NIC_TIMES 0x004u
/* 31..20: gap of NACKs */
#define MUSTER_NIC_TIMES_GAP_MASK 0xfff00000u
#define MUSTER_NIC_TIMES_GAP_SHIFT 20
/* 19..16: retries R */
#define MUSTER_NIC_TIMES_RETRIES_MASK 0x000f0000u
#define MUSTER_NIC_TIMES_RETRIES_SHIFT 16
/* 15..0: timeout T */
#define MUSTER_NIC_TIMES_TIMEOUT_MASK 0x0000ffffu
#define MUSTER_NIC_TIMES_TIMEOUT_SHIFT 0

/* time for which a released context answers */
#define MUSTER_NIC_QUIET 0x005u
/* 23..0: quiet time */
#define MUSTER_NIC_QUIET_CYCLES_MASK 0x00ffffffu
#define MUSTER_NIC_QUIET_CYCLES_SHIFT 0

/* send a host's message */
#define MUSTER_NIC_SEND 0x006u
/* 31..21: destination */
#define MUSTER_NIC_SEND_PEER_MASK 0xffe00000u
#define MUSTER_NIC_SEND_PEER_SHIFT 21
/* 20..16: entry of the receiver */
#define MUSTER_NIC_SEND_SLOT_MASK 0x001f0000u
#define MUSTER_NIC_SEND_SLOT_SHIFT 16
/* 15..8: group */
#define MUSTER_NIC_SEND_GID_MASK 0x0000ff00u
#define MUSTER_NIC_SEND_GID_SHIFT 8
/* 7..0: barrier sequence */
#define MUSTER_NIC_SEND_BARRIER_MASK 0x000000ffu
#define MUSTER_NIC_SEND_BARRIER_SHIFT 0

/* messages dropped, counters that saturate at 255 */
#define MUSTER_NIC_DROPS 0x008u
/* 31..24: limited */
#define MUSTER_NIC_DROPS_LIMITED_MASK 0xff000000u
#define MUSTER_NIC_DROPS_LIMITED_SHIFT 24
/* 23..16: stale */
#define MUSTER_NIC_DROPS_STALE_MASK 0x00ff0000u
#define MUSTER_NIC_DROPS_STALE_SHIFT 16
/* 15..8: unknown */
#define MUSTER_NIC_DROPS_UNKNOWN_MASK 0x0000ff00u
#define MUSTER_NIC_DROPS_UNKNOWN_SHIFT 8
/* 7..0: malformed */
#define MUSTER_NIC_DROPS_MALFORMED_MASK 0x000000ffu
#define MUSTER_NIC_DROPS_MALFORMED_SHIFT 0

/* refused doorbells and messages of the host, and tokens without a connection */
#define MUSTER_NIC_REFUSED 0x009u
/* 7..0: count, saturating at 255; at most one is counted a cycle */
#define MUSTER_NIC_REFUSED_COUNT_MASK 0x000000ffu
#define MUSTER_NIC_REFUSED_COUNT_SHIFT 0

/* context c */
#define MUSTER_NIC_CONTEXTS_CONTROL(c) (0x040u + 4u * (uint32_t)(c))
/* 31: the context has a group */
#define MUSTER_NIC_CONTEXTS_CONTROL_VALID_MASK 0x80000000u
#define MUSTER_NIC_CONTEXTS_CONTROL_VALID_SHIFT 31
/* 30: its messages take the point-to-point path */
#define MUSTER_NIC_CONTEXTS_CONTROL_DIRECT_MASK 0x40000000u
#define MUSTER_NIC_CONTEXTS_CONTROL_DIRECT_SHIFT 30
/* 29..28: phase */
#define MUSTER_NIC_CONTEXTS_CONTROL_PHASE_MASK 0x30000000u
#define MUSTER_NIC_CONTEXTS_CONTROL_PHASE_SHIFT 28
/* 27: past */
#define MUSTER_NIC_CONTEXTS_CONTROL_PAST_MASK 0x08000000u
#define MUSTER_NIC_CONTEXTS_CONTROL_PAST_SHIFT 27
/* 25..24: notice for the host */
#define MUSTER_NIC_CONTEXTS_CONTROL_NOTICE_MASK 0x03000000u
#define MUSTER_NIC_CONTEXTS_CONTROL_NOTICE_SHIFT 24
/* 20..16: the entry it is at */
#define MUSTER_NIC_CONTEXTS_CONTROL_PC_MASK 0x001f0000u
#define MUSTER_NIC_CONTEXTS_CONTROL_PC_SHIFT 16
/* 15..8: group */
#define MUSTER_NIC_CONTEXTS_CONTROL_GID_MASK 0x0000ff00u
#define MUSTER_NIC_CONTEXTS_CONTROL_GID_SHIFT 8
/* 7..0: barrier sequence */
#define MUSTER_NIC_CONTEXTS_CONTROL_SEQ_MASK 0x000000ffu
#define MUSTER_NIC_CONTEXTS_CONTROL_SEQ_SHIFT 0

/* of context c */
#define MUSTER_NIC_CONTEXTS_DOORBELL(c) (0x041u + 4u * (uint32_t)(c))
/* 1: release the context */
#define MUSTER_NIC_CONTEXTS_DOORBELL_RELEASES_MASK 0x00000002u
#define MUSTER_NIC_CONTEXTS_DOORBELL_RELEASES_SHIFT 1
/* 0: start a barrier */
#define MUSTER_NIC_CONTEXTS_DOORBELL_STARTS_MASK 0x00000001u
#define MUSTER_NIC_CONTEXTS_DOORBELL_STARTS_SHIFT 0

/* of context c */
#define MUSTER_NIC_CONTEXTS_RECEIVED(c) (0x042u + 4u * (uint32_t)(c))
/* 31..0: received */
#define MUSTER_NIC_CONTEXTS_RECEIVED_ENTRIES_MASK 0xffffffffu
#define MUSTER_NIC_CONTEXTS_RECEIVED_ENTRIES_SHIFT 0

/* of context c */
#define MUSTER_NIC_CONTEXTS_SENT(c) (0x043u + 4u * (uint32_t)(c))
/* 31..0: sent */
#define MUSTER_NIC_CONTEXTS_SENT_ENTRIES_MASK 0xffffffffu
#define MUSTER_NIC_CONTEXTS_SENT_ENTRIES_SHIFT 0

/* connection k */
#define MUSTER_NIC_CONNECTIONS(k) (0x080u + (uint32_t)(k))
/* 31: the connection has a peer */
#define MUSTER_NIC_CONNECTIONS_VALID_MASK 0x80000000u
#define MUSTER_NIC_CONNECTIONS_VALID_SHIFT 31
/* 30: no ACK came */
#define MUSTER_NIC_CONNECTIONS_DEAD_MASK 0x40000000u
#define MUSTER_NIC_CONNECTIONS_DEAD_SHIFT 30
/* 29: a message is in progress */
#define MUSTER_NIC_CONNECTIONS_BUSY_MASK 0x20000000u
#define MUSTER_NIC_CONNECTIONS_BUSY_SHIFT 29
/* 28..27: tokens in use */
#define MUSTER_NIC_CONNECTIONS_TOKENS_MASK 0x18000000u
#define MUSTER_NIC_CONNECTIONS_TOKENS_SHIFT 27
/* 10..0: its address */
#define MUSTER_NIC_CONNECTIONS_PEER_MASK 0x000007ffu
#define MUSTER_NIC_CONNECTIONS_PEER_SHIFT 0

/* entry s of context c; with Chained another word */
#define MUSTER_NIC_LISTS_ENTRY(c, s) (0x400u + 32u * (uint32_t)(c) + (uint32_t)(s))
/* 31: 1 send, 0 wait */
#define MUSTER_NIC_LISTS_ENTRY_SEND_MASK 0x80000000u
#define MUSTER_NIC_LISTS_ENTRY_SEND_SHIFT 31
/* 30: the last of the list */
#define MUSTER_NIC_LISTS_ENTRY_LAST_MASK 0x40000000u
#define MUSTER_NIC_LISTS_ENTRY_LAST_SHIFT 30
/* 28..24: the entry after it, below Steps */
#define MUSTER_NIC_LISTS_ENTRY_NEXT_MASK 0x1f000000u
#define MUSTER_NIC_LISTS_ENTRY_NEXT_SHIFT 24
/* 20..16: the entry of the peer that belongs to this one */
#define MUSTER_NIC_LISTS_ENTRY_SLOT_MASK 0x001f0000u
#define MUSTER_NIC_LISTS_ENTRY_SLOT_SHIFT 16
/* 10..0: peer */
#define MUSTER_NIC_LISTS_ENTRY_PEER_MASK 0x000007ffu
#define MUSTER_NIC_LISTS_ENTRY_PEER_SHIFT 0

/* ---- events of a NIC engine with Chained: rdl/nic_events.rdl ---- */

/* event e of context c; written while the context is not valid */
#define MUSTER_NIC_EVENTS_WORD(c, e) (0x400u + 32u * (uint32_t)(c) + (uint32_t)(e))
/* 31: the descriptor writes to a peer */
#define MUSTER_NIC_EVENTS_WORD_WRITE_MASK 0x80000000u
#define MUSTER_NIC_EVENTS_WORD_WRITE_SHIFT 31
/* 30: when it completes the barrier is complete */
#define MUSTER_NIC_EVENTS_WORD_LAST_MASK 0x40000000u
#define MUSTER_NIC_EVENTS_WORD_LAST_SHIFT 30
/* 29..26: counts that fire the event; 0 stands for 16 */
#define MUSTER_NIC_EVENTS_WORD_NEED_MASK 0x3c000000u
#define MUSTER_NIC_EVENTS_WORD_NEED_SHIFT 26
/* 25..21: event that is counted when the descriptor completes, below Steps; without effect in the
 * last */
#define MUSTER_NIC_EVENTS_WORD_NEXT_MASK 0x03e00000u
#define MUSTER_NIC_EVENTS_WORD_NEXT_SHIFT 21
/* 20..16: event of the peer that the write counts */
#define MUSTER_NIC_EVENTS_WORD_SLOT_MASK 0x001f0000u
#define MUSTER_NIC_EVENTS_WORD_SLOT_SHIFT 16
/* 10..0: node */
#define MUSTER_NIC_EVENTS_WORD_PEER_MASK 0x000007ffu
#define MUSTER_NIC_EVENTS_WORD_PEER_SHIFT 0

/* ---- endpoint: rdl/endpoint.rdl ---- */

/* sizes that the endpoint was built with */
#define MUSTER_ENDPOINT_SIZES 0x001u
/* 31..24: Groups */
#define MUSTER_ENDPOINT_SIZES_GROUPS_MASK 0xff000000u
#define MUSTER_ENDPOINT_SIZES_GROUPS_SHIFT 24
/* 23..16: Depth */
#define MUSTER_ENDPOINT_SIZES_DEPTH_MASK 0x00ff0000u
#define MUSTER_ENDPOINT_SIZES_DEPTH_SHIFT 16
/* 15..8: Vcs */
#define MUSTER_ENDPOINT_SIZES_VCS_MASK 0x0000ff00u
#define MUSTER_ENDPOINT_SIZES_VCS_SHIFT 8
/* 7..0: ports, 1 */
#define MUSTER_ENDPOINT_SIZES_PORTS_MASK 0x000000ffu
#define MUSTER_ENDPOINT_SIZES_PORTS_SHIFT 0
#define MUSTER_ENDPOINT_SIZES_PORTS_VALUE 0x1u

/* widths that the endpoint was built with */
#define MUSTER_ENDPOINT_WIDTHS 0x002u
/* 31..16: DataW = FlitW - 2 - GidW */
#define MUSTER_ENDPOINT_WIDTHS_DATA_W_MASK 0xffff0000u
#define MUSTER_ENDPOINT_WIDTHS_DATA_W_SHIFT 16
/* 15..10: GidW */
#define MUSTER_ENDPOINT_WIDTHS_GID_W_MASK 0x0000fc00u
#define MUSTER_ENDPOINT_WIDTHS_GID_W_SHIFT 10
/* 9..0: FlitW */
#define MUSTER_ENDPOINT_WIDTHS_FLIT_W_MASK 0x000003ffu
#define MUSTER_ENDPOINT_WIDTHS_FLIT_W_SHIFT 0

/* all groups, bit g for group g */
#define MUSTER_ENDPOINT_SUMMARY 0x003u
/* 15..8: groups that wait */
#define MUSTER_ENDPOINT_SUMMARY_WAITING_MASK 0x0000ff00u
#define MUSTER_ENDPOINT_SUMMARY_WAITING_SHIFT 8
/* 7..0: groups that are released */
#define MUSTER_ENDPOINT_SUMMARY_RELEASED_MASK 0x000000ffu
#define MUSTER_ENDPOINT_SUMMARY_RELEASED_SHIFT 0

/* destination of packets */
#define MUSTER_ENDPOINT_ADDRESS 0x008u
/* 31: received packets for other addresses are dropped; 1 after reset if Address is below 65536,
 * else 0 */
#define MUSTER_ENDPOINT_ADDRESS_CHECK_MASK 0x80000000u
#define MUSTER_ENDPOINT_ADDRESS_CHECK_SHIFT 31
/* 15..0: the address, compared in all bits: with one that FlitW has no bits for (11 with FlitW 16)
 * every packet is dropped */
#define MUSTER_ENDPOINT_ADDRESS_NODE_MASK 0x0000ffffu
#define MUSTER_ENDPOINT_ADDRESS_NODE_SHIFT 0

/* counts, each saturating at 255 */
#define MUSTER_ENDPOINT_DROPS 0x010u
/* 31..24: barrier messages that no group here waited for */
#define MUSTER_ENDPOINT_DROPS_MESSAGES_MASK 0xff000000u
#define MUSTER_ENDPOINT_DROPS_MESSAGES_SHIFT 24
/* 23..16: arrivals refused */
#define MUSTER_ENDPOINT_DROPS_ARRIVALS_MASK 0x00ff0000u
#define MUSTER_ENDPOINT_DROPS_ARRIVALS_SHIFT 16
/* 15..8: packets dropped because of another address or because they had no beat */
#define MUSTER_ENDPOINT_DROPS_PACKETS_MASK 0x0000ff00u
#define MUSTER_ENDPOINT_DROPS_PACKETS_SHIFT 8
/* 7..0: flits without a head before them */
#define MUSTER_ENDPOINT_DROPS_FLITS_MASK 0x000000ffu
#define MUSTER_ENDPOINT_DROPS_FLITS_SHIFT 0

/* further counts, saturating and cleared likewise */
#define MUSTER_ENDPOINT_STREAM_DROPS 0x011u
/* 31..24: writes of control words refused */
#define MUSTER_ENDPOINT_STREAM_DROPS_CONTROLS_MASK 0xff000000u
#define MUSTER_ENDPOINT_STREAM_DROPS_CONTROLS_SHIFT 24
/* 23..16: packets received that a cut mark ended */
#define MUSTER_ENDPOINT_STREAM_DROPS_CUT_MASK 0x00ff0000u
#define MUSTER_ENDPOINT_STREAM_DROPS_CUT_SHIFT 16
/* 15..8: packets sent that were ended after Timeout cycles without a beat */
#define MUSTER_ENDPOINT_STREAM_DROPS_ABORTED_MASK 0x0000ff00u
#define MUSTER_ENDPOINT_STREAM_DROPS_ABORTED_SHIFT 8
/* 7..0: packets to send that were discarded: destination not below Dests, virtual channel not below
 * Vcs, or opcode 31 */
#define MUSTER_ENDPOINT_STREAM_DROPS_ILLEGAL_MASK 0x000000ffu
#define MUSTER_ENDPOINT_STREAM_DROPS_ILLEGAL_SHIFT 0

/* A write that changes member or gid begins the group anew: status, count and result 0 */
#define MUSTER_ENDPOINT_GROUPS_CONTROL(g) (0x040u + 8u * (uint32_t)(g))
/* 31: the group has a member here */
#define MUSTER_ENDPOINT_GROUPS_CONTROL_MEMBER_MASK 0x80000000u
#define MUSTER_ENDPOINT_GROUPS_CONTROL_MEMBER_SHIFT 31
/* 30: interrupt wanted */
#define MUSTER_ENDPOINT_GROUPS_CONTROL_IRQ_MASK 0x40000000u
#define MUSTER_ENDPOINT_GROUPS_CONTROL_IRQ_SHIFT 30
/* 11..0: group identifier */
#define MUSTER_ENDPOINT_GROUPS_CONTROL_GID_MASK 0x00000fffu
#define MUSTER_ENDPOINT_GROUPS_CONTROL_GID_SHIFT 0

/* arrives */
#define MUSTER_ENDPOINT_GROUPS_ARRIVE(g) (0x041u + 8u * (uint32_t)(g))
/* 31..0: operand, bits 31..0 */
#define MUSTER_ENDPOINT_GROUPS_ARRIVE_OPERAND_MASK 0xffffffffu
#define MUSTER_ENDPOINT_GROUPS_ARRIVE_OPERAND_SHIFT 0

/* state of the group */
#define MUSTER_ENDPOINT_GROUPS_STATUS(g) (0x042u + 8u * (uint32_t)(g))
/* 31..16: barriers released, modulo 65 536 */
#define MUSTER_ENDPOINT_GROUPS_STATUS_COUNT_MASK 0xffff0000u
#define MUSTER_ENDPOINT_GROUPS_STATUS_COUNT_SHIFT 16
/* 9: 1 states that the tree of the group has been written anew and no message of its barrier is
 * left: the group no longer drains */
#define MUSTER_ENDPOINT_GROUPS_STATUS_REWRITTEN_MASK 0x00000200u
#define MUSTER_ENDPOINT_GROUPS_STATUS_REWRITTEN_SHIFT 9
/* 8: 1 gives up the arrival that waits; if its message has been sent, the group drains */
#define MUSTER_ENDPOINT_GROUPS_STATUS_ABANDON_MASK 0x00000100u
#define MUSTER_ENDPOINT_GROUPS_STATUS_ABANDON_SHIFT 8
/* 4: an arrival was given up and its release may still come; the release is discarded, and then the
 * group no longer drains */
#define MUSTER_ENDPOINT_GROUPS_STATUS_DRAINING_MASK 0x00000010u
#define MUSTER_ENDPOINT_GROUPS_STATUS_DRAINING_SHIFT 4
/* 3: a write of the control word was refused */
#define MUSTER_ENDPOINT_GROUPS_STATUS_CONTROL_REFUSED_MASK 0x00000008u
#define MUSTER_ENDPOINT_GROUPS_STATUS_CONTROL_REFUSED_SHIFT 3
/* 2: an arrival was refused */
#define MUSTER_ENDPOINT_GROUPS_STATUS_REFUSED_MASK 0x00000004u
#define MUSTER_ENDPOINT_GROUPS_STATUS_REFUSED_SHIFT 2
/* 1: the member has been released; an arrival also clears it */
#define MUSTER_ENDPOINT_GROUPS_STATUS_RELEASED_MASK 0x00000002u
#define MUSTER_ENDPOINT_GROUPS_STATUS_RELEASED_SHIFT 1
/* 0: the member waits */
#define MUSTER_ENDPOINT_GROUPS_STATUS_WAITING_MASK 0x00000001u
#define MUSTER_ENDPOINT_GROUPS_STATUS_WAITING_SHIFT 0

/* of the last barrier */
#define MUSTER_ENDPOINT_GROUPS_RESULT(g) (0x043u + 8u * (uint32_t)(g))
/* 31..0: bits 31..0 */
#define MUSTER_ENDPOINT_GROUPS_RESULT_DATA_MASK 0xffffffffu
#define MUSTER_ENDPOINT_GROUPS_RESULT_DATA_SHIFT 0

/* operand above its low word, as far as DataW reaches; written before the arrival, ignored while
 * the group waits */
#define MUSTER_ENDPOINT_GROUPS_OPERAND_1(g) (0x044u + 8u * (uint32_t)(g))
/* 31..0: bits 63..32 */
#define MUSTER_ENDPOINT_GROUPS_OPERAND_1_DATA_MASK 0xffffffffu
#define MUSTER_ENDPOINT_GROUPS_OPERAND_1_DATA_SHIFT 0

/* likewise */
#define MUSTER_ENDPOINT_GROUPS_OPERAND_2(g) (0x045u + 8u * (uint32_t)(g))
/* 31..0: bits 95..64 */
#define MUSTER_ENDPOINT_GROUPS_OPERAND_2_DATA_MASK 0xffffffffu
#define MUSTER_ENDPOINT_GROUPS_OPERAND_2_DATA_SHIFT 0

/* result of the last barrier above its low word */
#define MUSTER_ENDPOINT_GROUPS_RESULT_1(g) (0x046u + 8u * (uint32_t)(g))
/* 31..0: bits 63..32 */
#define MUSTER_ENDPOINT_GROUPS_RESULT_1_DATA_MASK 0xffffffffu
#define MUSTER_ENDPOINT_GROUPS_RESULT_1_DATA_SHIFT 0

/* likewise */
#define MUSTER_ENDPOINT_GROUPS_RESULT_2(g) (0x047u + 8u * (uint32_t)(g))
/* 31..0: bits 95..64 */
#define MUSTER_ENDPOINT_GROUPS_RESULT_2_DATA_MASK 0xffffffffu
#define MUSTER_ENDPOINT_GROUPS_RESULT_2_DATA_SHIFT 0

#endif
