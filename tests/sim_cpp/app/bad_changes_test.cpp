// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/app/shell.hpp"

using namespace muster::test;

namespace {

std::string of_figure1(const std::string& options) { return "run " + kFigure1 + " " + options; }

}  // namespace

TEST_CASE("changes of groups and links that cannot be are refused", "[app][bad-input][change]") {
  const auto changes = [](const std::string& options) {
    return of_figure1("--group paper --setup in-band " + options);
  };
  refuses(of_figure1("--group paper --leave 3:4@2"),
          ": --leave: only groups that are set up in band");
  refuses(of_figure1("--group paper --kill-link 3:1-1:1@500"),
          ": --kill-link: only groups that are set up in band");
  refuses(changes("--leave 3:4"), "needs '@'");
  refuses(changes("--leave 3:4@x"), "'x' is not a whole number from 0 to");
  refuses(changes("--leave 3:4@0"), "before barriers 1 to 9");
  refuses(changes("--leave 3:4@10"), "before barriers 1 to 9");
  refuses(changes("--leave 3:4@2/1"), "unknown group 1");
  refuses(changes("--leave 2:1@2"), "is not a member");
  refuses(changes("--join 3:4@2"), "is a member already");
  refuses(changes("--leave 3:4@2 3:4@4"), "--leave '3:4@4': is not a member");
  refuses(changes("--leave 3:4@2 --join 3:4@2"), "joins and leaves at the same barrier");
  refuses(changes("--leave 3:4@2 --leave 3:4@2"), "--leave '3:4@2': is named twice");
  refuses(changes("--leave 3:4@4294967298"), "--leave '3:4@4294967298': '4294967298' is not");
  refuses(changes("--kill-link 4294967299:1-1:1@500"), "'4294967299' is not a whole number");
  refuses(changes("--join 0:0@2"), "no node at 0:0");
  refuses(changes("--group 3:4,3:6 --leave 3:4@2"), "ambiguous among 2 groups");
  refuses(changes("--evict-after 500"), "--evict-after: needs groups");
  refuses(of_figure1("--group paper --spill --evict-after 500"), "--evict-after: needs groups");
  refuses(changes("--spill --evict-after 0"), "'0' is not a whole number from 1 to 1000000000");
  refuses(of_figure1("--group paper --setup-drop 0.1"),
          "--setup-drop: only messages of the in-band set-up");
  for (const char* share : {"0.6", "-0.1", "nan"})
    refuses(changes(std::string("--setup-drop ") + share), "--setup-drop");
  refuses(of_figure1("--group paper --scheme unicast --evict-after 9"), "scheme 'unicast'");
  refuses(of_figure1("--group paper --scheme unicast --setup-drop 0.1"), "scheme 'unicast'");
  refuses(of_figure1("--group paper --setup in-band --scheme unicast --leave 3:4@2"), "unicast");
  refuses(changes("--kill-link 3:1-1:1"), "needs '@'");
  refuses(changes("--kill-link 3:1@5"), "write a link");
  refuses(changes("--kill-link 3:1-1:1@1000000001"), "from 0 to 1000000000");
  refuses(changes("--kill-link n3@5"), "write a link");
  refuses(changes("--kill-link 3:1-4:1@5"), "there is no link 3:1-4:1");
  refuses(changes("--kill-link 2:0-8:0@5"), "nothing joins switches 2 and 8");
  refuses(changes("--kill-link 99:0-8:0@5"), "there is no link 99:0-8:0");
  refuses(changes("--kill-link 3:1-1:1@5 --kill-link 1:1-3:1@9"), "there is no link 1:1-3:1");
}

