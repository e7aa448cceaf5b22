// SPDX-License-Identifier: Apache-2.0
// The driver of sw/ brings three switches up, through their register ports, and runs barriers of
// their nodes; then it does things in the wrong order, and reads in the switches what came of it.
// docs/how-to/driver.md describes the steps. Exit status 1 if anything is not as it says.
#include <cstdio>
#include <string>
#include <vector>

#include "line.hpp"

namespace {

constexpr unsigned kGid = 5, kPolls = 100, kNoNode = 9;
int failures = 0;

void expect(bool holds, const char* what) {
  std::printf("%s %s\n", holds ? "  " : "NOT", what);
  if (!holds) ++failures;
}

/// What every part begins with is told only if it fails.
void require(muster_status status, const char* what) {
  if (status == MUSTER_OK) return;
  std::printf("NOT %s: %s\n", what, muster_status_text(status));
  ++failures;
}

void expect(muster_status status, muster_status wanted, const char* what) {
  expect(status == wanted, what);
  if (status != wanted) std::printf("    %s\n", muster_status_text(status));
}

void tell(const char* where, const muster_drop& drop) {
  std::printf("   %s: %u dropped, the first a %s of group %u at port %u: %s\n", where, drop.count,
              drop.what, drop.gid, drop.port, drop.reason);
}

/// The routes of a switch of the line: a mask of ports for each node.
std::vector<muster_route> routes_of(unsigned sw) {
  std::vector<muster_route> routes;
  for (std::uint32_t node = 0; node < Line::kNodes; ++node) {
    const unsigned at = node / 2;
    const unsigned port = at < sw ? 2 : at > sw ? 3 : node % 2;
    routes.push_back({node, muster_port(port)});
  }
  return routes;
}

/// What each switch is told of the group of nodes 0, 2, 3 and 5. Switch 1 is the root.
constexpr muster_group kGroups[Line::kSwitches] = {
    {kGid, 0b0001, 3, MUSTER_OPERATION_MAX, false},  // node 0
    {kGid, 0b1111, 0, MUSTER_OPERATION_MAX, true},   // nodes 2 and 3, switches 0 and 2
    {kGid, 0b0010, 2, MUSTER_OPERATION_MAX, false},  // node 5
};

muster_switch open(Line& line, unsigned s) {
  muster_switch sw{};
  const muster_bus bus = line.bus(s);
  require(muster_switch_open(&sw, &bus), "a barrier switch answers");
  return sw;
}

std::vector<muster_switch> bring_up(Line& line) {
  std::vector<muster_switch> switches;
  for (unsigned s = 0; s < Line::kSwitches; ++s) {
    muster_switch sw = open(line, s);
    require(muster_switch_wait_ready(&sw, kPolls), "it has cleared its table");
    const auto routes = routes_of(s);
    const auto count = static_cast<std::uint32_t>(routes.size());
    require(muster_switch_write_routes(&sw, routes.data(), count), "routes are written");
    require(muster_switch_permit(&sw, 0b0011), "its own nodes may write registers");
    switches.push_back(sw);
  }
  return switches;
}

void barrier(std::vector<muster_member>& members, std::uint32_t greatest, const char* what) {
  bool all = true;
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (m + 1 == members.size())
      expect(muster_test(&members[0]), MUSTER_UNDER_WAY,
             "no member is released before the last arrives");
    const auto operand = m == 0 ? greatest : static_cast<std::uint32_t>(m);
    all = muster_arrive(&members[m], operand) == MUSTER_OK && all;
  }
  for (const muster_member& member : members) {
    std::uint32_t result = 0;
    all = muster_wait(&member, kPolls, &result) == MUSTER_OK && result == greatest && all;
  }
  expect(all, what);
}

void in_order() {
  std::puts("In order:");
  Line line;
  std::vector<muster_switch> switches = bring_up(line);
  for (unsigned s = 0; s < Line::kSwitches; ++s)
    expect(muster_group_create(&switches[s], 0, &kGroups[s]), MUSTER_OK, "the group is created");
  std::vector<muster_member> members;
  for (const unsigned node : {0u, 2u, 3u, 5u}) members.push_back(line.member(node, kGid));
  barrier(members, 40, "four members are released, with the greatest of what they brought");
  barrier(members, 17, "and again");

  line.send_packet(0, 4);
  line.run(40);
  expect(line.packets(4) == 1, "a packet from node 0 reaches node 4");

  std::puts("What is dropped:");
  line.send_stray(1, kGid);
  line.run(10);
  muster_drop drop = muster_switch_drops(&switches[0], MUSTER_DROPPED_MESSAGES);
  tell("switch 0", drop);
  expect(drop.count == 1 && drop.port == 1 && drop.gid == kGid,
         "node 1 is no member; its message is dropped and counted");
  muster_switch_clear_drops(&switches[0], MUSTER_DROPPED_MESSAGES);
  expect(muster_switch_drops(&switches[0], MUSTER_DROPPED_MESSAGES).count == 0,
         "the count begins again");
  line.send_packet(0, kNoNode);
  line.run(20);
  expect(muster_switch_unroutable(&switches[0]) == 1,
         "an unroutable packet is dropped and counted");

  std::puts("A change of the group:");
  expect(muster_arrive(&members[0], 0), MUSTER_OK, "node 0 arrives");
  line.run(10);
  expect(muster_group_change(&switches[0], 0, 0b0011), MUSTER_UNDER_WAY,
         "not while a barrier is under way");
  for (std::size_t m = 1; m < members.size(); ++m) muster_arrive(&members[m], 0);
  for (const muster_member& member : members) muster_wait(&member, kPolls, nullptr);
  expect(muster_group_change(&switches[0], 0, 0b0011), MUSTER_OK, "node 1 joins between barriers");
  members.push_back(line.member(1, kGid));
  barrier(members, 33, "five members are released");
  for (const muster_switch& sw : switches)
    expect(muster_group_release(&sw, 0), MUSTER_OK, "the group is released");
}

