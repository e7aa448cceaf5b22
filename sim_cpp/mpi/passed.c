/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that MPI does, of which the process that holds the network is told (calls.c). */
#include "post.h"

/* Those that may wait for other ranks. */
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
WATCHED(Rsend, (SEND, int to, int tag, MPI_Comm c), (a, n, t, to, tag, c))
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
WATCHED(Alltoallw,
        (const void* a, COUNTS, const MPI_Datatype ts[], void* b, const int ms[], const int bt[],
         const MPI_Datatype us[], MPI_Comm c),
        (a, ns, at, ts, b, ms, bt, us, c))
WATCHED(Neighbor_allgather, (SEND, RECEIVE, MPI_Comm c), (a, n, t, b, m, u, c))
WATCHED(Neighbor_alltoall, (SEND, RECEIVE, MPI_Comm c), (a, n, t, b, m, u, c))
WATCHED(Neighbor_allgatherv, (SEND, void* b, COUNTS, MPI_Datatype u, MPI_Comm c),
        (a, n, t, b, ns, at, u, c))
WATCHED(Neighbor_alltoallv,
        (const void* a, COUNTS, MPI_Datatype t, void* b, const int ms[], const int bt[],
         MPI_Datatype u, MPI_Comm c),
        (a, ns, at, t, b, ms, bt, u, c))
WATCHED(Neighbor_alltoallw,
        (const void* a, const int ns[], const MPI_Aint at[], const MPI_Datatype ts[], void* b,
         const int ms[], const MPI_Aint bt[], const MPI_Datatype us[], MPI_Comm c),
        (a, ns, at, ts, b, ms, bt, us, c))
WATCHED(Scan, (const void* a, RECEIVE, MPI_Op o, MPI_Comm c), (a, b, m, u, o, c))
WATCHED(Exscan, (const void* a, RECEIVE, MPI_Op o, MPI_Comm c), (a, b, m, u, o, c))
WATCHED(Reduce_scatter,
        (const void* a, void* b, const int ns[], MPI_Datatype t, MPI_Op o, MPI_Comm c),
        (a, b, ns, t, o, c))
WATCHED(Reduce_scatter_block, (const void* a, RECEIVE, MPI_Op o, MPI_Comm c), (a, b, m, u, o, c))
WATCHED(Intercomm_create, (MPI_Comm c, int at, MPI_Comm d, int to, int tag, MPI_Comm* made_comm),
        (c, at, d, to, tag, made_comm))
WATCHED(Win_create, (void* b, MPI_Aint size, int unit, MPI_Info i, MPI_Comm c, MPI_Win* w),
        (b, size, unit, i, c, w))
WATCHED(Win_allocate, (MPI_Aint size, int unit, MPI_Info i, MPI_Comm c, void* b, MPI_Win* w),
        (size, unit, i, c, b, w))
WATCHED(Win_allocate_shared, (MPI_Aint size, int unit, MPI_Info i, MPI_Comm c, void* b, MPI_Win* w),
        (size, unit, i, c, b, w))
WATCHED(Win_create_dynamic, (MPI_Info i, MPI_Comm c, MPI_Win* w), (i, c, w))
WATCHED(Win_free, (MPI_Win * w), (w))
WATCHED(Win_lock_all, (int assert, MPI_Win w), (assert, w))
WATCHED(Win_unlock_all, (MPI_Win w), (w))
WATCHED(Win_flush, (int rank, MPI_Win w), (rank, w))
WATCHED(Win_flush_all, (MPI_Win w), (w))
WATCHED(Win_fence, (int assert, MPI_Win w), (assert, w))
WATCHED(Win_lock, (int type, int rank, int assert, MPI_Win w), (type, rank, assert, w))
WATCHED(Win_unlock, (int rank, MPI_Win w), (rank, w))
WATCHED(Win_start, (MPI_Group g, int assert, MPI_Win w), (g, assert, w))
WATCHED(Win_complete, (MPI_Win w), (w))
WATCHED(Win_wait, (MPI_Win w), (w))
WATCHED(File_open, (MPI_Comm c, const char* name, int mode, MPI_Info i, MPI_File* f),
        (c, name, mode, i, f))
WATCHED(File_close, (MPI_File * f), (f))
WATCHED(File_set_size, (MPI_File f, MPI_Offset size), (f, size))
WATCHED(File_preallocate, (MPI_File f, MPI_Offset size), (f, size))
WATCHED(File_sync, (MPI_File f), (f))
WATCHED(File_set_view,
        (MPI_File f, MPI_Offset at, MPI_Datatype t, MPI_Datatype u, const char* name, MPI_Info i),
        (f, at, t, u, name, i))