TEST_CASE("deaths that cannot be are refused", "[app][bad-input][death]") {
  const auto deaths = [](const std::string& options) {
    return of_figure1("--group paper --link-retry " + options);
  };
  refuses(of_figure1("--group paper --kill-switch sw3@500"),
          ": --kill-switch 'sw3@500': without link ends the death is not detected");
  refuses(of_figure1("--group paper --kill-node n3@500"), "add --link-retry");
  refuses(of_figure1("--group paper --reset-switch 3@500"), "add --link-retry");
  refuses(deaths("--kill-switch sw3"), "--kill-switch 'sw3': needs '@'");
  refuses(deaths("--kill-switch sw9@5"), "--kill-switch 'sw9@5': switch 9 does not exist");
  refuses(deaths("--kill-switch n3@5"), "--kill-switch 'n3@5' 'n3': write a switch as sw3");
  refuses(deaths("--kill-switch sw3@x"), "'x' is not a whole number from 0 to 1000000000");
  refuses(deaths("--kill-switch 4294967299@5"), "switch 4294967299 does not exist");
  refuses(deaths("--kill-node n26@5"), "--kill-node 'n26@5': ");
  refuses(deaths("--kill-node 0:0@5"), "no node at 0:0");
  refuses(deaths("--kill-node sw3@5"), "--kill-node 'sw3@5': ");
  refuses(deaths("--reset-switch 3:4@5"), "write a switch as sw3");
  refuses(deaths("--reset-switch sw3@1000000001"), "from 0 to 1000000000");
  refuses(deaths("--kill-switch sw3@5 3@9"), "--kill-switch 'sw3@9': --kill-switch 'sw3@5' is");
  refuses(deaths("--kill-switch sw3@5 --reset-switch sw3@9"), "--reset-switch 'sw3@9': --kill");
  for (const char* scheme : {"multicast", "tree-units"})
    refuses(deaths("--kill-node n3@5 --scheme " + std::string(scheme)),
            "'" + std::string(scheme) + "' does not support deaths; use btin, ");
  refuses(of_figure1("--group paper --cut-link n3@500"), "add --link-retry");
  refuses(deaths("--cut-link 2:0-3:0@5"), "--cut-link '2:0-3:0@5': no such link");
  refuses(deaths("--cut-link n3"), "needs '@'");
  refuses(deaths("--kill-node n3@5 --setup in-band"), "--setup in-band: it does not support dead");
  refuses(deaths("--kill-node n3@5 --spill"), "--spill: it does not support dead");
}

TEST_CASE("links that cannot die are refused, whatever the scheme", "[app][bad-input][change]") {
  for (const char* scheme : {"bsr-1", "bsr-2", "bsr-3"}) {
    const auto bsr = [&](const std::string& options) {
      return of_figure1("--group paper --scheme " + std::string(scheme) + " " + options);
    };
    refuses(bsr("--kill-link 3:1-1:1"), "needs '@'");
    refuses(bsr("--kill-link 3:1@5"), "write a link");
    refuses(bsr("--kill-link 3:1-4:1@5"), "there is no link 3:1-4:1");
    refuses(bsr("--kill-link 2:0-8:0@5"), ": --kill-link: without link 2:0-8:0 nothing joins");
    refuses(bsr("--kill-link 3:1-1:1@5 3:1-1:1@9"), "there is no link 3:1-1:1");
    refuses(bsr("--kill-link 3:1-1:1@5 --congestion 1@10"), "--congestion: --kill-link also");
    refuses(bsr("--kill-link 3:1-1:1@5 --setup in-band"), "--setup in-band: scheme");
    refuses(bsr("--kill-link 3:1-1:1@5 --leave 3:4@2"), "--leave: scheme");
  }
  refuses(
      of_figure1("--group paper --scheme star --kill-link 3:1-1:1@5"),
      "--kill-link: scheme 'star' cannot route around dead links; use btin, bsr-1, bsr-2, bsr-3");
}

TEST_CASE("messages that are lost or sent again where they cannot be are refused",
          "[app][bad-input][retry]") {
  const auto retry = [](const std::string& options) {
    return of_figure1("--group paper --retry " + options);
  };
  refuses(of_figure1("--group paper --message-drop 0.1"),
          "--message-drop: lost or duplicated messages");
  refuses(of_figure1("--group paper --message-duplicate 0.1"), "--message-duplicate: lost or");
  refuses(of_figure1("--group paper --retry-period 9"),
          "--retry-period: messages are repeated only");
  refuses(retry("--message-drop 0.95"), "--message-drop 0.95: is not in 0..0.9");
  refuses(retry("--message-duplicate nan"), "--message-duplicate");
  refuses(retry("--retry-period 0"), "'0' is not a whole number from 1 to 65535");
  refuses(retry("--retry-period 65536"), "from 1 to 65535");
  refuses(retry("--serial"), "--serial: registers of --retry");
  refuses(retry("--many"), "--many: groups in block RAM do not repeat");
  refuses(retry("--spill"), "--spill: spilled groups do not repeat");
  refuses(retry("--setup in-band"), "--setup in-band: the host sets up");
  refuses(retry("--scheme unicast"), "--retry: scheme 'unicast'");
  refuses(retry("--message-drop 0.1 --link-retry"),
          "--link-retry: links with --link-retry lose frames");
  refuses(retry("--suspect-after 0"), "--suspect-after");
  refuses(retry("--retry-period 2 --suspect-after 7141"), "--suspect-after 7141: with --retry-per");
  refuses(of_figure1("--group paper --suspect-after 9"),
          "--suspect-after: registers become suspect only with --retry");
  refuses(retry("--message-drop 0.1 --profile btin"), "--message-drop: links with the delay pipe");
}