/// The control word makes the register valid. If it comes before the child mask, the group has for
/// a moment the children of the register's last one, here node 0 without node 1; and if node 0
/// arrives just then, that is all that is waited for. `right`: the child mask comes first.
void children_and_control(bool right) {
  std::puts(right ? "The child mask, then the control word:" : "The other way round:");
  Line line;
  const std::vector<muster_switch> switches = bring_up(line);
  const muster_bus& bus = switches[0].bus;
  const auto write = [&](std::uint32_t address, std::uint32_t word) {
    bus.write(bus.context, address, word);
  };
  const std::uint32_t control = MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_VALID, 1) |
                                MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_PARENT, 3) |
                                MUSTER_PUT(MUSTER_SWITCH_BARRIER_CONTROL_GID, kGid);
  constexpr std::uint32_t kLast = 0b0001, kChildren = 0b0011;
  write(MUSTER_SWITCH_BARRIER_CHILDREN(0), kLast);
  for (const unsigned s : {1u, 2u}) muster_group_create(&switches[s], 0, &kGroups[s]);
  std::vector<muster_member> members;
  for (const unsigned node : {0u, 2u, 3u, 5u}) members.push_back(line.member(node, kGid));
  if (right)
    write(MUSTER_SWITCH_BARRIER_CHILDREN(0), kChildren);
  else
    write(MUSTER_SWITCH_BARRIER_CONTROL(0), control);
  muster_arrive(&members[0], 0);  // too early
  line.run(5);
  if (right)
    write(MUSTER_SWITCH_BARRIER_CONTROL(0), control);
  else
    write(MUSTER_SWITCH_BARRIER_CHILDREN(0), kChildren);
  for (std::size_t m = 1; m < members.size(); ++m) muster_arrive(&members[m], 0);
  const muster_status outcome = muster_wait(&members[1], kPolls, nullptr);
  const muster_drop drop = muster_switch_drops(&switches[0], MUSTER_DROPPED_MESSAGES);
  if (!right) {
    expect(outcome, MUSTER_OK, "node 2 is released, though node 1 has not arrived");
    return;
  }
  expect(outcome, MUSTER_TIMEOUT, "no member is released, as node 1 has not arrived");
  tell("switch 0", drop);
  expect(drop.count == 1 && drop.port == 0 && drop.gid == kGid,
         "the early arrival is dropped and counted");
}

/// An entry is a mask of ports: 3 is ports 0 and 1, not port 3.
void port_for_mask() {
  std::puts("The number of a port for a mask:");
  Line line;
  std::vector<muster_switch> switches = bring_up(line);
  const muster_route wrong{4, 3};
  muster_switch_change_route(&switches[1], &wrong);
  line.send_packet(0, 4);
  line.run(40);
  expect(line.packets(4) == 0 && line.packets(2) == 1, "the packet for node 4 goes to node 2");
}

/// A switch ignores routes until it has cleared its table.
void routes_before_ready() {
  std::puts("Routes before the switch is ready:");
  Line line;
  muster_switch sw = open(line, 0);
  const muster_route route{1, 0b0010};
  expect(muster_switch_write_routes(&sw, &route, 1), MUSTER_NOT_READY, "the driver refuses them");
  line.bus(0).write(line.bus(0).context, MUSTER_SWITCH_ROUTES(route.destination),
                    static_cast<std::uint32_t>(route.ports));
  expect(muster_switch_permit(&sw, 0b0011), MUSTER_NO_ROUTES, "the driver asks for routes first");
  expect(muster_switch_wait_ready(&sw, kPolls), MUSTER_OK, "it becomes ready");
  line.send_packet(0, 1);
  line.run(20);
  expect(line.packets(1) == 0 && muster_switch_unroutable(&sw) == 1,
         "the early route is not there");
}

}  // namespace

int main() {
  in_order();
  children_and_control(true);
  children_and_control(false);
  port_for_mask();
  routes_before_ready();
  if (failures == 0) return 0;
  std::printf("driver: %d things are not as they should be\n", failures);
  return 1;
}
