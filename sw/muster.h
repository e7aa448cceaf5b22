/* SPDX-License-Identifier: Apache-2.0 */
/* The driver of Muster's blocks: C99, no allocation, no library function, not even one that a
 * compiler calls by itself. docs/how-to/driver.md has the order in which a network is brought up,
 * and a worked route.
 *
 * A block is reached through a muster_bus. All functions take a moment and keep no state but what
 * is in the structs of the caller; two threads may use two blocks at once, not one. Of what can
 * fail they return a muster_status; MUSTER_OK is 0. */
#ifndef MUSTER_H
#define MUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "muster_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Outcomes ---- */

/* What a function returns, with its text. */
#define MUSTER_STATUSES(S) \
  S(MUSTER_OK, "done") \
  S(MUSTER_NO_BLOCK, "no block of Muster answers there") \
  S(MUSTER_WRONG_KIND, "the block is of another kind") \
  S(MUSTER_WRONG_VERSION, "the block has a register map of another version") \
  S(MUSTER_BAD_ARGUMENT, "the block has no such port, destination, group, register or operand") \
  S(MUSTER_NOT_READY, "the switch still clears its routing table") \
  S(MUSTER_NO_ROUTES, "the routing table has not been written yet") \
  S(MUSTER_NOT_SUPPORTED, "the block was built without it") \
  S(MUSTER_SLOT_IN_USE, "the register has a group") \
  S(MUSTER_GROUP_IN_USE, "another register, or group of the endpoint, has the identifier") \
  S(MUSTER_NO_GROUP, "the register has no group") \
  S(MUSTER_PARENT_IS_CHILD, "the parent port is in the child mask") \
  S(MUSTER_UNDER_WAY, "a barrier of the group is under way") \
  S(MUSTER_DRAINING, "the arrival is given up, and its release may still come") \
  S(MUSTER_RELEASED, "the member had been released, and nothing is given up") \
  S(MUSTER_NOT_WRITTEN, "the block did not keep what was written") \
  S(MUSTER_REFUSED, "the endpoint did not take the arrival") \
  S(MUSTER_FAILED, "the barrier has failed") \
  S(MUSTER_TIMEOUT, "it did not happen in time") \
  S(MUSTER_NOT_DOWN, "the link is not down") \
  S(MUSTER_OTHER_NETWORK, \
    "the switches are not those of the network, or hold other words than its image") \
  S(MUSTER_IDLE, "the member has not arrived, or its release was acknowledged")

#define MUSTER_STATUS_NAME(name, text) name,
typedef enum muster_status {
  MUSTER_STATUSES(MUSTER_STATUS_NAME) MUSTER_STATUS_COUNT
} muster_status;
#undef MUSTER_STATUS_NAME

/* Its text, a clause in English, for any value. */
const char* muster_status_text(muster_status status);

/* ---- Access ---- */

/* One block's register port, or one that leads to several. Addresses are those of words. */
typedef struct muster_bus {
  uint32_t (*read)(void* context, uint32_t address);
  void (*write)(void* context, uint32_t address, uint32_t word);
  void* context;
  uint32_t offset; /* of the block: added to each address */
} muster_bus;

/* A port that is mapped to memory: word 0 is at `base`. */
muster_bus muster_bus_at(volatile uint32_t* base);
/* The block whose word 0 is word `offset` of this bus. */
muster_bus muster_bus_from(const muster_bus* bus, uint32_t offset);

/* ---- Switches ---- */

/* A set of ports: bit p is port p. */
typedef uint64_t muster_ports;

/* The set of one port; empty from 64 on. The shifts need no function on processors of 32 bits. */
static inline muster_ports muster_port(uint32_t port) {
  if (port < 32) return (uint32_t)1 << port;
  return port < 64 ? (muster_ports)((uint32_t)1 << (port - 32)) << 32 : 0;
}

