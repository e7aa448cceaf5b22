/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded between a program and MPI by `muster mpi`: what all ranks of a communicator do together
 * goes to the simulated network (protocol.h), everything else to MPI with its arguments as they
 * are. Of a call of MPI that may wait, the process that holds the network is told begin and end.
 * docs/how-to/mpi.md lists calls, operations and types. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "protocol.h"

static struct muster_shared* shared; /* NULL: no network, every call goes to MPI */
static struct muster_rank* mine;
static int keyval = MPI_KEYVAL_INVALID; /* of communicators: their number + 1 */
static uint64_t mark_ns;                /* processor time at the end of the call before */

static uint64_t processor_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static _Noreturn void give_up(const char* what, const char* why) {
  fprintf(stderr, "muster: %s: %s\n", what, why);
  _exit(1);
}

/* --- Calls to the process that holds the network. --- */

/* Posts `mine->call`, whose fields are set, and waits for the reply. */
static void post(uint32_t kind) {
  mine->call.kind = kind;
  const uint64_t now_ns = processor_ns();
  mine->call.work_ns = now_ns > mark_ns ? now_ns - mark_ns : 0;
  const uint32_t number = __atomic_add_fetch(&mine->posted, 1, __ATOMIC_ACQ_REL);
  __atomic_add_fetch(&shared->bell, 1, __ATOMIC_ACQ_REL);
  syscall(SYS_futex, &shared->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
  for (;;) {
    const uint32_t answered = __atomic_load_n(&mine->answered, __ATOMIC_ACQUIRE);
    if (answered == number) break;
    const struct timespec second = {1, 0};
    syscall(SYS_futex, &mine->answered, FUTEX_WAIT, answered, &second, NULL, 0);
    if (kill(shared->server, 0) != 0 && errno == ESRCH)
      give_up(mine->call.name, "the process that holds the network has ended");
  }
  mark_ns = processor_ns();
}

/* "program+0x1a2f": what addr2line -e program 0x1a2f finds. */
static const char* site_text(const void* address) {
  static struct {
    const void* address;
    char text[sizeof mine->call.site];
  } known[64];
  const size_t at = ((uintptr_t)address >> 2) % 64;
  if (known[at].address == address) return known[at].text;
  Dl_info info;
  known[at].address = address;
  if (dladdr(address, &info) != 0 && info.dli_fname != NULL) {
    const char* const slash = strrchr(info.dli_fname, '/');
    snprintf(known[at].text, sizeof known[at].text, "%.40s+0x%lx",
             slash != NULL ? slash + 1 : info.dli_fname,
             (unsigned long)((uintptr_t)address - (uintptr_t)info.dli_fbase));
  } else {
    snprintf(known[at].text, sizeof known[at].text, "%p", address);
  }
  return known[at].text;
}

static void describe(const char* name, const void* address) {
  struct muster_call* const call = &mine->call;
  snprintf(call->name, sizeof call->name, "%s", name);
  snprintf(call->site, sizeof call->site, "%s", site_text(address));
  call->comm = call->op = call->bits = call->count = call->flags = call->root = call->handle = 0;
}

static void enter(const char* name, const void* address) {
  if (shared == NULL) return;
  describe(name, address);
  post(MUSTER_ENTER);
}

static void leave(void) {
  if (shared != NULL) post(MUSTER_LEAVE);
}

/* Number of a communicator; -1: the network does not know it. */
static int number_of(MPI_Comm comm) {
  int found = 0;
  intptr_t* number = NULL;
  if (shared == NULL || comm == MPI_COMM_NULL) return -1;
  if (comm == MPI_COMM_WORLD) return 0;
  PMPI_Comm_get_attr(comm, keyval, (void*)&number, &found);
  return found ? (int)((intptr_t)number - 1) : -1;
}

/* --- Types and operations. --- */

struct type {
  MPI_Datatype type;
  uint32_t bytes;
  char kind; /* 's'igned, 'u'nsigned, 'f'loating point, 'b'ytes */
};

static struct type type_of(MPI_Datatype type) {
#define TYPE(name, c, kind) \
  if (type == name) return (struct type){name, sizeof(c), kind}
  TYPE(MPI_INT, int, 's');
  TYPE(MPI_DOUBLE, double, 'f');
  TYPE(MPI_LONG, long, 's');
  TYPE(MPI_LONG_LONG, long long, 's');
  TYPE(MPI_UNSIGNED, unsigned, 'u');
  TYPE(MPI_UNSIGNED_LONG, unsigned long, 'u');
  TYPE(MPI_UNSIGNED_LONG_LONG, unsigned long long, 'u');
  TYPE(MPI_FLOAT, float, 'f');
  TYPE(MPI_CHAR, char, 'b');
  TYPE(MPI_BYTE, char, 'b');
  TYPE(MPI_SIGNED_CHAR, signed char, 's');
  TYPE(MPI_UNSIGNED_CHAR, unsigned char, 'u');
  TYPE(MPI_SHORT, short, 's');
  TYPE(MPI_UNSIGNED_SHORT, unsigned short, 'u');
  TYPE(MPI_INT8_T, int8_t, 's');
  TYPE(MPI_INT16_T, int16_t, 's');
  TYPE(MPI_INT32_T, int32_t, 's');
  TYPE(MPI_INT64_T, int64_t, 's');
  TYPE(MPI_UINT8_T, uint8_t, 'u');
  TYPE(MPI_UINT16_T, uint16_t, 'u');
  TYPE(MPI_UINT32_T, uint32_t, 'u');
  TYPE(MPI_UINT64_T, uint64_t, 'u');
  TYPE(MPI_C_BOOL, _Bool, 'u');
#undef TYPE
  return (struct type){type, 0, 0};
}

enum { OR = 0, XOR = 1, MAX = 2, SUM = 3, AND = 4, MIN = 6, NONE = 99 }; /* fabric::ReduceOp */

struct reduction {
  struct type type;
  uint32_t op;
  int logical; /* numbers are 0 or not */
};

static struct reduction reduction_of(MPI_Datatype type, MPI_Op op) {
  struct reduction r = {type_of(type), NONE, op == MPI_LOR || op == MPI_LAND || op == MPI_LXOR};
  if (op == MPI_BOR || op == MPI_LOR) r.op = OR;
  if (op == MPI_BAND || op == MPI_LAND) r.op = AND;
  if (op == MPI_BXOR || op == MPI_LXOR) r.op = XOR;
  if (op == MPI_MAX) r.op = MAX;
  if (op == MPI_MIN) r.op = MIN;
  if (op == MPI_SUM) r.op = SUM;
  const int ordered = r.op == MAX || r.op == MIN;
  const int whole = r.type.kind == 's' || r.type.kind == 'u';
  if (!whole && !(r.type.kind == 'f' && ordered) && !(r.type.kind == 'b' && r.op < SUM && !ordered))
    r.op = NONE;
  if (type == MPI_C_BOOL && !r.logical) r.op = NONE;
  return r;
}

/* As an unsigned number whose order, for MAX and MIN, is that of the values. */
static uint64_t number_from(struct reduction r, const char* from) {
  uint64_t number = 0;
  memcpy(&number, from, r.type.bytes);
  if (r.logical) return number != 0;
  const uint64_t sign = (uint64_t)1 << (8 * r.type.bytes - 1);
  if (r.op != MAX && r.op != MIN) return number;
  if (r.type.kind == 's') return number ^ sign;
  if (r.type.kind == 'f') return (number & sign) != 0 ? ~number & (2 * sign - 1) : number | sign;
  return number;
}

static void number_to(struct reduction r, uint64_t number, char* to) {
  const uint64_t sign = (uint64_t)1 << (8 * r.type.bytes - 1);
  if ((r.op == MAX || r.op == MIN) && r.type.kind == 's') number ^= sign;
  if ((r.op == MAX || r.op == MIN) && r.type.kind == 'f')
    number = (number & sign) != 0 ? number ^ sign : ~number & (2 * sign - 1);
  memcpy(to, &number, r.type.bytes);
}

/* --- What all ranks of a communicator do together. --- */

/* Posts a reduction; 1: MPI must compute the result, after all have met. */
static int reduce(int comm, const void* from, int count, struct reduction r, int root,
                  uint32_t flags) {
  struct muster_call* const call = &mine->call;
  call->comm = (uint32_t)comm;
  call->root = (uint32_t)root;
  call->flags = flags;
  if (r.op == NONE || count < 1 || count > MUSTER_WORDS) {
    call->flags |= MUSTER_FOREIGN;
  } else {
    call->op = r.op;
    call->bits = r.logical ? 1 : 8 * r.type.bytes;
    call->count = (uint32_t)count;
    for (int i = 0; i < count; ++i)
      call->data[i] = number_from(r, (const char*)from + (size_t)i * r.type.bytes);
  }
  post(MUSTER_COLLECTIVE);
  return (mine->reply.flags & MUSTER_BY_MPI) != 0;
}

static void store(void* to, int count, struct reduction r) {
  for (int i = 0; i < count; ++i)
    number_to(r, mine->reply.data[i], (char*)to + (size_t)i * r.type.bytes);
}

/* With --check: `theirs` is what MPI has computed. */
static void compare(const char* name, const void* ours, const void* theirs, size_t bytes) {
  if (memcmp(ours, theirs, bytes) == 0) return;
  __atomic_add_fetch(&shared->differs, 1, __ATOMIC_RELAXED);
  fprintf(stderr, "muster: %s at %s: the result is not that of MPI\n", name, mine->call.site);
}

#define HERE __builtin_return_address(0)

int MPI_Barrier(MPI_Comm comm) {
  const int number = number_of(comm);
  if (number < 0) {
    enter("MPI_Barrier", HERE);
    const int status = PMPI_Barrier(comm);
    leave();
    return status;
  }
  describe("MPI_Barrier", HERE);
  mine->call.comm = (uint32_t)number;
  post(MUSTER_COLLECTIVE);
  return MPI_SUCCESS;
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  const int number = number_of(comm);
  if (number < 0) {
    enter("MPI_Allreduce", HERE);
    const int status = PMPI_Allreduce(send, receive, count, type, op, comm);
    leave();
    return status;
  }
  const struct reduction r = reduction_of(type, op);
  describe("MPI_Allreduce", HERE);
  const int by_mpi = reduce(number, send == MPI_IN_PLACE ? receive : send, count, r, 0, 0);
  int status = MPI_SUCCESS;
  if (by_mpi) {
    status = PMPI_Allreduce(send, receive, count, type, op, comm);
  } else if (shared->check) {
    uint64_t theirs[MUSTER_WORDS];
    status = PMPI_Allreduce(send == MPI_IN_PLACE ? receive : send, theirs, count, type, op, comm);
    store(receive, count, r);
    compare("MPI_Allreduce", receive, theirs, (size_t)count * r.type.bytes);
  } else {
    store(receive, count, r);
  }
  mark_ns = processor_ns();
  return status;
}

int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  const int number = number_of(comm);
  if (number < 0) {
    enter("MPI_Reduce", HERE);
    const int status = PMPI_Reduce(send, receive, count, type, op, root, comm);
    leave();
    return status;
  }
  int rank;
  PMPI_Comm_rank(comm, &rank);
  const struct reduction r = reduction_of(type, op);
  const void* const from = send == MPI_IN_PLACE ? receive : send;
  describe("MPI_Reduce", HERE);
  const int by_mpi = reduce(number, from, count, r, root, 0);
  int status = MPI_SUCCESS;
  if (by_mpi) {
    status = PMPI_Reduce(send, receive, count, type, op, root, comm);
  } else if (shared->check) {
    uint64_t theirs[MUSTER_WORDS];
    status = PMPI_Reduce(from, theirs, count, type, op, root, comm);
    if (rank == root) {
      store(receive, count, r);
      compare("MPI_Reduce", receive, theirs, (size_t)count * r.type.bytes);
    }
  } else if (rank == root) {
    store(receive, count, r);
  }
  mark_ns = processor_ns();
  return status;
}

