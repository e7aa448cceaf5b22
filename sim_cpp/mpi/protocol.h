/* SPDX-License-Identifier: Apache-2.0 */
/* What the library in each rank (calls.c) and the process that holds the network say to each other
 * through shared memory. A rank writes `call`, counts `posted` and rings `bell`; the process writes
 * `reply` and counts `answered`. Both counters and the bell are futexes. */
#ifndef MUSTER_MPI_PROTOCOL_H
#define MUSTER_MPI_PROTOCOL_H

#include <stdint.h>

/* Of shared memory; words of data and ranks of a call are as many as fit. */
enum { MUSTER_PROTOCOL = 2, MUSTER_WORDS = 64, MUSTER_RANKS = 256 };

/* Kinds of calls. */
enum {
  MUSTER_COLLECTIVE, /* all ranks of a communicator meet */
  MUSTER_WAIT,       /* for `handle` */
  MUSTER_TEST,       /* whether `handle` is complete */
  MUSTER_ENTER,      /* begins a call of MPI itself, which may wait for other ranks */
  MUSTER_LEAVE,      /* ends it */
  MUSTER_CREATE,     /* of a communicator: `count` ranks in `members`; the reply has its number */
  MUSTER_FREE,       /* of a communicator */
  MUSTER_FINALIZE,   /* the last call */
  /* Of the driver (driver.c), at the endpoint of the rank. */
  MUSTER_READ,      /* the word at `address`, which the reply has as its number */
  MUSTER_WRITE,     /* of `word` */
  MUSTER_INTERRUPT, /* waits for it */
  MUSTER_ROUND      /* the barrier is over; its result is `word` */
};

/* Flags of a collective call. */
enum {
  MUSTER_NONBLOCKING = 1, /* the reply has a handle and comes at once */
  MUSTER_FOREIGN = 2,     /* MPI computes the result, whatever the network can do */
  MUSTER_FROM_ROOT = 4    /* the data are those of the root alone */
};

struct muster_call {
  uint32_t kind;
  uint32_t comm;               /* number of the communicator, 0: all ranks */
  uint32_t op;                 /* as in a control word (fabric::ReduceOp) */
  uint32_t bits;               /* of an element, 0: no data */
  uint32_t count;              /* elements */
  uint32_t flags;              /* of the call */
  uint32_t root;               /* rank in the communicator, if the call has one */
  uint32_t handle;             /* of a call that does not wait */
  uint32_t address, word;      /* of the driver */
  uint64_t work_ns;            /* processor time since the call before */
  char name[24];               /* MPI_Barrier */
  char site[64];               /* where the program calls: file+offset */
  uint64_t data[MUSTER_WORDS]; /* elements as unsigned numbers, in the order of their values */
  uint16_t members[MUSTER_RANKS];
};

/* Flags of a reply. */
enum {
  MUSTER_BY_MPI = 1,   /* all ranks have met; MPI computes the result */
  MUSTER_COMPLETE = 2, /* the tested call is complete */
  MUSTER_CHECK = 4,    /* MPI computes the result too, to compare */
  MUSTER_BY_DRIVER = 8 /* the driver takes data[0] to a barrier of group `number` */
};

struct muster_reply {
  uint32_t flags;
  uint32_t number; /* handle, communicator, group, or word that was read */
  uint64_t data[MUSTER_WORDS];
};

struct muster_rank {
  uint32_t posted, answered; /* calls so far */
  int32_t pid;               /* of the program; 0: not started */
  uint32_t ended;            /* 1: it has ended, with this status of waitpid */
  int32_t status;
  struct muster_call call;
  struct muster_reply reply;
};

struct muster_shared {
  uint32_t protocol, ranks;
  uint32_t bell;    /* counts posted calls and ends of all ranks */
  uint32_t differs; /* results that were not MPI's, with MUSTER_CHECK */
  int32_t server;   /* pid of the process that holds the network */
  struct muster_rank rank[MUSTER_RANKS];
};

#endif