/* A barrier switch. Fill it with muster_switch_open(); its fields are to be read. */
typedef struct muster_switch {
  muster_bus bus;
  uint32_t destinations; /* entries of the routing table */
  uint32_t groups;       /* in block RAM, 0: barrier registers */
  uint8_t registers;     /* barrier registers */
  uint8_t ports;
  uint8_t channels;
  uint8_t depth;      /* flits in an input queue: the credits that a neighbour begins with */
  uint8_t gid_width;  /* bits */
  uint16_t flit_width; /* bits */
  bool routed;        /* the table has been written */
} muster_switch;

/* An entry of a routing table. `ports` is a mask, not the number of a port: bit p says that a
 * packet for the destination may leave through port p; the lowest bit is the deterministic route.
 */
typedef struct muster_route {
  uint32_t destination;
  muster_ports ports;
} muster_route;

/* Step 1: identity, version and sizes. */
muster_status muster_switch_open(muster_switch* sw, const muster_bus* bus);
/* Step 2: waits until the block has cleared its memories, its routing table among them, at most
 * `polls` reads. */
muster_status muster_switch_wait_ready(const muster_switch* sw, uint32_t polls);
/* Step 3: writes the whole table, before the first packet: these entries, and 0, no route, for
 * every other destination. While the switch sweeps the table, this function and the next two write
 * nothing and return MUSTER_NOT_READY. */
muster_status muster_switch_write_routes(muster_switch* sw, const muster_route* routes,
                                         uint32_t count);
/* One entry again, later. */
muster_status muster_switch_change_route(muster_switch* sw, const muster_route* route);
/* Packets for `destination` are for this switch: they read and write its registers. */
muster_status muster_switch_route_to_itself(muster_switch* sw, uint32_t destination);
/* Step 4: packets that come in at these ports may write barrier registers. After the routes. */
muster_status muster_switch_permit(const muster_switch* sw, muster_ports ports);
/* Messages of groups without register go to the node at this port. Before the first message. */
muster_status muster_switch_spill_to(const muster_switch* sw, uint8_t port);

/* ---- Networks ---- */

/* A word of a network's image: its address on the control port, and what its loader writes there
 * after reset. */
typedef struct muster_image_word {
  uint32_t address;
  uint32_t word;
} muster_image_word;

/* The port of a switch that a node is at. */
typedef struct muster_place {
  uint16_t sw;
  uint8_t port;
} muster_place;

/* A network that is one module, as the C header that `muster topo export` writes describes it. */
typedef struct muster_network {
  uint32_t switches;
  uint32_t window; /* words from one switch to the next, a power of two */
  uint32_t destinations;
  uint32_t groups; /* of each switch, in block RAM, 0: barrier registers */
  uint8_t registers;
  uint8_t ports;
  uint8_t channels;
  uint8_t depth;
  uint8_t gid_width;
  uint16_t flit_width;
  uint32_t words;                 /* of the image */
  const muster_image_word* image; /* that can be read: all but routes */
  uint32_t nodes;
  const muster_place* places; /* of nodes */
} muster_network;

/* Steps 1 to 4 of all switches of a network whose hardware has loaded its image. Opens them through
 * the control port, and compares their sizes and the words of the image with the description:
 * MUSTER_OTHER_NETWORK if something differs, if there is a first switch but not each of the others,
 * or if the description has none; no switch is `routed` then. Hardware with more switches than the
 * description is not noticed. Writes only SELECT of switches with groups in block RAM. `switches`
 * has a place for each. After a restart of the program alone the groups may be others; open a copy
 * with `words` 0 then. */
muster_status muster_network_open(const muster_network* network, const muster_bus* control,
                                  muster_switch* switches);

/* ---- Groups ---- */

/* What a switch is told of a group. */
typedef struct muster_group {
  uint16_t gid;
  muster_ports children; /* child switches and local member nodes */
  uint8_t parent;        /* number of a port; of the root that of its root node, if it has one */
  uint8_t operation;     /* MUSTER_OPERATION_* */
  bool turn;             /* the switch is the root and reflects; `parent` is ignored */
} muster_group;

/* How far a barrier is. */
typedef struct muster_progress {
  muster_ports arrived; /* of the children */
  muster_ports serve;   /* those that are still to be released */
  bool sent;            /* the reduction message is on its way to the parent */
  bool waits;           /* a message of the group has not left, of groups in block RAM */
  bool failed;          /* of registers that repeat */
  bool suspect;         /* of registers that repeat: a member has been missing for long */
} muster_progress;

