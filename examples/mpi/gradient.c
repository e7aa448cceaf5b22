/* SPDX-License-Identifier: Apache-2.0 */
/* Conjugate gradients for the Poisson equation on a line that is divided among the ranks. Sums are
 * of fixed-point numbers, so they do not depend on the order in which the ranks are added.
 * Usage: gradient [ITERATIONS] [POINTS], points of each rank. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const double kOne = 1 << 30; /* of a fixed-point number */

static double dot(const double* a, const double* b, int points) {
  double sum = 0;
  for (int i = 1; i <= points; ++i) sum += a[i] * b[i];
  int64_t fixed = llround(sum * kOne), all;
  MPI_Allreduce(&fixed, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return (double)all / kOne;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 100, points = argc > 2 ? atoi(argv[2]) : 256;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  const size_t room = (size_t)points + 2;
  double *x = calloc(4 * room, sizeof *x), *r = x + room, *p = r + room, *q = p + room;
  if (x == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 1; i <= points; ++i) r[i] = p[i] = sin(0.01 * (i + rank * points));
  double squares = dot(r, r, points);
  const double first = squares;
  for (int k = 0; k < iterations; ++k) {
    MPI_Sendrecv(p + 1, 1, MPI_DOUBLE, left, 0, p + points + 1, 1, MPI_DOUBLE, right, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(p + points, 1, MPI_DOUBLE, right, 1, p, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 1; i <= points; ++i) q[i] = 2.01 * p[i] - p[i - 1] - p[i + 1];
    const double step = squares / dot(p, q, points);
    for (int i = 1; i <= points; ++i) {
      x[i] += step * p[i];
      r[i] -= step * q[i];
    }
    const double before = squares;
    squares = dot(r, r, points);
    if (squares * 1e6 < first) break;
    for (int i = 1; i <= points; ++i) p[i] = r[i] + squares / before * p[i];
  }
  if (rank == 0) printf("squares of the residual: %.3g of %.3g\n", squares, first);
  free(x);
  MPI_Finalize();
  return 0;
}