/* An OR of the root's bytes with zeros. */
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int number = number_of(comm);
  if (number < 0) {
    enter("MPI_Bcast", HERE);
    const int status = PMPI_Bcast(buffer, count, type, root, comm);
    leave();
    return status;
  }
  int rank;
  PMPI_Comm_rank(comm, &rank);
  const size_t each = type_of(type).bytes;
  const size_t bytes = count < 0 ? 0 : (size_t)count * each;
  uint64_t words[MUSTER_WORDS] = {0};
  const struct reduction bits = {
      {MPI_UINT64_T, 8, 'u'}, each == 0 || bytes > sizeof words ? NONE : OR, 0};
  if (rank == root && bits.op != NONE) memcpy(words, buffer, bytes);
  describe("MPI_Bcast", HERE);
  const int by_mpi = reduce(number, words, (int)((bytes + 7) / 8), bits, root, 0);
  int status = MPI_SUCCESS;
  if (by_mpi) {
    status = PMPI_Bcast(buffer, count, type, root, comm);
  } else {
    store(words, (int)((bytes + 7) / 8), bits);
    if (rank != root) memcpy(buffer, words, bytes);
    if (shared->check) {
      char theirs[sizeof words];
      memcpy(theirs, buffer, bytes);
      status = PMPI_Bcast(theirs, count, type, root, comm);
      compare("MPI_Bcast", buffer, theirs, bytes);
    }
  }
  mark_ns = processor_ns();
  return status;
}