/* Who arrived last at the last barrier of a group for which all children have. */
typedef struct muster_straggler {
  uint8_t port;    /* where its arrival came in; of several in one cycle the lowest */
  uint16_t cycles; /* that the first arrival had waited for it; 65535 means as many or more */
} muster_straggler;

/* `slot` is the number of a barrier register; with groups in block RAM it is the identifier.
 *
 * Creates a group in a slot that has none: first the child mask, then the control word, which makes
 * it valid; both are read back. */
muster_status muster_group_create(const muster_switch* sw, uint16_t slot,
                                  const muster_group* group);
/* A slot that has no group; MUSTER_SLOT_IN_USE if there is none. Not for groups in block RAM. */
/* Of a switch with parameter Labels, before its group is created: what the messages of the slot
 * carry through each port, `labels` by port. It is the group's slot in the switch there, of a port
 * with a node `slot` itself (docs/systems/barrier-switch.md, Labels). They cannot be read. */
muster_status muster_group_labels(const muster_switch* sw, uint16_t slot, const uint8_t* labels);
muster_status muster_group_free_slot(const muster_switch* sw, uint16_t* slot);
muster_status muster_group_read(const muster_switch* sw, uint16_t slot, muster_group* group);
muster_status muster_group_progress(const muster_switch* sw, uint16_t slot,
                                    muster_progress* progress);
/* False if the register has had no barrier since it was written, or the switch was built without
 * parameter Straggler. At the root switch: the slowest child. If a switch is behind the port, it is
 * asked next. */
bool muster_group_straggler(const muster_switch* sw, uint16_t slot, muster_straggler* straggler);
/* Other children, between two barriers: MUSTER_UNDER_WAY otherwise, and nothing is written. */
muster_status muster_group_change(const muster_switch* sw, uint16_t slot, muster_ports children);
/* Frees the slot, between two barriers: MUSTER_UNDER_WAY otherwise, and nothing is written. */
muster_status muster_group_release(const muster_switch* sw, uint16_t slot);
/* The barrier that is under way fails, of registers that repeat. */
muster_status muster_group_abort(const muster_switch* sw, uint16_t slot);

/* ---- What was dropped ---- */

/* What a word of drops says: how many, and the first of them. */
typedef struct muster_drop {
  uint8_t count; /* saturates at 255 */
  uint8_t port;
  uint16_t gid;       /* of barrier messages */
  const char* what;   /* what it was, a noun */
  const char* reason; /* why, a clause */
} muster_drop;

typedef enum muster_drop_kind {
  MUSTER_DROPPED_MESSAGES, /* barrier messages */
  MUSTER_DROPPED_REQUESTS, /* packets for the switch itself */
  MUSTER_REFUSED_WRITES,   /* with parameter Guard, as the next two */
  MUSTER_LOST_FLITS,
  MUSTER_GIVEN_UP_MESSAGES /* and Spill */
} muster_drop_kind;

/* With `count` 0 the rest is not valid: nothing was dropped. A word that the block does not have
 * says that too. */
muster_drop muster_switch_drops(const muster_switch* sw, muster_drop_kind kind);
/* Sets the count to 0; the next drop is the first one again. */
void muster_switch_clear_drops(const muster_switch* sw, muster_drop_kind kind);
/* Packets without a route; saturates at 65535, and cannot be cleared. */
uint16_t muster_switch_unroutable(const muster_switch* sw);

/* All counts of a switch; of what it was built without, 0. `unroutable` and `headless` cannot be
 * cleared. */
typedef struct muster_switch_counts {
  uint16_t unroutable;
  uint8_t headless; /* flits without a head before them; saturates at 255 */
  uint8_t messages;
  uint8_t requests;
  uint8_t refused_writes;
  uint8_t lost_flits;
  uint8_t given_up;
} muster_switch_counts;

/* False if each of them is 0. */
bool muster_switch_read_counts(const muster_switch* sw, muster_switch_counts* counts);

