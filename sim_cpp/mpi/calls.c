/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded between a program and MPI by `muster mpi`: what all ranks of a communicator do together
 * goes to the simulated network, here; of calls of MPI that may wait, the process that holds the
 * network is told begin and end (passed.c); all others reach MPI alone. docs/how-to/mpi.md lists
 * calls, operations and types. */
#include <stdio.h>
#include <stdlib.h>

#include "numbers.h"
#include "post.h"

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
  meet();
  return (mine->reply.flags & MUSTER_BY_MPI) != 0;
}

static void store(void* to, int count, struct reduction r) {
  for (int i = 0; i < count; ++i)
    number_to(r, mine->reply.data[i], (char*)to + (size_t)i * r.type.bytes);
}

static int checked(void) { return (mine->reply.flags & MUSTER_CHECK) != 0; }

/* `theirs` is what MPI has computed; of two zeros it may be the other. */
static void compare(const char* name, const void* ours, const void* theirs, int count,
                    struct reduction r) {
  int same = 1;
  for (int i = 0; i < count; ++i) {
    const size_t at = (size_t)i * r.type.bytes;
    same &= equal(r.type, (const char*)ours + at, (const char*)theirs + at);
  }
  if (same) return;
  __atomic_add_fetch(&shared->differs, 1, __ATOMIC_RELAXED);
  fprintf(stderr, "muster: %s at %s: the result is not that of MPI\n", name, mine->call.site);
}

static int is_rank(int root, MPI_Comm comm) {
  int ranks;
  PMPI_Comm_size(comm, &ranks);
  return root >= 0 && root < ranks;
}

/* Of a communicator that the network does not know, or with a root that is none. */
#define UNKNOWN(name, call) return enter(name, HERE), leave(call)

int MPI_Barrier(MPI_Comm comm) {
  const int number = number_of(comm);
  if (number < 0) UNKNOWN("MPI_Barrier", PMPI_Barrier(comm));
  describe("MPI_Barrier", HERE);
  mine->call.comm = (uint32_t)number;
  meet();
  return MPI_SUCCESS;
}

enum { EVERY_RANK = INT32_MIN }; /* as a root: all get the result */

static int reduce_by_mpi(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                         int root, MPI_Comm comm) {
  return root == EVERY_RANK ? PMPI_Allreduce(send, receive, count, type, op, comm)
                            : PMPI_Reduce(send, receive, count, type, op, root, comm);
}

static int reduce_numbers(const char* name, const void* address, const void* send, void* receive,
                          int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  const int number = number_of(comm), every = root == EVERY_RANK;
  if (number < 0 || (!every && !is_rank(root, comm))) {
    enter(name, address);
    return leave(reduce_by_mpi(send, receive, count, type, op, root, comm));
  }
  int rank = EVERY_RANK;
  if (!every) PMPI_Comm_rank(comm, &rank);
  const struct reduction r = reduction_of(type, op);
  const void* const from = send == MPI_IN_PLACE ? receive : send;
  describe(name, address);
  const int by_mpi = reduce(number, from, count, r, every ? 0 : root, 0);
  int status = MPI_SUCCESS;
  if (by_mpi) {
    status = reduce_by_mpi(send, receive, count, type, op, root, comm);
  } else if (checked()) {
    uint64_t theirs[MUSTER_WORDS];
    status = reduce_by_mpi(from, theirs, count, type, op, root, comm);
    if (rank == root) {
      store(receive, count, r);
      compare(name, receive, theirs, count, r);
    }
  } else if (rank == root) {
    store(receive, count, r);
  }
  resume();
  return status;
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  return reduce_numbers("MPI_Allreduce", HERE, send, receive, count, type, op, EVERY_RANK, comm);
}

int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  return reduce_numbers("MPI_Reduce", HERE, send, receive, count, type, op, root, comm);
}

