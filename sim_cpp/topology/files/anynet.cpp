// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/text.hpp"
#include "muster/topology/generate.hpp"
#include "topology/files/file_formats.hpp"

namespace muster::topology {

namespace {

/// A router or node, and the latency that stood behind it.
struct Item {
  bool router = false;
  std::uint32_t id = 0;
  std::optional<std::uint32_t> latency = {};
};

/// A link or the connection of a node, named once or at both ends.
struct Connection {
  std::optional<std::uint32_t> latency;
  bool named_by_first = false, named_by_second = false;  // first: lower router, or the router
};

class Reader {
 public:
  explicit Reader(std::string_view content) : content_(content) {}

  Graph read() {
    while (!content_.empty()) {
      ++line_;
      read_line(take_line(content_));
    }
    return finish();
  }

 private:
  /// The next word of the line, empty at its end.
  static std::string_view word(std::string_view& rest) {
    constexpr std::string_view kBlank = " \t\r";
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlank), rest.size()));
    const std::string_view found = rest.substr(0, rest.find_first_of(kBlank));
    rest.remove_prefix(found.size());
    return found;
  }

  std::uint32_t number(std::string_view text, const char* what, std::uint32_t limit) const {
    const auto value = whole_number(text);
    if (!value || *value > limit)
      fail_at(line_, "{} is not a {}; write a number from 0 to {}", quote(text), what, limit);
    return *value;
  }

  Item item(std::string_view kind, std::string_view& rest) const {
    if (kind != "router" && kind != "node")
      fail_at(line_, "{} found where \"router\" or \"node\" is expected", quote(kind));
    const bool router = kind == "router";
    const std::string_view id = word(rest);
    if (id.empty()) fail_at(line_, "the line ends after \"{}\"; add its number", kind);
    return {router, router ? number(id, "router number", kMaxSwitches - 1)
                           : number(id, "node number", kMaxNodes - 1)};
  }

  void read_line(std::string_view rest) {
    const std::string_view kind = word(rest);
    if (kind.empty()) return;
    const Item head = item(kind, rest);
    if (head.router) know_router(head.id);
    for (std::string_view next = word(rest); !next.empty();) {
      Item peer = item(next, rest);
      next = word(rest);
      if (!next.empty() && next != "router" && next != "node") {
        peer.latency = number(next, "latency", kMaxLatency);
        if (*peer.latency == 0) fail_at(line_, "a latency of 0 is not possible; use 1 or more");
        next = word(rest);
      }
      connect(head, peer);
    }
  }

  void know_router(std::uint32_t id) {
    if (id >= router_seen_.size()) router_seen_.resize(id + 1, false);
    if (id >= ports_.size()) ports_.resize(id + 1, 0);
    router_seen_[id] = true;
  }

  void connect(const Item& head, const Item& peer) {
    if (!head.router && !peer.router) fail_at(line_, "a node cannot be connected to a node");
    if (peer.router) know_router(peer.id);
    if (head.router && peer.router) {
      if (head.id == peer.id)
        fail_at(line_, "router {} is connected to itself; name another one", head.id);
      const bool first = head.id < peer.id;
      Connection& link = links_[std::minmax(head.id, peer.id)];
      if (!link.named_by_first && !link.named_by_second) take_port(head.id), take_port(peer.id);
      name(link, first, peer.latency);
      return;
    }
    const std::uint32_t router = head.router ? head.id : peer.id;
    const std::uint32_t node = head.router ? peer.id : head.id;
    if (node >= nodes_.size()) nodes_.resize(node + 1);
    auto& [at, connection] = nodes_[node];
    if (at && *at != router)
      fail_at(line_, "node {} is connected to routers {} and {}; keep one", node, *at, router);
    if (!at) take_port(router);
    at = router;
    name(connection, head.router, peer.latency);
  }

  void take_port(std::uint32_t router) {
    if (++ports_[router] > kMaxPorts)
      fail_at(line_, "router {} has more than {} connections; distribute them over more routers",
              router, kMaxPorts);
  }

  void name(Connection& connection, bool by_first, std::optional<std::uint32_t> latency) {
    bool& named = by_first ? connection.named_by_first : connection.named_by_second;
    if (named) fail_at(line_, "a connection is named twice at the same end; name it once");
    named = true;
    if (latency && connection.latency && *latency != *connection.latency)
      fail_at(line_, "latency {} here and {} at the other end; a link has one latency", *latency,
              *connection.latency);
    if (latency) connection.latency = latency;
  }

  Graph finish() const {
    for (std::uint32_t r = 0; r < router_seen_.size(); ++r)
      if (!router_seen_[r])
        throw InputError("router {} is missing; number the routers 0 to {} without gaps", r,
                         router_seen_.size() - 1);
    std::vector<Edge> edges;
    for (const auto& [ends, link] : links_)
      edges.push_back({ends.first, ends.second, link.latency.value_or(1)});
    std::vector<Attachment> attachments;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      const auto& [at, connection] = nodes_[n];
      if (!at)
        throw InputError("node {} is missing; number the nodes 0 to {} without gaps", n,
                         nodes_.size() - 1);
      attachments.push_back({*at, connection.latency.value_or(1)});
    }
    Graph graph = assemble(ports_, std::move(edges), attachments);
    check_network(graph);
    return graph;
  }

  std::string_view content_;  // what is still to be read
  std::size_t line_ = 0;
  std::vector<bool> router_seen_;
  std::vector<std::uint32_t> ports_;
  std::vector<std::pair<std::optional<std::uint32_t>, Connection>> nodes_;  // router, connection
  std::map<std::pair<std::uint32_t, std::uint32_t>, Connection> links_;
};

std::string latency_text(std::uint32_t latency) {
  return latency == 1 ? "" : fmt::format(" {}", latency);
}

}  // namespace

Graph parse_anynet(std::string_view content, const std::string& file) {
  return at_place(file, [&] { return Reader(content).read(); });
}

std::string to_anynet(const Graph& graph) {
  std::string text;
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    std::map<std::uint32_t, std::uint32_t> nodes, routers;  // latency by number
    for (const Peer& peer : graph.peers(s)) {
      if (peer.kind == Peer::Kind::kOpen) continue;
      auto& side = peer.kind == Peer::Kind::kNode ? nodes : routers;
      if (!side.emplace(peer.id, peer.latency).second)
        throw InputError(
            "switches {} and {} have two links, which an anynet file cannot express; export as "
            "JSON",
            s, peer.id);
    }
    text += fmt::format("router {}", s);
    for (const auto& [id, latency] : nodes)
      text += fmt::format(" node {}{}", id, latency_text(latency));
    for (const auto& [id, latency] : routers)
      text += fmt::format(" router {}{}", id, latency_text(latency));
    text += '\n';
  }
  return text;
}

}  // namespace muster::topology
