/* SPDX-License-Identifier: Apache-2.0 */
/* A bulk-synchronous sort: in each step neighbours exchange their numbers, the lower rank keeps the
 * lower half, and all ranks ask whether any number has moved. Usage: sort [NUMBERS], of each rank.
 * Ends with status 1 if the numbers are not in order. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

/* Keeps the lower or the upper half of both; what has moved. */
static int keep(int* mine, const int* theirs, int* merged, int count, int low) {
  int moved = 0;
  for (int i = 0, a = 0, b = 0; i < 2 * count; ++i)
    merged[i] = b == count || (a < count && mine[a] <= theirs[b]) ? mine[a++] : theirs[b++];
  for (int i = 0; i < count; ++i) {
    const int next = merged[low ? i : count + i];
    moved |= next != mine[i];
    mine[i] = next;
  }
  return moved;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int count = argc > 1 ? atoi(argv[1]) : 256;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int *mine = malloc(4 * (size_t)count * sizeof *mine), *theirs = mine + count;
  if (mine == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  unsigned seed = 1 + (unsigned)rank;
  for (int i = 0; i < count; ++i) mine[i] = (int)((seed = seed * 1103515245u + 12345u) >> 8);
  qsort(mine, (size_t)count, sizeof *mine, ascending);
  int steps = 0, still = 0; /* steps in which nothing has moved */
  for (; still < 2; ++steps) {
    const int partner = (rank + steps) % 2 == 0 ? rank + 1 : rank - 1;
    int moved = 0;
    if (partner >= 0 && partner < ranks) {
      MPI_Sendrecv(mine, count, MPI_INT, partner, 0, theirs, count, MPI_INT, partner, 0,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      moved = keep(mine, theirs, theirs + count, count, rank < partner);
    }
    MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    still = moved ? 0 : still + 1;
  }
  int before = mine[0], wrong = 0;
  MPI_Sendrecv(mine + count - 1, 1, MPI_INT, rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, 1,
               &before, 1, MPI_INT, rank > 0 ? rank - 1 : MPI_PROC_NULL, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  wrong = before > mine[0];
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d steps, %s\n", steps, wrong ? "not in order" : "in order");
  free(mine);
  MPI_Finalize();
  return wrong != 0;
}