/* What a port has done since its counts were cleared, with parameter Counters; 0 without. All
 * saturate. */
typedef struct muster_port_counts {
  uint32_t flits;  /* that have left */
  uint32_t stalls; /* cycles in which data waited for the output */
  uint32_t losses; /* cycles in which something that came in was dropped */
} muster_port_counts;

muster_port_counts muster_switch_port_counts(const muster_switch* sw, uint8_t port);
void muster_switch_clear_port_counts(const muster_switch* sw, uint8_t port);

#define MUSTER_CAUSE_DROPS 1u     /* something was dropped at a port */
#define MUSTER_CAUSE_REFUSALS 2u  /* a write was refused */
#define MUSTER_CAUSE_OVERFLOWS 4u /* a flit had no place, or a message was given up */
#define MUSTER_CAUSE_SUSPECTS 8u  /* a register is suspect; cannot be cleared */
#define MUSTER_CAUSE_DAMAGE 16u   /* a routing entry or a group's word has wrong parity */

/* These causes set irq_o, others do not. MUSTER_NOT_SUPPORTED without parameter Counters, but for
 * none; MUSTER_BAD_ARGUMENT for any other bit. */
muster_status muster_switch_interrupt_on(const muster_switch* sw, uint32_t causes);
/* The causes since the last call, without MUSTER_CAUSE_SUSPECTS. */
uint32_t muster_switch_take_causes(const muster_switch* sw);

/* ---- Link ends ---- */

typedef struct muster_link {
  muster_bus bus;
} muster_link;

typedef struct muster_link_status {
  uint8_t state;  /* MUSTER_LINK_STATE_* */
  uint8_t reason; /* MUSTER_LINK_REASON_*, of a link that is down */
  bool drained;   /* down, and nothing is left in it */
  bool restarts;  /* it has been asked to start again */
  uint8_t replays;
  uint8_t rejected;
  uint8_t lost;
} muster_link_status;

muster_status muster_link_open(muster_link* link, const muster_bus* bus);
muster_link_status muster_link_read(const muster_link* link);
/* Waits until it is up, at most `polls` reads. */
muster_status muster_link_wait_up(const muster_link* link, uint32_t polls);
/* A link that is down starts again when it is drained; MUSTER_NOT_DOWN otherwise. */
muster_status muster_link_retrain(const muster_link* link);
void muster_link_take_down(const muster_link* link);
void muster_link_clear_counters(const muster_link* link);
const char* muster_link_state_text(uint8_t state);
const char* muster_link_reason_text(uint8_t reason);

/* ---- A member ---- */

#define MUSTER_MEMBER_WAITING 1u   /* has arrived, and is not released */
#define MUSTER_MEMBER_RELEASED 2u  /* since the last arrival */
#define MUSTER_MEMBER_REFUSED 4u   /* the last arrival was not taken */
#define MUSTER_MEMBER_FAILED 8u    /* the barrier has failed */
#define MUSTER_MEMBER_DRAINING 16u /* an arrival was given up, and its release may still come */

/* What one member of one group does at its node, whatever the node's hardware is. */
typedef struct muster_member {
  void (*arrive)(void* context, uint32_t operand); /* one store */
  uint32_t (*state)(void* context);                /* MUSTER_MEMBER_* */
  uint32_t (*result)(void* context);               /* data of the last release */
  /* Null if the node has none. An interrupt on a release: false if the node did not take it. */
  bool (*interrupt)(void* context, bool enable);
  void (*acknowledge)(void* context); /* clears the release and refusal bits */
  void* context;
  uint8_t operand_width; /* bits that the group's messages have for data */
} muster_member;

/* Arrives at the barrier with data. MUSTER_UNDER_WAY if it has not been released from the last,
 * MUSTER_BAD_ARGUMENT if the operand has more bits than `operand_width`; nothing is written. */
muster_status muster_arrive(const muster_member* member, uint32_t operand);
/* MUSTER_OK: released. MUSTER_UNDER_WAY: not yet, or the member drains. MUSTER_REFUSED: the last
 * arrival was not taken. MUSTER_IDLE: none since the member joined, drained or acknowledged. */
