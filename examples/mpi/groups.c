/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and columns of ranks, and all of them: communicators that overlap, with barriers between
 * whose begin and end the ranks go on, and one communicator that is made and freed in each round.
 * Usage: groups [ROUNDS]. Ends with status 1 if a result is wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double work(int amount) {
  double sum = 0;
  for (int i = 1; i <= amount; ++i) sum += 1.0 / i;
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? atoi(argv[1]) : 4;
  int rank, ranks, width = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while ((width + 1) * (width + 1) <= ranks) ++width;
  MPI_Comm row, column;
  MPI_Comm_split(MPI_COMM_WORLD, rank / width, rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % width, rank, &column);
  int in_row, in_column, wrong = 0;
  MPI_Comm_size(row, &in_row);
  MPI_Comm_size(column, &in_column);
  double sum = 0;
  for (int i = 0; i < rounds; ++i) {
    MPI_Request begun[2];
    int one = 1, count = 0;
    MPI_Ibarrier(row, &begun[0]);
    MPI_Iallreduce(&one, &count, 1, MPI_INT, MPI_SUM, column, &begun[1]);
    sum += work(1000 * (rank + 1));
    MPI_Waitall(2, begun, MPI_STATUSES_IGNORE);
    wrong += count != in_column;
    MPI_Comm again;
    MPI_Comm_dup(row, &again);
    MPI_Ibarrier(again, &begun[0]);
    for (int done = 0; !done;) MPI_Test(&begun[0], &done, MPI_STATUS_IGNORE);
    MPI_Comm_free(&again);
    MPI_Barrier(MPI_COMM_WORLD);
    int highest = rank;
    MPI_Bcast(&highest, 1, MPI_INT, in_row - 1, row);
    wrong += highest < rank || highest / width != rank / width;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong results (%g)\n", wrong, sum);
  MPI_Finalize();
  return wrong != 0;
}