/* --- Calls that do not wait. --- */

struct open_call {
  MPI_Request request; /* a generalized request of MPI, which the program gets */
  uint32_t handle;
  void* to; /* the result, NULL: of a barrier */
  int count;
  struct reduction reduction;
  struct open_call* next;
};
static struct open_call* open_calls;

static int query(void* state, MPI_Status* status) {
  (void)state;
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int ignore_free(void* state) { return (void)state, MPI_SUCCESS; }
static int ignore_cancel(void* state, int complete) {
  return (void)state, (void)complete, MPI_SUCCESS;
}

static int open_call(MPI_Request* request, void* to, int count, struct reduction r) {
  struct open_call* const open = malloc(sizeof *open);
  if (open == NULL) give_up(mine->call.name, "no memory");
  *open = (struct open_call){MPI_REQUEST_NULL, mine->reply.number, to, count, r, open_calls};
  open_calls = open;
  const int status = PMPI_Grequest_start(query, ignore_free, ignore_cancel, NULL, &open->request);
  *request = open->request;
  mark_ns = processor_ns();
  return status;
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  const int number = number_of(comm);
  if (number < 0) return PMPI_Ibarrier(comm, request);
  describe("MPI_Ibarrier", HERE);
  mine->call.comm = (uint32_t)number;
  mine->call.flags = MUSTER_NONBLOCKING;
  post(MUSTER_COLLECTIVE);
  return open_call(request, NULL, 0, (struct reduction){{MPI_BYTE, 0, 0}, NONE, 0});
}

int MPI_Iallreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  const int number = number_of(comm);
  if (number < 0) return PMPI_Iallreduce(send, receive, count, type, op, comm, request);
  const struct reduction r = reduction_of(type, op);
  describe("MPI_Iallreduce", HERE);
  if (reduce(number, send == MPI_IN_PLACE ? receive : send, count, r, 0, MUSTER_NONBLOCKING))
    return PMPI_Iallreduce(send, receive, count, type, op, comm, request);
  return open_call(request, receive, count, r);
}

