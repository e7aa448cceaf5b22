/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that MPI does, of which the process that holds the network is told (calls.c). */
#include "post.h"

/* Those that may wait for other ranks. */
#define WATCHED(name, first, last, parameters, arguments) \
  int MPI_##name parameters {                             \
    enter("MPI_" #name, HERE);                            \
    return leave(PMPI_##name arguments);                  \
  }

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
#define MAKES(name, of, made_comm, parameters, arguments)            \
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
    if (number < 0)                                                  \
      leave(result);                                                 \
    else                                                             \
      resume();                                                      \
    if (result == MPI_SUCCESS) made("MPI_" #name, HERE, *made_comm); \
    return result;                                                   \
  }
MAKES(Comm_create_group, MPI_COMM_NULL, made_comm,
      (MPI_Comm c, MPI_Group g, int tag, MPI_Comm* made_comm), (c, g, tag, made_comm))

#include "passed_calls.h" /* of mpi.h: what is WATCHED and MAKES (CMakeLists.txt) */

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
