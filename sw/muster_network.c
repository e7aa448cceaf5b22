/* SPDX-License-Identifier: Apache-2.0 */
/* A network whose hardware has loaded its image: all switches are opened and compared with it. */
#include "muster_bus.h"

/* The word of the image is there. Routes cannot be read. Words of groups in block RAM are those of
 * the group that the image selects before them. */
static bool is_there(const muster_bus* control, const muster_image_word* load, uint32_t window,
                     bool has_groups) {
  const uint32_t address = load->address & (window - 1);
  if (address >= MUSTER_SWITCH_ROUTES(0)) return true;
  if (has_groups && address == MUSTER_WINDOW_SELECT) {
    muster_write(control, load->address, load->word);
    return true;
  }
  return muster_read(control, load->address) == load->word;
}

/* The switch was built with the sizes of the network's. */
static bool has_sizes(const muster_switch* sw, const muster_network* network) {
  return sw->destinations == network->destinations && sw->groups == network->groups &&
         sw->registers == network->registers && sw->ports == network->ports &&
         sw->channels == network->channels && sw->depth == network->depth &&
         sw->gid_width == network->gid_width && sw->flit_width == network->flit_width;
}

muster_status muster_network_open(const muster_network* network, const muster_bus* control,
                                  muster_switch* switches) {
  uint32_t s, w, offset = 0;
  if (network->switches == 0) return MUSTER_OTHER_NETWORK;
  for (s = 0; s < network->switches; ++s) switches[s].routed = false;
  for (s = 0; s < network->switches; ++s, offset += network->window) {
    const muster_bus bus = muster_bus_from(control, offset);
    const muster_status status = muster_switch_open(&switches[s], &bus);
    /* With a switch before it, a place without one is past the end of a smaller network. */
    if (status != MUSTER_OK) return s == 0 ? status : MUSTER_OTHER_NETWORK;
    if (!has_sizes(&switches[s], network)) return MUSTER_OTHER_NETWORK;
  }
  for (w = 0; w < network->words; ++w)
    if (!is_there(control, &network->image[w], network->window, switches[0].groups != 0))
      return MUSTER_OTHER_NETWORK;
  for (s = 0; s < network->switches; ++s) switches[s].routed = true;
  return MUSTER_OK;
}
