/* SPDX-License-Identifier: Apache-2.0 */
/* All ranks work alike between their barriers, but one of them four times as long. Usage:
 * straggler [BARRIERS] [RANK] [AMOUNT]. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int barriers = argc > 1 ? atoi(argv[1]) : 100, late = argc > 2 ? atoi(argv[2]) : 1;
  const int amount = argc > 3 ? atoi(argv[3]) : 2000;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  volatile double sum = 0;
  for (int b = 0; b < barriers; ++b) {
    for (int i = 1; i <= amount * (rank == late ? 4 : 1); ++i) sum += 1.0 / i;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) printf("sum %g\n", sum);
  MPI_Finalize();
  return 0;
}