muster_status muster_test(const muster_member* member);
/* Tests while a barrier is under way, at most `polls` times, then MUSTER_TIMEOUT. The result may be
 * null. */
muster_status muster_wait(const muster_member* member, uint32_t polls, uint32_t* result);
/* Takes the interrupt of a release back, and the mark of a refused arrival; the result stays until
 * the next release. The next arrival does it too. MUSTER_UNDER_WAY while the member waits. */
muster_status muster_acknowledge(const muster_member* member);
/* An interrupt at each release, or none. At any time: an arrival that waits is not touched. */
muster_status muster_interrupt(const muster_member* member, bool enable);

/* ---- Endpoints between AXI-Streams ---- */

/* An endpoint. Fill it with muster_endpoint_open(); its fields are to be read. */
typedef struct muster_endpoint {
  muster_bus bus;
  uint8_t groups; /* that its node can be a member of at once */
  uint8_t channels;
  uint8_t depth;
  uint8_t gid_width;   /* bits */
  uint16_t flit_width;  /* bits */
  uint16_t data_width; /* bits of an operand */
} muster_endpoint;

muster_status muster_endpoint_open(muster_endpoint* endpoint, const muster_bus* bus);

/* All groups of an endpoint at once: bit g is group g. */
typedef struct muster_endpoint_state {
  uint8_t waiting;
  uint8_t released;
} muster_endpoint_state;

muster_endpoint_state muster_endpoint_read_state(const muster_endpoint* endpoint);

/* What an endpoint has dropped; each count saturates at 255. */
typedef struct muster_endpoint_counts {
  uint8_t messages; /* of barriers that no group here waited for */
  uint8_t arrivals; /* refused */
  uint8_t packets;  /* for another address, or without a beat */
  uint8_t flits;    /* without a head before them */
  uint8_t controls; /* words of groups refused */
  uint8_t cut;      /* packets received that a cut mark ended */
  uint8_t aborted;  /* packets sent whose beats did not come in time */
  uint8_t illegal;  /* packets to send: no such destination, channel or opcode */
} muster_endpoint_counts;

/* False if each of them is 0. */
bool muster_endpoint_read_counts(const muster_endpoint* endpoint, muster_endpoint_counts* counts);
/* Sets all counts to 0. */
void muster_endpoint_clear_counts(const muster_endpoint* endpoint);

/* A member at an endpoint. Kept by the caller as long as the member is used. */
typedef struct muster_endpoint_group {
  muster_bus bus;
  uint8_t group; /* of the endpoint, below its `groups` */
} muster_endpoint_group;

/* Makes the node a member, after the group has been created in the switches, and says how it
 * arrives and waits. Interrupts are off, and no release or refusal of an earlier barrier is left.
 * MUSTER_UNDER_WAY if the group of the endpoint waits or drains, MUSTER_GROUP_IN_USE if another one
 * has the identifier. `at` and `member` are filled then too: a program that has started again can
 * call the functions below. */
muster_status muster_endpoint_join(muster_endpoint_group* at, const muster_endpoint* endpoint,
                                   uint8_t group, uint16_t gid, muster_member* member);
/* Between two barriers: MUSTER_UNDER_WAY while the member waits or drains. */
muster_status muster_endpoint_leave(const muster_endpoint_group* at);
/* Gives up the arrival that waits, of a group that died. MUSTER_OK: no arrival is left, and the
 * member may arrive or leave. MUSTER_DRAINING: the message of the arrival had been sent, so its
 * release may still come; the release is discarded, and then the member no longer drains.
 * MUSTER_RELEASED: the release came before; nothing was given up. */
muster_status muster_endpoint_abandon(const muster_endpoint_group* at);
/* The barrier registers of the group's tree have been written anew and no message of the abandoned
 * barrier is left in a switch or on a link: the member drains no longer. Software must guarantee
 * this. */
void muster_endpoint_rewritten(const muster_endpoint_group* at);

#ifdef __cplusplus
}
#endif

#endif
