// SPDX-License-Identifier: Apache-2.0
#include "Vmuster_mesh.h"
#include "muster_mesh.h"
#include "verif/generated/traffic.hpp"

namespace {

constexpr unsigned kNodes = MUSTER_MESH_NODES, kLongest = 1000, kPolls = 100;

/// The exported network with one host for all its ports, at the addresses of its C header.
class Mesh {
  using Host = muster::verif::AxiHost<Vmuster_mesh>;

 public:
  Mesh() {
    top_.rst_ni = 0;
    run(2);
    top_.rst_ni = 1;
  }
  muster_bus bus() { return {&read, &write, this, 0}; }
  muster_bus at(std::uint32_t bytes) {
    const muster_bus all = bus();
    return muster_bus_from(&all, bytes / 4);
  }
  bool irq(unsigned node) {
    run(3);
    return muster::verif::element(top_.irq_o, node, 1) != 0;
  }
  void run(unsigned cycles) {
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
      top_.clk_i = 0;
      top_.eval();
      top_.clk_i = 1;
      top_.eval();
    }
  }

 private:
  /// One access at the port that has this address; the word that was read.
  template <class Access>
  std::uint32_t use(std::uint32_t word, Access access) {
    constexpr std::uint32_t kFirst = MUSTER_MESH_NODE(0) / 4,
                            kWords = (MUSTER_MESH_NODE(1) - MUSTER_MESH_NODE(0)) / 4;
    const bool control = word < kFirst;
    Host host(top_, control ? Host::kControl : (word - kFirst) / kWords);
    access(host, control ? word : (word - kFirst) % kWords);
    for (unsigned cycle = 0; !host.idle(); ++cycle) {
      REQUIRE(cycle < kLongest);
      top_.clk_i = 0;
      host.drive();
      top_.eval();
      host.see();
      run(1);
    }
    host.drive();
    REQUIRE_FALSE(host.refused());
    return host.word();
  }
  static std::uint32_t read(void* mesh, std::uint32_t word) {
    return static_cast<Mesh*>(mesh)->use(word, [](Host& host, std::uint32_t at) { host.read(at); });
  }
  static void write(void* mesh, std::uint32_t word, std::uint32_t value) {
    static_cast<Mesh*>(mesh)->use(word,
                                  [&](Host& host, std::uint32_t at) { host.write(at, value); });
  }

  Vmuster_mesh top_;
};

/// A mesh whose nodes have joined group 0, with interrupts.
struct Joined {
  Joined() {
    for (unsigned n = 0; n < kNodes; ++n) {
      const muster_bus bus = mesh.at(MUSTER_MESH_NODE(n));
      REQUIRE(muster_endpoint_open(&endpoints[n], &bus) == MUSTER_OK);
      REQUIRE(muster_endpoint_join(&kept[n], &endpoints[n], 0, 0, &members[n]) == MUSTER_OK);
      REQUIRE(muster_interrupt(&members[n], true) == MUSTER_OK);
    }
  }
  Mesh mesh;
  muster_endpoint endpoints[kNodes];
  muster_endpoint_group kept[kNodes];
  muster_member members[kNodes];
};

}  // namespace

TEST_CASE("addresses of the C header are those of registers of the module", "[driver]") {
  Mesh mesh;
  const muster_bus bus = mesh.bus();
  muster_switch switches[MUSTER_MESH_SWITCHES];
  REQUIRE(muster_network_open(&muster_mesh_network, &bus, switches) == MUSTER_OK);
  for (std::uint32_t s = 0; s < MUSTER_MESH_SWITCHES; ++s) {
    const muster_bus at = mesh.at(MUSTER_MESH_SWITCH(s));
    muster_switch same{};
    REQUIRE(muster_switch_open(&same, &at) == MUSTER_OK);
    CHECK(switches[s].bus.offset == same.bus.offset);
    CHECK(switches[s].ports == 4);
  }
  for (std::uint32_t n = 0; n < kNodes; ++n) {
    const muster_bus at = mesh.at(MUSTER_MESH_NODE(n));
    muster_endpoint endpoint{};
    REQUIRE(muster_endpoint_open(&endpoint, &at) == MUSTER_OK);
    CHECK(endpoint.groups == MUSTER_MESH_NODE_GROUPS);
    // The image permits a node's port to write registers.
    const muster_place& place = muster_mesh_places[n];
    CHECK((at.read(at.context, MUSTER_MESH_SWITCH(place.sw) / 4 + MUSTER_SWITCH_PERMITS) >>
               place.port &
           1) == 1);
  }
}

TEST_CASE("routes and permits are changed after the hardware has loaded its image", "[driver]") {
  Mesh mesh;
  const muster_bus bus = mesh.bus();
  muster_switch switches[MUSTER_MESH_SWITCHES];
  REQUIRE(muster_network_open(&muster_mesh_network, &bus, switches) == MUSTER_OK);
  const muster_route route{3, muster_port(1)};
  CHECK(muster_switch_change_route(&switches[0], &route) == MUSTER_OK);
  CHECK(muster_switch_permit(&switches[0], 0) == MUSTER_OK);
  CHECK(muster_network_open(&muster_mesh_network, &bus, switches) == MUSTER_OTHER_NETWORK);
  muster_network begun = muster_mesh_network;
  begun.words = 0;
  CHECK(muster_network_open(&begun, &bus, switches) == MUSTER_OK);
}

