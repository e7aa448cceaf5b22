// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/fabric/golden/switch_bench.hpp"

/// docs/systems/barrier-switch.md, "Input queues" and "Data", and docs/systems/data-path.md: what
/// both kinds of data path promise, with an example of their order and of sharing with messages.
namespace muster::golden {
namespace {

using B = SwitchBench;

TEMPLATE_TEST_CASE(
    "a head takes L + 3 cycles from wire to wire and its packet follows without a gap",
    "[golden][data]", SwitchBench, UnitBench) {
  const std::uint32_t vcs = GENERATE(1, 2, 4);
  TestType bench(sized<TestType>(5, vcs, 8));
  bench.route(9, 1u << 3);
  const auto vc = static_cast<std::uint8_t>(vcs - 1);
  const std::vector<core::Flit> flits = B::packet(9, 4);
  for (std::uint32_t t = 0; t < 9; ++t) {
    CAPTURE(t);
    CHECK(bench.valid(3) == (t >= 4 && t < 8));  // L + 3 = 4
    if (bench.valid(3)) {
      core::Flit expected = flits[t - 4];
      expected.vc = vc;
      CHECK(bench.out(3) == expected);
    }
    // Taken in t + 2, so its credit is on the wires in t + 3.
    CHECK(bench.credits() == (t >= 3 && t < 7 ? bit(lane_of(1, vc)) : 0));
    if (t < flits.size()) bench.send(1, flits[t], vc);
    bench.step();
  }
  CHECK(bench.quiescent());
}

TEMPLATE_TEST_CASE("a packet takes the lowest port of its route mask", "[golden][data]",
                   SwitchBench, UnitBench) {
  TestType bench(sized<TestType>(6, 1));
  bench.route(7, 0b101100);
  const core::Flit flit = B::single(7);
  bench.take(5, flit, 4);
  CHECK(bench.outputs() == 0b000100);
  CHECK(bench.out(2) == flit);
}

TEMPLATE_TEST_CASE(
    "a head inside a packet ends it with a cut mark, flits without a head are dropped",
    "[golden][data]", SwitchBench, UnitBench) {
  TestType bench(sized<TestType>(4, 1));
  bench.route(1, 1u << 1);
  bench.route(2, 1u << 2);
  std::vector<core::Flit> out;
  std::uint32_t credits = 0;
  const auto step = [&] {
    if (bench.outputs() != 0) out.push_back(bench.out(lowest(bench.outputs())));
    credits += bench.credits() != 0;
    bench.step();
  };
  for (const auto& flit : {B::body(2), B::head(1), B::head(2), B::tail(2), B::single(2)}) {
    bench.send(0, flit);
    step();
  }
  for (int t = 0; t < 12; ++t) step();
  CHECK(out == std::vector<core::Flit>{B::head(1), core::Flit::cut_mark(0), B::single(2)});
  CHECK(credits == 5);
  CHECK(bench.read(0x004) == 3u << 16);
  CHECK(bench.quiescent());
}

TEMPLATE_TEST_CASE("the counter of drained packets stops at 65535", "[golden][data]", SwitchBench,
                   UnitBench) {
  TestType bench(sized<TestType>(16, 1, 4));
  for (int t = 0; t < 4200; ++t) {
    for (std::uint32_t p = 0; p < 16; ++p) bench.send(p, B::single(1));
    bench.step(3);
  }
  CHECK(bench.read(0x004) == 0xffff);
}

TEMPLATE_TEST_CASE("an address of at least Dests has no route, whatever its bits are",
                   "[golden][data]", SwitchBench, UnitBench) {
  struct Size {
    std::uint32_t dests, flit_w;
  };
  const Size size = GENERATE(Size{16, 16}, Size{17, 16}, Size{20, 21}, Size{2048, 16},
                             Size{2048, 32}, Size{4096, 18}, Size{65536, 21});
  fabric::SwitchConfig config = sized<TestType>(4, 1);
  config.dests = size.dests;
  config.flit_w = size.flit_w;
  TestType bench(config);
  for (std::uint32_t d = 0; d < size.dests; ++d) bench.route(d, 1u << 1);
  std::uint32_t outside = 0;
  for (std::uint32_t bit = 0; bit <= 16; ++bit)
    for (const std::int64_t near : {-1, 0, 1, 3}) {
      const std::int64_t destination = (std::int64_t{1} << bit) + near;
      if (destination < 0 || destination >= fabric::addresses(size.flit_w)) continue;
      CAPTURE(size.dests, size.flit_w, destination);
      core::Flit flit = B::single(0);
      flit.lo = fabric::address_bits(static_cast<std::uint32_t>(destination));
      bench.take(0, flit, 4);
      CHECK((bench.outputs() == 0b0010) == (destination < size.dests));
      outside += destination >= size.dests;
      if (destination < size.dests) bench.give_credit(1);
      bench.step();
    }
  CHECK(bench.read(0x004) == outside);
}

/// Sources that always have a packet: each fills its queue with packets of two flits for port 0 and
/// keeps to its credits. The tail's payload names the source.
template <class Bench>
class PacketSources {
 public:
  PacketSources(Bench& bench, std::uint32_t depth) : bench_(bench), depth_(depth) {}
  void add(std::uint32_t port, std::uint8_t vc) { lanes_[lane_of(port, vc)] = {depth_, false}; }