/* An OR of the root's bytes with zeros. */
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int number = number_of(comm);
  if (number < 0 || !is_rank(root, comm))
    UNKNOWN("MPI_Bcast", PMPI_Bcast(buffer, count, type, root, comm));
  int rank;
  PMPI_Comm_rank(comm, &rank);
  const size_t each = type_of(type).bytes;
  const size_t bytes = count < 0 ? 0 : (size_t)count * each;
  uint64_t words[MUSTER_WORDS] = {0};
  const uint32_t word = bytes < sizeof words[0] ? (uint32_t)bytes : sizeof words[0];
  const struct reduction bits = {{word, 'u'}, each == 0 || bytes > sizeof words ? NONE : OR, 0};
  if (rank == root && bits.op != NONE) memcpy(words, buffer, bytes);
  describe("MPI_Bcast", HERE);
  const int by_mpi = reduce(number, words, (int)((bytes + 7) / 8), bits, root, MUSTER_FROM_ROOT);
  int status = MPI_SUCCESS;
  if (by_mpi) {
    status = PMPI_Bcast(buffer, count, type, root, comm);
  } else {
    store(words, (int)((bytes + 7) / 8), bits);
    if (rank != root) memcpy(buffer, words, bytes);
    if (checked()) {
      char theirs[sizeof words];
      memcpy(theirs, buffer, bytes);
      status = PMPI_Bcast(theirs, count, type, root, comm);
      compare("MPI_Bcast", buffer, theirs, 1, (struct reduction){{(uint32_t)bytes, 'b'}, OR, 0});
    }
  }
  resume();
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
  resume();
  return status;
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  const int number = number_of(comm);
  if (number < 0) return PMPI_Ibarrier(comm, request);
  describe("MPI_Ibarrier", HERE);
  mine->call.comm = (uint32_t)number;
  mine->call.flags = MUSTER_NONBLOCKING;
  meet();
  if ((mine->reply.flags & MUSTER_BY_MPI) != 0) return PMPI_Ibarrier(comm, request);
  return open_call(request, NULL, 0, (struct reduction){{0, 0}, NONE, 0});
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

/* Asks for a request of ours, at once or until it is complete. 0: MPI may have to wait for it. */
static int settle(MPI_Request request, uint32_t kind, const char* name, const void* address) {
  struct open_call** at = &open_calls;
  while (*at != NULL && (*at)->request != request) at = &(*at)->next;
  struct open_call* const open = *at;
  if (request == MPI_REQUEST_NULL || open == NULL) return request == MPI_REQUEST_NULL;
  describe(name, address);
  mine->call.handle = open->handle;
  post(kind);
  if ((mine->reply.flags & MUSTER_COMPLETE) == 0) return 1;
  if (open->to != NULL) store(open->to, open->count, open->reduction);
  PMPI_Grequest_complete(open->request);
  *at = open->next;
  free(open);
  return 1;
}

static int settle_all(int count, const MPI_Request requests[], uint32_t kind, const char* name,
                      const void* address) {
  int all = 1;
  for (int i = 0; i < count; ++i) all &= settle(requests[i], kind, name, address);
  return all;
}

/* MPI completes requests that are `settled` at once; for others it may have to wait. */
#define SETTLES(name, settled, parameters, arguments) \
  int MPI_##name parameters {                         \
    if (settled) return PMPI_##name arguments;        \
    enter("MPI_" #name, HERE);                        \
    return leave(PMPI_##name arguments);              \
  }
#define ALL(kind, name) settle_all(count, requests, kind, "MPI_" #name, HERE)
SETTLES(Wait, settle(*request, MUSTER_WAIT, "MPI_Wait", HERE),
        (MPI_Request * request, MPI_Status* status), (request, status))
SETTLES(Waitall, ALL(MUSTER_WAIT, Waitall),
        (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses))
SETTLES(Test, settle(*request, MUSTER_TEST, "MPI_Test", HERE),
        (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
SETTLES(Testall, ALL(MUSTER_TEST, Testall),
        (int count, MPI_Request requests[], int* flag, MPI_Status statuses[]),
        (count, requests, flag, statuses))
SETTLES(Testany, ALL(MUSTER_TEST, Testany),
        (int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status),
        (count, requests, index, flag, status))
SETTLES(Testsome, ALL(MUSTER_TEST, Testsome),
        (int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]),
        (count, requests, done, indices, statuses))

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  for (int complete = 0;;) {
    settle_all(count, requests, MUSTER_TEST, "MPI_Waitany", HERE);
    enter("MPI_Waitany", HERE);
    const int result =
        leave(open_calls == NULL ? PMPI_Waitany(count, requests, index, status)
                                 : PMPI_Testany(count, requests, index, &complete, status));
    complete |= open_calls == NULL;
    if (complete || result != MPI_SUCCESS) return result;
  }
}

int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[],
                 MPI_Status statuses[]) {
  for (;;) {
    settle_all(count, requests, MUSTER_TEST, "MPI_Waitsome", HERE);
    enter("MPI_Waitsome", HERE);
    const int result =
        leave(open_calls == NULL ? PMPI_Waitsome(count, requests, done, indices, statuses)
                                 : PMPI_Testsome(count, requests, done, indices, statuses));
    if (*done != 0 || result != MPI_SUCCESS) return result;
  }
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  settle(request, MUSTER_TEST, "MPI_Request_get_status", HERE);
  return PMPI_Request_get_status(request, flag, status);
}