TEST_CASE("members of an exported network meet, are interrupted and acknowledge", "[driver]") {
  Joined at;
  std::uint32_t result = 0;
  for (unsigned barrier = 0; barrier < 2; ++barrier) {
    for (unsigned n = 0; n < kNodes; ++n) {
      CHECK(muster_arrive(&at.members[n], 1u << n) == MUSTER_OK);
      if (n + 1 == kNodes) continue;
      CHECK(muster_arrive(&at.members[n], 0) == MUSTER_UNDER_WAY);
      CHECK(muster_endpoint_read_state(&at.endpoints[n]).waiting == 1);
    }
    for (unsigned n = 0; n < kNodes; ++n) {
      REQUIRE(muster_wait(&at.members[n], kPolls, &result) == MUSTER_OK);
      CHECK(result == (1u << kNodes) - 1);
      CHECK(at.mesh.irq(n));
      CHECK(muster_endpoint_read_state(&at.endpoints[n]).released == 1);
      CHECK(muster_acknowledge(&at.members[n]) == MUSTER_OK);
      CHECK_FALSE(at.mesh.irq(n));
    }
  }
  muster_endpoint_counts counts{};
  CHECK_FALSE(muster_endpoint_read_counts(&at.endpoints[0], &counts));
}

TEST_CASE("a host joins one group with one identifier, at a place that is free", "[driver]") {
  Joined at;
  muster_endpoint_group other{};
  muster_member none{};
  const auto join = [&](std::uint8_t place, std::uint16_t gid) {
    return muster_endpoint_join(&other, &at.endpoints[0], place, gid, &none);
  };
  CHECK(join(MUSTER_MESH_NODE_GROUPS, 5) == MUSTER_BAD_ARGUMENT);
  CHECK(join(1, 256) == MUSTER_BAD_ARGUMENT);
  CHECK(join(1, 0) == MUSTER_GROUP_IN_USE);
  CHECK(join(1, 5) == MUSTER_OK);
  CHECK(muster_endpoint_leave(&other) == MUSTER_OK);
  CHECK(muster_endpoint_abandon(&at.kept[0]) == MUSTER_OK);  // there is no arrival
  std::uint32_t result = 0;
  CHECK(muster_wait(&at.members[0], 3, &result) == MUSTER_IDLE);
  // A program that starts again frees a member that waits.
  REQUIRE(muster_arrive(&at.members[0], 1) == MUSTER_OK);
  at.mesh.run(50);
  CHECK(join(0, 6) == MUSTER_UNDER_WAY);
  CHECK(muster_arrive(&none, 1) == MUSTER_UNDER_WAY);
  CHECK(muster_endpoint_abandon(&other) == MUSTER_DRAINING);
  muster_endpoint_rewritten(&other);
  CHECK(join(0, 6) == MUSTER_OK);
  CHECK(muster_test(&none) == MUSTER_IDLE);
}

TEST_CASE("an arrival outlives what its host does while it waits", "[driver]") {
  Joined at;
  REQUIRE(muster_arrive(&at.members[0], 1) == MUSTER_OK);
  CHECK(muster_interrupt(&at.members[0], false) == MUSTER_OK);
  CHECK(muster_interrupt(&at.members[0], true) == MUSTER_OK);
  CHECK(muster_acknowledge(&at.members[0]) == MUSTER_UNDER_WAY);
  CHECK(muster_endpoint_leave(&at.kept[0]) == MUSTER_UNDER_WAY);
  CHECK(muster_test(&at.members[0]) == MUSTER_UNDER_WAY);
  for (unsigned n = 1; n < kNodes; ++n) REQUIRE(muster_arrive(&at.members[n], 0) == MUSTER_OK);
  std::uint32_t result = 0;
  for (unsigned n = 0; n < kNodes; ++n)
    REQUIRE(muster_wait(&at.members[n], kPolls, &result) == MUSTER_OK);
  CHECK(at.mesh.irq(0));
  CHECK(muster_interrupt(&at.members[0], false) == MUSTER_OK);  // a handler that masks it
  CHECK_FALSE(at.mesh.irq(0));
  CHECK(muster_test(&at.members[0]) == MUSTER_OK);
  CHECK(muster_endpoint_abandon(&at.kept[1]) == MUSTER_RELEASED);
  // One that joins again has no release of before.
  REQUIRE(muster_endpoint_join(&at.kept[1], &at.endpoints[1], 0, 0, &at.members[1]) == MUSTER_OK);
  CHECK(muster_test(&at.members[1]) == MUSTER_IDLE);
  CHECK(muster_endpoint_leave(&at.kept[0]) == MUSTER_OK);
  CHECK(muster_arrive(&at.members[0], 1) == MUSTER_REFUSED);
  CHECK(muster_wait(&at.members[0], kPolls, &result) == MUSTER_REFUSED);
  muster_endpoint_counts counts{};
  CHECK(muster_endpoint_read_counts(&at.endpoints[0], &counts));
  CHECK(counts.arrivals == 1);
}

TEST_CASE("an arrival that is given up drains, and its release ends that", "[driver]") {
  Joined at;
  REQUIRE(muster_arrive(&at.members[3], 8) == MUSTER_OK);
  at.mesh.run(50);  // its message has left
  CHECK(muster_endpoint_abandon(&at.kept[3]) == MUSTER_DRAINING);
  CHECK(muster_arrive(&at.members[3], 8) == MUSTER_UNDER_WAY);
  CHECK(muster_endpoint_leave(&at.kept[3]) == MUSTER_UNDER_WAY);
  for (unsigned n = 0; n < 3; ++n) REQUIRE(muster_arrive(&at.members[n], 0) == MUSTER_OK);
  for (unsigned n = 0; n < 3; ++n)
    REQUIRE(muster_wait(&at.members[n], kPolls, nullptr) == MUSTER_OK);
  CHECK(muster_test(&at.members[3]) == MUSTER_IDLE);  // it was given up
  CHECK_FALSE(at.mesh.irq(3));
  CHECK(muster_endpoint_leave(&at.kept[3]) == MUSTER_OK);
}
