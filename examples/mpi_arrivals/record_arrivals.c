/* SPDX-License-Identifier: Apache-2.0 */
/* Records how long each rank of an MPI program works between its synchronizations, for
 * `muster run --arrivals` (docs/how-to/arrivals.md):
 *
 *   mpirun -n 8 -x LD_PRELOAD=librecord_arrivals.so -x MUSTER_ARRIVALS=arrivals.json PROGRAM
 *
 * The profiling interface of MPI lets a library stand before MPI_Barrier and MPI_Allreduce. A rank
 * works from the end of one such call of all ranks to the begin of the next; both are read from its
 * own clock, so clocks need not agree. Calls of fewer ranks are work. What is written is the second
 * call and those after it: before the first one no rank was released. */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct call {
  int64_t work_ns;
  int32_t bytes; /* of an allreduce, -1 of a barrier */
};

static struct call* calls;
static size_t count, room;
static int64_t released_ns = -1; /* -1: not yet */

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* All ranks take part. */
static int of_all(MPI_Comm comm) {
  int mine, all;
  PMPI_Comm_size(comm, &mine);
  PMPI_Comm_size(MPI_COMM_WORLD, &all);
  return mine == all;
}

static void arrive(int32_t bytes) {
  if (released_ns < 0) return;
  if (count == room) {
    room = room == 0 ? 1024 : 2 * room;
    struct call* const grown = realloc(calls, room * sizeof *calls);
    if (grown == NULL) {
      fprintf(stderr, "record_arrivals: no memory for %zu calls\n", room);
      PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    calls = grown;
  }
  calls[count].work_ns = now_ns() - released_ns;
  calls[count].bytes = bytes;
  ++count;
}

int MPI_Barrier(MPI_Comm comm) {
  if (!of_all(comm)) return PMPI_Barrier(comm);
  arrive(-1);
  const int status = PMPI_Barrier(comm);
  released_ns = now_ns();
  return status;
}

int MPI_Allreduce(const void* send, void* receive, int elements, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  if (!of_all(comm)) return PMPI_Allreduce(send, receive, elements, type, op, comm);
  int size;
  PMPI_Type_size(type, &size);
  arrive(elements * size);
  const int status = PMPI_Allreduce(send, receive, elements, type, op, comm);
  released_ns = now_ns();
  return status;
}

static void write_call(FILE* file, const int64_t* work_ns, int ranks, int32_t bytes) {
  if (bytes < 0)
    fprintf(file, "  {\"call\": \"MPI_Barrier\", \"work_ns\": [");
  else
    fprintf(file, "  {\"call\": \"MPI_Allreduce\", \"bytes\": %d, \"work_ns\": [", bytes);
  for (int r = 0; r < ranks; ++r)
    fprintf(file, "%s%lld", r == 0 ? "" : ", ", (long long)work_ns[r]);
  fprintf(file, "]}");
}

/* Rank 0 gathers call by call. Ranks that have made fewer of them end the recording. */
static void write_all(void) {
  int rank, ranks;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  long long mine = (long long)count, common;
  PMPI_Allreduce(&mine, &common, 1, MPI_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
  const char* const name = getenv("MUSTER_ARRIVALS");
  const char* const path = name != NULL ? name : "arrivals.json";
  FILE* const file = rank == 0 ? fopen(path, "w") : NULL;
  if (rank == 0 && file == NULL) perror(path);
  if (file != NULL)
    fprintf(file,
            "{\n\"schema\": \"muster-arrivals-1\",\n\"name\": \"%s, %d ranks\",\n\"ranks\": %d,\n"
            "\"calls\": [\n",
            program_invocation_short_name, ranks, ranks);
  int64_t* const all = malloc((size_t)ranks * sizeof *all);
  for (long long i = 0; i < common && all != NULL; ++i) {
    PMPI_Gather(&calls[i].work_ns, 1, MPI_INT64_T, all, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (file == NULL) continue;
    if (i != 0) fprintf(file, ",\n");
    write_call(file, all, ranks, calls[i].bytes);
  }
  free(all);
  if (file != NULL) {
    fprintf(file, "\n]\n}\n");
    if (fclose(file) != 0) perror(path);
  }
}

int MPI_Finalize(void) {
  write_all();
  free(calls);
  return PMPI_Finalize();
}
