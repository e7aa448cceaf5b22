/* SPDX-License-Identifier: Apache-2.0 */
/* What the processor of own_soc.sv runs: it opens the network, whose hardware has loaded its image,
 * makes all four nodes members of group 0, and lets them meet. It calls no library.
 *
 * With SOC_BASE, the place of the network in memory, start-up code calls soc_main(). Without it the
 * bench calls firmware() and has the accesses. */
#include "soc_mesh.h"

#define POLLS 1000u

static muster_switch switches[SOC_MESH_SWITCHES];
static muster_endpoint endpoints[SOC_MESH_NODES];
static muster_endpoint_group places[SOC_MESH_NODES];
static muster_member members[SOC_MESH_NODES];

static muster_status open_nodes(const muster_bus* soc) {
  muster_status status = MUSTER_OK;
  uint32_t n;
  for (n = 0; n < SOC_MESH_NODES && status == MUSTER_OK; ++n) {
    const muster_bus bus = muster_bus_from(soc, SOC_MESH_NODE(n) / 4);
    status = muster_endpoint_open(&endpoints[n], &bus);
    if (status == MUSTER_OK)
      status = muster_endpoint_join(&places[n], &endpoints[n], 0, 0, &members[n]);
    if (status == MUSTER_OK) status = muster_interrupt(&members[n], true);
  }
  return status;
}

#define ALL (((uint32_t)1 << SOC_MESH_NODES) - 1)

/* Each node brings its bit; each gets the OR of all. */
static muster_status meet(uint32_t* result) {
  muster_status status = MUSTER_OK;
  uint32_t n;
  for (n = 0; n < SOC_MESH_NODES && status == MUSTER_OK; ++n)
    status = muster_arrive(&members[n], (uint32_t)1 << n);
  for (n = 0; n < SOC_MESH_NODES && status == MUSTER_OK; ++n) {
    status = muster_wait(&members[n], POLLS, result);
    if (status == MUSTER_OK && *result != ALL) status = MUSTER_FAILED;
    if (status == MUSTER_OK) status = muster_acknowledge(&members[n]);
  }
  return status;
}

/* Nothing was dropped anywhere. */
static bool is_clean(void) {
  muster_switch_counts counts;
  muster_endpoint_counts drops;
  bool clean = true;
  uint32_t i;
  for (i = 0; i < SOC_MESH_SWITCHES; ++i)
    clean = !muster_switch_read_counts(&switches[i], &counts) && clean;
  for (i = 0; i < SOC_MESH_NODES; ++i)
    clean = !muster_endpoint_read_counts(&endpoints[i], &drops) && clean;
  return clean;
}

static muster_status run(const muster_bus* soc, uint32_t* result) {
  muster_status status = muster_network_open(&soc_mesh_network, soc, switches);
  if (status == MUSTER_OK) status = open_nodes(soc);
  if (status == MUSTER_OK) status = meet(result);
  if (status == MUSTER_OK && !is_clean()) status = MUSTER_FAILED;
  return status;
}

#ifdef SOC_BASE
/* 0 if all is right. The stack must be set up. */
int soc_main(void);
int soc_main(void) {
  const muster_bus soc = muster_bus_at((volatile uint32_t*)SOC_BASE);
  uint32_t result;
  return (int)run(&soc, &result);
}
#else
/* The bench's: the word at this address of the SoC. */
uint32_t soc_read(void* context, uint32_t word);
void soc_write(void* context, uint32_t word, uint32_t value);

int firmware(uint32_t* result);
int firmware(uint32_t* result) {
  const muster_bus soc = {soc_read, soc_write, 0, 0};
  return (int)run(&soc, result);
}
#endif