/* Asks for a request of ours, at once or until it is complete; 1: it is complete, or not ours. */
static int settle(MPI_Request request, uint32_t kind, const char* name, const void* address) {
  struct open_call** at = &open_calls;
  while (*at != NULL && (*at)->request != request) at = &(*at)->next;
  struct open_call* const open = *at;
  if (request == MPI_REQUEST_NULL || open == NULL) return 1;
  describe(name, address);
  mine->call.handle = open->handle;
  post(kind);
  if ((mine->reply.flags & MUSTER_COMPLETE) == 0) return 0;
  if (open->to != NULL) store(open->to, open->count, open->reduction);
  PMPI_Grequest_complete(open->request);
  *at = open->next;
  free(open);
  return 1;
}

static void settle_all(int count, const MPI_Request requests[], uint32_t kind, const char* name,
                       const void* address) {
  for (int i = 0; i < count && open_calls != NULL; ++i) settle(requests[i], kind, name, address);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  settle(*request, MUSTER_WAIT, "MPI_Wait", HERE);
  enter("MPI_Wait", HERE);
  const int result = PMPI_Wait(request, status);
  leave();
  return result;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  settle_all(count, requests, MUSTER_WAIT, "MPI_Waitall", HERE);
  enter("MPI_Waitall", HERE);
  const int result = PMPI_Waitall(count, requests, statuses);
  leave();
  return result;
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  for (int complete = 0;;) {
    settle_all(count, requests, MUSTER_TEST, "MPI_Waitany", HERE);
    enter("MPI_Waitany", HERE);
    const int result = open_calls == NULL ? PMPI_Waitany(count, requests, index, status)
                                          : PMPI_Testany(count, requests, index, &complete, status);
    complete |= open_calls == NULL;
    leave();
    if (complete || result != MPI_SUCCESS) return result;
  }
}

