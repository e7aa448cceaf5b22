// SPDX-License-Identifier: Apache-2.0
#include "mpi/design.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "muster/core/error.hpp"

namespace muster::mpi {
namespace {

constexpr std::uint64_t kLongest = 1'000'000;  ///< cycles of an access; also of loading the image
constexpr int kTries = 1000;                   ///< to change a group, whose barrier may end first

/// Of a file that is loaded for the life of the process.
const fabric::NetworkModel& load(const std::string& file) {
  const auto refuse = [&](const std::string& why) {
    return InputError("--design {}: {}; muster_network_model() of CMake makes such files", file,
                      why);
  };
  void* const library = ::dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw refuse(::dlerror());
  using Entry = const fabric::NetworkModel* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(library, "muster_network_model"));
  if (entry == nullptr) throw refuse("is no network");
  if (std::string_view(entry()->interface) != fabric::NetworkModel::kInterface)
    throw refuse("was built for another version of this program or by another compiler");
  return *entry();
}

/// Cycles in which a message goes up and down the whole network, waiting at each switch for one of
/// every port.
std::uint64_t settling_of(const topology::Graph& graph) {
  std::uint64_t sum = 16;
  for (topology::SwitchId s = 0; s < graph.switches(); ++s)
    for (const topology::Peer& peer : graph.peers(s)) sum += 4 + 2 * peer.latency;
  return sum;
}

}  // namespace

Design::Design(std::string file, const topology::Graph& graph, std::vector<topology::NodeId> all)
    : file_(std::move(file)), model_(&load(file_)), settling_(settling_of(graph)) {
  const muster_network& network = *model_->network;
  bool same = network.switches == graph.switches() && network.nodes == graph.nodes();
  for (topology::NodeId n = 0; same && n < graph.nodes(); ++n)
    same = graph.node(n).at == topology::PortRef{network.places[n].sw, network.places[n].port};
  if (!same)
    throw InputError("--design {}: is not of this network; name the one it was exported from",
                     file_);
  network_ = model_->make();
  kinds_.resize(network.nodes);
  for (std::uint32_t port = 0; port <= network.nodes; ++port) ports_.push_back({this, port});
  while (!network_->ready() && cycle_ < kLongest) step();
  const muster_bus control = bus(ports_.back());
  switches_.resize(network.switches);
  const muster_status status = muster_network_open(&network, &control, switches_.data());
  if (status != MUSTER_OK) fail("the network", status);
  find_groups();
  std::ranges::sort(all);
  if (!group(0, all, {}))
    throw InputError(
        "--design {}: no group of its image has just the nodes of the {} ranks; export one", file_,
        all.size());
}

unsigned Design::width() const {
  return std::min(model_->network->flit_width - 2u - model_->network->gid_width, 32u);
}

void Design::fail(const std::string& what, muster_status status) const {
  throw InternalError("--design {}: {}: {}", file_, what, muster_status_text(status));
}

void Design::step() {
  network_->step();
  ++cycle_;
}

void Design::begin(topology::NodeId node, const muster_call& call) {
  kinds_[node] = call.kind;
  last_ = cycle_;
  if (call.kind == MUSTER_READ) network_->read(node, call.address);
  if (call.kind == MUSTER_WRITE) network_->write(node, call.address, call.word);
}

std::optional<std::uint32_t> Design::ended(topology::NodeId node) {
  if (!kinds_[node]) return {};
  const bool ended = *kinds_[node] == MUSTER_INTERRUPT ? network_->irq(node) : network_->idle(node);
  if (!ended) return {};
  kinds_[node].reset();
  last_ = cycle_;
  digest_ = mix64(digest_ ^ mix64(cycle_ << 16 ^ node) ^ network_->word(node));
  return network_->word(node);
}

/// Until the access of the port that has begun has ended.
std::uint32_t Design::finish(std::uint32_t port) {
  for (const std::uint64_t limit = cycle_ + kLongest; !network_->idle(port); step())
    if (cycle_ == limit) throw InternalError("--design {}: port {} does not answer", file_, port);
  last_ = cycle_;
  return network_->word(port);
}