WATCHED(File_seek_shared, (MPI_File f, MPI_Offset at, int whence), (f, at, whence))
WATCHED(File_read_all, (MPI_File f, RECEIVE, MPI_Status* s), (f, b, m, u, s))
WATCHED(File_write_all, (MPI_File f, SEND, MPI_Status* s), (f, a, n, t, s))
WATCHED(File_read_at_all, (MPI_File f, MPI_Offset at, RECEIVE, MPI_Status* s), (f, at, b, m, u, s))
WATCHED(File_write_at_all, (MPI_File f, MPI_Offset at, SEND, MPI_Status* s), (f, at, a, n, t, s))
WATCHED(File_read_ordered, (MPI_File f, RECEIVE, MPI_Status* s), (f, b, m, u, s))
WATCHED(File_write_ordered, (MPI_File f, SEND, MPI_Status* s), (f, a, n, t, s))
WATCHED(Comm_disconnect, (MPI_Comm * c), (c))
WATCHED(Buffer_detach, (void* b, int* size), (b, size))

/* Those that make communicators. */
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
  set_number(comm, mine->reply.number);
}

/* All ranks of `of` meet first, in a cycle that does not depend on how long MPI takes. */
#define MAKES(name, of, parameters, arguments)                       \
  int MPI_##name parameters {                                        \
    const int number = number_of(of);                                \
    if (number < 0) {                                                \
      enter("MPI_" #name, HERE);                                     \
    } else {                                                         \
      describe("MPI_" #name, HERE);                                  \
      mine->call.comm = (uint32_t)number;                            \
      mine->call.flags = MUSTER_FOREIGN;                             \
      meet();                                                        \
    }                                                                \
    const int result = PMPI_##name arguments;                        \
    number < 0 ? leave() : resume();                                 \
    if (result == MPI_SUCCESS) made("MPI_" #name, HERE, *made_comm); \
    return result;                                                   \
  }
MAKES(Comm_split, c, (MPI_Comm c, int color, int key, MPI_Comm* made_comm),
      (c, color, key, made_comm))
MAKES(Comm_split_type, c, (MPI_Comm c, int type, int key, MPI_Info i, MPI_Comm* made_comm),
      (c, type, key, i, made_comm))
MAKES(Comm_dup, c, (MPI_Comm c, MPI_Comm* made_comm), (c, made_comm))
MAKES(Comm_dup_with_info, c, (MPI_Comm c, MPI_Info i, MPI_Comm* made_comm), (c, i, made_comm))
MAKES(Cart_sub, c, (MPI_Comm c, const int kept[], MPI_Comm* made_comm), (c, kept, made_comm))
MAKES(Intercomm_merge, c, (MPI_Comm c, int high, MPI_Comm* made_comm), (c, high, made_comm))
MAKES(Comm_create, c, (MPI_Comm c, MPI_Group g, MPI_Comm* made_comm), (c, g, made_comm))
MAKES(Comm_create_group, MPI_COMM_NULL, (MPI_Comm c, MPI_Group g, int tag, MPI_Comm* made_comm),
      (c, g, tag, made_comm))
MAKES(Cart_create, c,
      (MPI_Comm c, int n, const int dims[], const int periods[], int reorder, MPI_Comm* made_comm),
      (c, n, dims, periods, reorder, made_comm))

MAKES(Graph_create, c,
      (MPI_Comm c, int n, const int index[], const int edges[], int reorder, MPI_Comm* made_comm),
      (c, n, index, edges, reorder, made_comm))
MAKES(Dist_graph_create, c,
      (MPI_Comm c, int n, const int nodes[], const int degrees[], const int to[],
       const int weights[], MPI_Info i, int reorder, MPI_Comm* made_comm),
      (c, n, nodes, degrees, to, weights, i, reorder, made_comm))
MAKES(Dist_graph_create_adjacent, c,
      (MPI_Comm c, int in, const int from[], const int of[], int out, const int to[],
       const int weights[], MPI_Info i, int reorder, MPI_Comm* made_comm),
      (c, in, from, of, out, to, weights, i, reorder, made_comm))

int MPI_Comm_free(MPI_Comm* comm) {
  const int number = comm == NULL ? -1 : number_of(*comm);
  if (number > 0) {
    describe("MPI_Comm_free", HERE);
    mine->call.comm = (uint32_t)number;
    post(MUSTER_FREE);
  }
  const int result = PMPI_Comm_free(comm);
  if (shared != NULL) resume();
  return result;
}
