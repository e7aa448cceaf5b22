/* SPDX-License-Identifier: Apache-2.0 */
/* How the library that `muster mpi` loads into a rank tells the process that holds the network of
 * its calls (protocol.h). */
#ifndef MUSTER_MPI_POST_H
#define MUSTER_MPI_POST_H

#include <mpi.h>

#include "protocol.h"

extern struct muster_shared* shared; /* NULL: no network, every call goes to MPI */
extern struct muster_rank* mine;

/* Where the program calls: within the call, which the return address may not be. */
#define HERE ((const char*)__builtin_return_address(0) - 1)

_Noreturn void give_up(const char* what, const char* why);

/* Sets the fields of `mine->call` that all calls have, the others to 0. */
void describe(const char* name, const void* address);
/* Posts `mine->call`, whose fields are set, and waits for the reply. */
void post(uint32_t kind);
/* Posts a collective call; the reply is that at its end (driver.c). */
void meet(void);
/* The program goes on: processor time since the end of the reply was not its own. */
void resume(void);

/* Begin and end of a call of MPI itself, which has this result. */
void enter(const char* name, const void* address);
int leave(int result);

/* Number of a communicator; -1: the network does not know it. */
int number_of(MPI_Comm comm);
void set_number(MPI_Comm comm, uint32_t number);

#endif
