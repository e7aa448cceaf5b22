/* SPDX-License-Identifier: Apache-2.0 */
/* A program to record: Jacobi iterations on a strip of a plate in each rank. Each iteration gives
 * the border rows to the neighbours and asks all ranks how much has changed; every tenth ends at a
 * barrier. Usage: jacobi [ITERATIONS] [ROWS] [COLUMNS], rows of each rank. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double relax(const double* old, double* new, int rows, int columns) {
  double change = 0;
  for (int r = 1; r <= rows; ++r)
    for (int c = 1; c < columns - 1; ++c) {
      const double* const at = old + (size_t)r * columns + c;
      const double value = 0.25 * (at[-columns] + at[columns] + at[-1] + at[1]);
      change = fmax(change, fabs(value - *at));
      new[(size_t)r * columns + c] = value;
    }
  return change;
}

/* Rows 0 and rows + 1 are the neighbours'. */
static void exchange(double* plate, int rows, int columns, int above, int below) {
  MPI_Sendrecv(plate + columns, columns, MPI_DOUBLE, above, 0, plate + (size_t)(rows + 1) * columns,
               columns, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(plate + (size_t)rows * columns, columns, MPI_DOUBLE, below, 1, plate, columns,
               MPI_DOUBLE, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 100;
  const int rows = argc > 2 ? atoi(argv[2]) : 16, columns = argc > 3 ? atoi(argv[3]) : 64;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int above = rank == 0 ? MPI_PROC_NULL : rank - 1;
  const int below = rank == ranks - 1 ? MPI_PROC_NULL : rank + 1;
  const size_t cells = (size_t)(rows + 2) * columns;
  double *plate = calloc(cells, sizeof *plate), *next = calloc(cells, sizeof *next);
  if (plate == NULL || next == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int c = 0; c < columns && rank == 0; ++c) plate[c] = next[c] = 1; /* the hot edge */
  double change = 0;
  for (int i = 0; i < iterations; ++i) {
    exchange(plate, rows, columns, above, below);
    const double here = relax(plate, next, rows, columns);
    MPI_Allreduce(&here, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    double* const old = plate;
    plate = next;
    next = old;
    if (i % 10 == 9) MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) printf("largest change %g after %d iterations\n", change, iterations);
  free(plate);
  free(next);
  MPI_Finalize();
  return 0;
}