int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[],
                 MPI_Status statuses[]) {
  for (;;) {
    settle_all(count, requests, MUSTER_TEST, "MPI_Waitsome", HERE);
    enter("MPI_Waitsome", HERE);
    const int result = open_calls == NULL ? PMPI_Waitsome(count, requests, done, indices, statuses)
                                          : PMPI_Testsome(count, requests, done, indices, statuses);
    leave();
    if (*done != 0 || result != MPI_SUCCESS) return result;
  }
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  settle(*request, MUSTER_TEST, "MPI_Test", HERE);
  enter("MPI_Test", HERE);
  const int result = PMPI_Test(request, flag, status);
  leave();
  return result;
}

#define TESTS(name, parameters, arguments)                        \
  int MPI_##name parameters {                                     \
    settle_all(count, requests, MUSTER_TEST, "MPI_" #name, HERE); \
    enter("MPI_" #name, HERE);                                    \
    const int result = PMPI_##name arguments;                     \
    leave();                                                      \
    return result;                                                \
  }
TESTS(Testall, (int count, MPI_Request requests[], int* flag, MPI_Status statuses[]),
      (count, requests, flag, statuses))
TESTS(Testany, (int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status),
      (count, requests, index, flag, status))
TESTS(Testsome,
      (int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]),
      (count, requests, done, indices, statuses))

/* --- Calls of MPI that may wait for other ranks. --- */

#define WATCHED(name, parameters, arguments)  \
  int MPI_##name parameters {                 \
    enter("MPI_" #name, HERE);                \
    const int result = PMPI_##name arguments; \
    leave();                                  \
    return result;                            \
  }
#define SEND const void *a, int n, MPI_Datatype t
#define RECEIVE void *b, int m, MPI_Datatype u
#define COUNTS const int ns[], const int at[]
WATCHED(Send, (SEND, int to, int tag, MPI_Comm c), (a, n, t, to, tag, c))
WATCHED(Ssend, (SEND, int to, int tag, MPI_Comm c), (a, n, t, to, tag, c))
WATCHED(Recv, (RECEIVE, int from, int tag, MPI_Comm c, MPI_Status* s), (b, m, u, from, tag, c, s))
WATCHED(Sendrecv, (SEND, int to, int st, RECEIVE, int from, int rt, MPI_Comm c, MPI_Status* s),
        (a, n, t, to, st, b, m, u, from, rt, c, s))
WATCHED(Sendrecv_replace, (RECEIVE, int to, int st, int from, int rt, MPI_Comm c, MPI_Status* s),
        (b, m, u, to, st, from, rt, c, s))
WATCHED(Probe, (int from, int tag, MPI_Comm c, MPI_Status* s), (from, tag, c, s))
WATCHED(Iprobe, (int from, int tag, MPI_Comm c, int* f, MPI_Status* s), (from, tag, c, f, s))
WATCHED(Mprobe, (int from, int tag, MPI_Comm c, MPI_Message* g, MPI_Status* s),
        (from, tag, c, g, s))
WATCHED(Mrecv, (RECEIVE, MPI_Message* g, MPI_Status* s), (b, m, u, g, s))
WATCHED(Gather, (SEND, RECEIVE, int root, MPI_Comm c), (a, n, t, b, m, u, root, c))
WATCHED(Gatherv, (SEND, void* b, COUNTS, MPI_Datatype u, int root, MPI_Comm c),
        (a, n, t, b, ns, at, u, root, c))
WATCHED(Scatter, (SEND, RECEIVE, int root, MPI_Comm c), (a, n, t, b, m, u, root, c))
WATCHED(Scatterv, (const void* a, COUNTS, MPI_Datatype t, RECEIVE, int root, MPI_Comm c),
        (a, ns, at, t, b, m, u, root, c))
WATCHED(Allgather, (SEND, RECEIVE, MPI_Comm c), (a, n, t, b, m, u, c))
WATCHED(Allgatherv, (SEND, void* b, COUNTS, MPI_Datatype u, MPI_Comm c), (a, n, t, b, ns, at, u, c))
WATCHED(Alltoall, (SEND, RECEIVE, MPI_Comm c), (a, n, t, b, m, u, c))
WATCHED(Alltoallv,
        (const void* a, COUNTS, MPI_Datatype t, void* b, const int ms[], const int bt[],
         MPI_Datatype u, MPI_Comm c),
        (a, ns, at, t, b, ms, bt, u, c))
