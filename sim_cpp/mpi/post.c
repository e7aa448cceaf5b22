/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "post.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct muster_shared* shared;
struct muster_rank* mine;
static int keyval = MPI_KEYVAL_INVALID; /* of communicators: their number + 1 */
static uint64_t mark_ns;                /* processor time at the end of the call before */

static uint64_t processor_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

_Noreturn void give_up(const char* what, const char* why) {
  fprintf(stderr, "muster: %s: %s\n", what, why);
  _exit(1);
}

void resume(void) { mark_ns = processor_ns(); }

void post(uint32_t kind) {
  mine->call.kind = kind;
  const uint64_t now_ns = processor_ns();
  mine->call.work_ns = now_ns > mark_ns ? now_ns - mark_ns : 0;
  const uint32_t number = __atomic_add_fetch(&mine->posted, 1, __ATOMIC_ACQ_REL);
  __atomic_add_fetch(&shared->bell, 1, __ATOMIC_ACQ_REL);
  syscall(SYS_futex, &shared->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
  for (struct timespec limit = {0, 1000000};; limit.tv_nsec = 10000000) {
    const uint32_t answered = __atomic_load_n(&mine->answered, __ATOMIC_ACQUIRE);
    if (answered == number) break;
    syscall(SYS_futex, &mine->answered, FUTEX_WAIT, answered, &limit, NULL, 0);
    if (kill(shared->server, 0) != 0 && errno == ESRCH)
      give_up(mine->call.name, "the process that holds the network has ended");
    /* Messages that the program has begun to send move on, as they would in a call of MPI. */
    int any;
    PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &any, MPI_STATUS_IGNORE);
  }
  resume();
}

/* "program+0x1a2f": what addr2line -e program 0x1a2f finds. */
static const char* site_text(const void* address) {
  static struct {
    const void* address;
    char text[sizeof mine->call.site];
  } known[64];
  const size_t at = ((uintptr_t)address >> 2) % 64;
  if (known[at].address == address) return known[at].text;
  Dl_info info;
  known[at].address = address;
  if (dladdr(address, &info) != 0 && info.dli_fname != NULL) {
    const char* const slash = strrchr(info.dli_fname, '/');
    snprintf(known[at].text, sizeof known[at].text, "%.40s+0x%lx",
             slash != NULL ? slash + 1 : info.dli_fname,
             (unsigned long)((uintptr_t)address - (uintptr_t)info.dli_fbase));
  } else {
    snprintf(known[at].text, sizeof known[at].text, "%p", address);
  }
  return known[at].text;
}

void describe(const char* name, const void* address) {
  struct muster_call* const call = &mine->call;
  snprintf(call->name, sizeof call->name, "%s", name);
  snprintf(call->site, sizeof call->site, "%s", site_text(address));
  call->comm = call->op = call->bits = call->count = call->flags = call->root = call->handle = 0;
}

void enter(const char* name, const void* address) {
  if (shared == NULL) return;
  describe(name, address);
  post(MUSTER_ENTER);
}

int leave(int result) {
  if (shared != NULL) post(MUSTER_LEAVE);
  return result;
}

int number_of(MPI_Comm comm) {
  int found = 0;
  intptr_t* number = NULL;
  if (shared == NULL || comm == MPI_COMM_NULL) return -1;
  if (comm == MPI_COMM_WORLD) return 0;
  PMPI_Comm_get_attr(comm, keyval, (void*)&number, &found);
  return found ? (int)((intptr_t)number - 1) : -1;
}

void set_number(MPI_Comm comm, uint32_t number) {
  PMPI_Comm_set_attr(comm, keyval, (void*)((intptr_t)number + 1));
  resume();
}

static void begin(void) {
  const char* const path = getenv("MUSTER_SHARED");
  if (path == NULL) return;
  const int file = open(path, O_RDWR);
  if (file < 0) give_up(path, strerror(errno));
  struct muster_shared* const memory =
      mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) give_up(path, strerror(errno));
  int rank, ranks;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (memory->protocol != MUSTER_PROTOCOL || memory->ranks != (uint32_t)ranks)
    give_up(path, "of another version or start");
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  mine = &memory->rank[rank];
  shared = memory;
  resume();
}

int MPI_Init(int* argc, char*** argv) {
  const int result = PMPI_Init(argc, argv);
  if (result == MPI_SUCCESS) begin();
  return result;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int result = PMPI_Init_thread(
      argc, argv, required > MPI_THREAD_FUNNELED ? MPI_THREAD_FUNNELED : required, provided);
  if (result == MPI_SUCCESS) begin();
  return result;
}

int MPI_Finalize(void) {
  if (shared != NULL) {
    describe("MPI_Finalize", HERE);
    post(MUSTER_FINALIZE);
  }
  shared = NULL;
  return PMPI_Finalize();
}