muster_bus Design::bus(Port& port) {
  return {[](void* context, std::uint32_t address) {
            const Port& at = *static_cast<Port*>(context);
            at.design->network_->read(at.number, address);
            return at.design->finish(at.number);
          },
          [](void* context, std::uint32_t address, std::uint32_t word) {
            const Port& at = *static_cast<Port*>(context);
            at.design->network_->write(at.number, address, word);
            at.design->finish(at.number);
          },
          &port, 0};
}

/// Of the image, as the switches have it: members are the nodes at ports for children.
void Design::find_groups() {
  const muster_network& network = *model_->network;
  for (std::uint32_t s = 0; s < network.switches; ++s) {
    const std::uint32_t slots = network.groups != 0 ? network.groups : network.registers;
    for (std::uint16_t slot = 0; slot < slots; ++slot) {
      muster_group found;
      if (muster_group_read(&switches_[s], slot, &found) != MUSTER_OK) continue;
      if (groups_.size() <= found.gid) groups_.resize(found.gid + 1u);
      Group& group = groups_[found.gid];
      group.slots.emplace_back(s, slot);
      for (topology::NodeId n = 0; n < network.nodes; ++n)
        if (network.places[n].sw == s &&
            (found.children & muster_port(network.places[n].port)) != 0)
          group.members.push_back(n);
    }
  }
  for (Group& group : groups_) std::ranges::sort(group.members);
}

std::optional<std::uint16_t> Design::group(std::uint32_t owner,
                                           const std::vector<topology::NodeId>& nodes,
                                           std::optional<fabric::ReduceOp> op) {
  const auto find = [&](auto fits) {
    return static_cast<std::uint16_t>(std::ranges::find_if(groups_, fits) - groups_.begin());
  };
  const auto end = static_cast<std::uint16_t>(groups_.size());
  std::uint16_t gid = find([&](const Group& g) { return g.owner == owner && (!op || g.op == op); });
  if (gid != end) return gid;
  gid = find([&](const Group& g) { return g.owner == owner && !g.op; });
  if (gid == end) gid = find([&](const Group& g) { return !g.owner && g.members == nodes; });
  if (gid == end) return {};
  groups_[gid].owner = owner;
  if (op) set_operation(gid, *op);
  return gid;
}

/// A group is created anew, as its control word is written with its operation.
void Design::set_operation(std::uint16_t gid, fabric::ReduceOp op) {
  groups_[gid].op = op;
  for (const auto& [s, slot] : groups_[gid].slots) {
    muster_group group;
    muster_status status = muster_group_read(&switches_[s], slot, &group);
    group.operation = static_cast<std::uint8_t>(op);
    for (int i = 0; i < kTries && (i == 0 || status == MUSTER_UNDER_WAY); ++i)
      status = muster_group_release(&switches_[s], slot);
    if (status == MUSTER_OK) status = muster_group_create(&switches_[s], slot, &group);
    if (status != MUSTER_OK) fail(fmt::format("group {} in switch {}", gid, s), status);
  }
}

void Design::release(std::uint32_t owner) {
  for (Group& group : groups_)
    if (group.owner == owner) group.owner.reset(), group.op.reset();
}

std::vector<std::string> Design::drops() {
  std::vector<std::string> lines;
  for (std::uint32_t s = 0; s < switches_.size(); ++s) {
    muster_switch_counts counts;
    if (muster_switch_read_counts(&switches_[s], &counts))
      lines.push_back(fmt::format("switch {} has dropped something", s));
  }
  for (std::uint32_t n = 0; n < kinds_.size(); ++n) {
    const muster_bus at = bus(ports_[n]);
    muster_endpoint endpoint;
    muster_endpoint_counts counts;
    if (muster_endpoint_open(&endpoint, &at) != MUSTER_OK ||
        muster_endpoint_read_counts(&endpoint, &counts))
      lines.push_back(fmt::format("the endpoint of node {} has dropped or refused something", n));
    if (network_->refused(n)) lines.push_back(fmt::format("node {}: an access was refused", n));
  }
  return lines;
}

}  // namespace muster::mpi