WATCHED(Scan, (const void* a, RECEIVE, MPI_Op o, MPI_Comm c), (a, b, m, u, o, c))
WATCHED(Exscan, (const void* a, RECEIVE, MPI_Op o, MPI_Comm c), (a, b, m, u, o, c))
WATCHED(Reduce_scatter,
        (const void* a, void* b, const int ns[], MPI_Datatype t, MPI_Op o, MPI_Comm c),
        (a, b, ns, t, o, c))
WATCHED(Reduce_scatter_block, (const void* a, RECEIVE, MPI_Op o, MPI_Comm c), (a, b, m, u, o, c))
WATCHED(Win_fence, (int assert, MPI_Win w), (assert, w))

/* --- Communicators. --- */

static void made(const char* name, const void* address, MPI_Comm comm) {
  int inter = 1;
  if (shared == NULL || comm == MPI_COMM_NULL) return;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) return;
  MPI_Group all, group;
  int count, from[MUSTER_RANKS], to[MUSTER_RANKS];
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Comm_group(comm, &group);
  PMPI_Group_size(group, &count);
  for (int i = 0; i < count; ++i) from[i] = i;
  PMPI_Group_translate_ranks(group, count, from, all, to);
  PMPI_Group_free(&group);
  PMPI_Group_free(&all);
  describe(name, address);
  mine->call.count = (uint32_t)count;
  for (int i = 0; i < count; ++i) mine->call.members[i] = (uint16_t)to[i];
  post(MUSTER_CREATE);
  PMPI_Comm_set_attr(comm, keyval, (void*)((intptr_t)mine->reply.number + 1));
  mark_ns = processor_ns();
}

#define MAKES(name, parameters, arguments)                           \
  int MPI_##name parameters {                                        \
    enter("MPI_" #name, HERE);                                       \
    const int result = PMPI_##name arguments;                        \
    leave();                                                         \
    if (result == MPI_SUCCESS) made("MPI_" #name, HERE, *made_comm); \
    return result;                                                   \
  }
MAKES(Comm_split, (MPI_Comm c, int color, int key, MPI_Comm* made_comm), (c, color, key, made_comm))
MAKES(Comm_split_type, (MPI_Comm c, int type, int key, MPI_Info i, MPI_Comm* made_comm),
      (c, type, key, i, made_comm))
MAKES(Comm_dup, (MPI_Comm c, MPI_Comm* made_comm), (c, made_comm))
MAKES(Comm_create, (MPI_Comm c, MPI_Group g, MPI_Comm* made_comm), (c, g, made_comm))
MAKES(Comm_create_group, (MPI_Comm c, MPI_Group g, int tag, MPI_Comm* made_comm),
      (c, g, tag, made_comm))
MAKES(Cart_create,
      (MPI_Comm c, int n, const int dims[], const int periods[], int reorder, MPI_Comm* made_comm),
      (c, n, dims, periods, reorder, made_comm))

int MPI_Comm_free(MPI_Comm* comm) {
  const int number = comm == NULL ? -1 : number_of(*comm);
  if (number > 0) {
    describe("MPI_Comm_free", HERE);
    mine->call.comm = (uint32_t)number;
    post(MUSTER_FREE);
  }
  enter("MPI_Comm_free", HERE);
  const int result = PMPI_Comm_free(comm);
  leave();
  return result;
}

/* --- Begin and end. --- */

static void begin(void) {
  const char* const path = getenv("MUSTER_SHARED");
  if (path == NULL) return;
  const int file = open(path, O_RDWR);
  if (file < 0) give_up(path, strerror(errno));
  struct muster_shared* const memory =
      mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) give_up(path, strerror(errno));
  int rank, ranks;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (memory->protocol != MUSTER_PROTOCOL || memory->ranks != (uint32_t)ranks)
    give_up(path, "of another version or start");
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  mine = &memory->rank[rank];
  shared = memory;
  mark_ns = processor_ns();
}

int MPI_Init(int* argc, char*** argv) {
  const int result = PMPI_Init(argc, argv);
  if (result == MPI_SUCCESS) begin();
  return result;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int result = PMPI_Init_thread(
      argc, argv, required == MPI_THREAD_MULTIPLE ? MPI_THREAD_SERIALIZED : required, provided);
  if (result == MPI_SUCCESS) begin();
  return result;
}

int MPI_Finalize(void) {
  if (shared != NULL) {
    describe("MPI_Finalize", HERE);
    post(MUSTER_FINALIZE);
  }
  shared = NULL;
  return PMPI_Finalize();
}