  void step() {
    for (auto& [lane, source] : lanes_)
      if (has(bench_.credits(), lane)) ++source.credits;
    std::uint32_t sent = 0;  // a port carries one flit a cycle
    for (auto& [lane, source] : lanes_) {
      if (source.credits == 0 || has(sent, port_of(lane))) continue;
      sent |= 1u << port_of(lane);
      const auto vc = static_cast<std::uint8_t>(vc_of(lane));
      bench_.send(port_of(lane), source.open ? Bench::tail(lane) : Bench::head(1), vc);
      source.open = !source.open;
      --source.credits;
    }
    bench_.step();
  }

 private:
  struct Source {
    std::uint32_t credits;
    bool open;  ///< the head has been sent
  };
  Bench& bench_;
  std::uint32_t depth_;
  std::map<std::uint32_t, Source> lanes_;
};

/// The inputs whose flits are taken in each of `cycles` cycles, a digit each; - for none. Credits
/// of output 0 come back at once.
std::string served(SwitchBench& bench, std::uint32_t cycles) {
  std::string order;
  for (std::uint32_t t = 0; t < cycles; ++t) {
    if (bench.valid(0)) bench.give_credit(0, bench.out(0).vc);
    bench.step();
    if (bench.credits() == 0) order += '-';
    for_each_bit(bench.credits(), [&](std::uint32_t lane) { order += char('0' + port_of(lane)); });
  }
  return order;
}

TEST_CASE("the next is the waiting input at or after the pointer, which it moves behind itself",
          "[golden][order]") {
  const std::uint32_t vcs = GENERATE(1, 2);
  SwitchBench bench(sw(8, vcs, 4));
  bench.route(1, 1);
  // 4 is the owner with an open packet, and 3 its next. 5, 2 and 7 wait.
  bench.take(4, B::head(1), 3);
  for (const std::uint32_t port : {3u, 5u, 2u, 7u}) {
    bench.take(port, B::single(1), 3);
  }
  // No input that waited has been picked: the pointer is at 0. When 3 is the owner, 2 is picked.
  bench.send(4, B::tail(1));
  CHECK(served(bench, 8) == "-43257--");
}

TEMPLATE_TEST_CASE(
    "a channel short of credits serves all inputs in turn while another keeps its port busy",
    "[golden][order]", SwitchBench, UnitBench) {
  TestType bench(sized<TestType>(8, 2, 4));
  bench.route(1, 1);
  PacketSources sources(bench, 4);
  for (const std::uint32_t port : {1u, 2u, 4u}) sources.add(port, 0);
  sources.add(3, 1);

  // Channel 1 of port 0 gets its credits at once; channel 0 one in ten cycles.
  std::uint32_t owed = 0;
  std::map<std::uint64_t, std::uint32_t> packets;
  for (std::uint32_t t = 0; t < 4000; ++t) {
    if (bench.valid(0)) {
      const core::Flit& flit = bench.out(0);
      if (flit.vc == 1) bench.give_credit(0, 1);
      if (flit.vc == 0) ++owed;
      if (flit.tail()) ++packets[flit.lo];
    }
    if (t % 10 == 0 && owed > 0) {
      bench.give_credit(0, 0);
      --owed;
    }
    sources.step();
  }
  const std::uint32_t first = packets[lane_of(1, 0)], second = packets[lane_of(2, 0)],
                      third = packets[lane_of(4, 0)];
  CAPTURE(first, second, third, packets[lane_of(3, 1)]);
  CHECK(first >= 60);
  CHECK(second + 1 >= first);
  CHECK(second <= first + 1);
  CHECK(third + 1 >= first);
  CHECK(third <= first + 1);
  CHECK(packets[lane_of(3, 1)] > 1000);
}

/// What passes port 0, a letter a cycle: b barrier, d data, - nothing. A packet of `flits` is
/// queued at port 1 for port 0, and a reduction of each of `groups` registers (children: ports 2,
/// 3, ...) is on the wires in cycle `at`. The packet is allocated from cycle 2 on, traverses from 3
/// and is on the wires from 4; the messages ask for the output from `at` + 1 on.
std::string mixed(SwitchBench& bench, std::uint32_t flits, std::uint32_t groups, std::uint32_t at,
                  std::size_t cycles) {
  bench.route(1, 1);
  for (std::uint32_t r = 0; r < groups; ++r) bench.load(r, r, 1u << (2 + r), 0);
  const std::vector<core::Flit> packet = B::packet(1, flits);
  std::string seen;
  for (std::uint32_t t = 0; t < cycles; ++t, bench.step()) {
    if (t < flits) bench.send(1, packet[t]);
    for (std::uint32_t r = 0; t == at && r < groups; ++r) bench.send(2 + r, bench.reduction(r));
    seen += !bench.valid(0) ? '-' : bench.out(0).sync() ? 'b' : 'd';
    if (seen.back() == 'd') bench.give_credit(0, bench.out(0).vc);
  }
  return seen;
}

TEST_CASE("a barrier message waits for two flits of data at most, data for each second cycle",
          "[golden][sharing]") {
  struct Row {
    std::uint32_t flits, groups, at;
    std::string seen;
  };
  for (const Row& row :
       {// The first message asks in 3: waits for the flit that traverses and the one allocated.
        Row{8, 3, 2, "----ddbddbddbdd-----"},
        {2, 1, 0, "--b-dd---"},  // on an output that is free it goes at once
        {2, 1, 1, "---bdd---"},  // request and allocation in one cycle: one behind the other
        {2, 2, 1, "---bddb--"},
        {1, 1, 2, "----db---"}}) {
    CAPTURE(row.flits, row.groups, row.at);
    SwitchBench bench(sw(8, 1, 16));
    CHECK(mixed(bench, row.flits, row.groups, row.at, row.seen.size()) == row.seen);
  }
  SwitchBench held(sw(8, 2, 16));
  held.write(0x006, 1);
  CHECK(mixed(held, 4, 2, 1, 14) == "---bb---------");
}

TEST_CASE("a barrier message passes a queue of data that is full", "[golden][sharing]") {
  SwitchBench full(sw(4, 1, 4));
  full.route(1, 1u << 3);
  full.load(0, 5, 0b0010, 0);
  full.write(0x006, 1u << 3);
  for (int i = 0; i < 4; ++i, full.step()) full.send(1, i == 0 ? B::head(1) : B::body(1));
  full.take(1, full.reduction(5), 2);
  CHECK(full.message(0).gid == 5);
  CHECK(full.outputs() == 1);
  CHECK(full.credits() == 0);
}

}  // namespace
}  // namespace muster::golden
