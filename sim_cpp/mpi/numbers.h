/* SPDX-License-Identifier: Apache-2.0 */
/* Types and operations of MPI that messages of the network can carry, as unsigned numbers. */
#ifndef MUSTER_MPI_NUMBERS_H
#define MUSTER_MPI_NUMBERS_H

#include <mpi.h>
#include <stdint.h>
#include <string.h>

struct type {
  uint32_t bytes;
  char kind; /* 's'igned, 'u'nsigned, 'f'loating point, 'b'ytes */
};

static inline struct type type_of(MPI_Datatype type) {
#define TYPE(name, c, kind) \
  if (type == name) return (struct type){sizeof(c), kind}
  TYPE(MPI_INT, int, 's');
  TYPE(MPI_DOUBLE, double, 'f');
  TYPE(MPI_LONG, long, 's');
  TYPE(MPI_LONG_LONG, long long, 's');
  TYPE(MPI_UNSIGNED, unsigned, 'u');
  TYPE(MPI_UNSIGNED_LONG, unsigned long, 'u');
  TYPE(MPI_UNSIGNED_LONG_LONG, unsigned long long, 'u');
  TYPE(MPI_FLOAT, float, 'f');
  TYPE(MPI_CHAR, char, 'b');
  TYPE(MPI_BYTE, char, 'b');
  TYPE(MPI_SIGNED_CHAR, signed char, 's');
  TYPE(MPI_UNSIGNED_CHAR, unsigned char, 'u');
  TYPE(MPI_SHORT, short, 's');
  TYPE(MPI_UNSIGNED_SHORT, unsigned short, 'u');
  TYPE(MPI_INT8_T, int8_t, 's');
  TYPE(MPI_INT16_T, int16_t, 's');
  TYPE(MPI_INT32_T, int32_t, 's');
  TYPE(MPI_INT64_T, int64_t, 's');
  TYPE(MPI_UINT8_T, uint8_t, 'u');
  TYPE(MPI_UINT16_T, uint16_t, 'u');
  TYPE(MPI_UINT32_T, uint32_t, 'u');
  TYPE(MPI_UINT64_T, uint64_t, 'u');
  TYPE(MPI_C_BOOL, _Bool, 'u');
#undef TYPE
  return (struct type){0, 0};
}

enum { OR = 0, XOR = 1, MAX = 2, SUM = 3, AND = 4, MIN = 6, NONE = 99 }; /* fabric::ReduceOp */

struct reduction {
  struct type type;
  uint32_t op;
  int logical; /* numbers are 0 or not */
};

static inline struct reduction reduction_of(MPI_Datatype type, MPI_Op op) {
  struct reduction r = {type_of(type), NONE, op == MPI_LOR || op == MPI_LAND || op == MPI_LXOR};
  if (op == MPI_BOR || op == MPI_LOR) r.op = OR;
  if (op == MPI_BAND || op == MPI_LAND) r.op = AND;
  if (op == MPI_BXOR || op == MPI_LXOR) r.op = XOR;
  if (op == MPI_MAX) r.op = MAX;
  if (op == MPI_MIN) r.op = MIN;
  if (op == MPI_SUM) r.op = SUM;
  const int ordered = r.op == MAX || r.op == MIN;
  const int whole = r.type.kind == 's' || r.type.kind == 'u';
  const int bytes = r.type.kind == 'b' && !ordered && r.op != SUM && !r.logical;
  if (!whole && !bytes && !(r.type.kind == 'f' && ordered)) r.op = NONE;
  if (type == MPI_C_BOOL && !r.logical) r.op = NONE;
  return r;
}

/* As an unsigned number whose order, for MAX and MIN, is that of the values. */
static inline uint64_t number_from(struct reduction r, const char* from) {
  uint64_t number = 0;
  memcpy(&number, from, r.type.bytes);
  if (r.logical) return number != 0;
  const uint64_t sign = (uint64_t)1 << (8 * r.type.bytes - 1);
  if (r.op != MAX && r.op != MIN) return number;
  if (r.type.kind == 's') return number ^ sign;
  if (r.type.kind == 'f') return (number & sign) != 0 ? ~number & (2 * sign - 1) : number | sign;
  return number;
}

static inline void number_to(struct reduction r, uint64_t number, char* to) {
  const uint64_t sign = (uint64_t)1 << (8 * r.type.bytes - 1);
  if ((r.op == MAX || r.op == MIN) && r.type.kind == 's') number ^= sign;
  if ((r.op == MAX || r.op == MIN) && r.type.kind == 'f')
    number = (number & sign) != 0 ? number ^ sign : ~number & (2 * sign - 1);
  memcpy(to, &number, r.type.bytes);
}

/* Of floating point. */
static inline double real(struct type type, const char* from) {
  double number;
  float single;
  if (type.bytes == sizeof number) return memcpy(&number, from, sizeof number), number;
  return memcpy(&single, from, sizeof single), single;
}

/* As values, of floating point; else bit by bit. */
static inline int equal(struct type type, const char* a, const char* b) {
  return memcmp(a, b, type.bytes) == 0 || (type.kind == 'f' && real(type, a) == real(type, b));
}

#endif
