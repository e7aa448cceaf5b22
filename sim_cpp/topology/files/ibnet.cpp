// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "core/text.hpp"
#include "topology/files/file_formats.hpp"

namespace muster::topology {

namespace {

/// A port of another device, as a line of a section names it.
struct IbPeer {
  std::string device;      ///< "S-..." of a switch, "H-..." of an adapter, "R-..." of a router
  std::uint32_t port = 0;  ///< from 1
  std::size_t line = 0;    ///< of the file
  std::string name;        ///< what the comment calls it, if it does
  std::uint32_t here = 0;  ///< the port of this connection as the network has it, of a switch
};

/// A device and what is connected to it.
struct IbSection {
  std::string device;
  std::size_t line = 0;
  std::string name;  ///< what the comment calls it, if it does
  std::uint32_t ports = 0;
  std::map<std::uint32_t, IbPeer> peers;  ///< by port, from 1
  SwitchId number = 0;                    ///< of a switch
};

bool is_ib_switch(std::string_view device) { return device.starts_with('S'); }

constexpr std::uint32_t kMaxIbPorts = 254;

/// The part of a line before its comment.
std::string_view ib_code(std::string_view line) { return trimmed(line.substr(0, line.find('#'))); }

/// The first text in quotes of a line's comment: what the devices call themselves.
std::string ib_name(std::string_view line) {
  const std::size_t comment = std::min(line.find('#'), line.size());
  const std::size_t first = line.find('"', comment);
  if (first == std::string_view::npos) return {};
  const std::size_t last = line.find('"', first + 1);
  if (last == std::string_view::npos) return {};
  return kept_name(line.substr(first + 1, last - first - 1));
}

/// Lines that say nothing of connections: identifiers of a device, titles of groups.
bool is_ib_remark(std::string_view code) {
  for (const std::string_view start : {"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=",
                                       "rtguid=", "Chassis", "Non-Chassis", "Hostname:"})
    if (code.starts_with(start)) return true;
  return false;
}

bool starts_ib_section(std::string_view code) {
  const std::string_view word = code.substr(0, code.find_first_of(" \t"));
  return word == "Switch" || word == "Ca" || word == "Rt";
}

/// Reads the sections of the output of ibnetdiscover, in its order. Throws InputError "line N:
/// reason; how to fix" where a line is not of it.
class SectionReader {
 public:
  std::vector<IbSection> read(std::string_view content) {
    while (!content.empty()) {
      ++line_;
      const std::string_view line = take_line(content);
      rest_ = ib_code(line);
      name_ = ib_name(line);
      if (rest_.empty() || is_ib_remark(rest_)) continue;
      if (rest_.starts_with('['))
        read_connection();
      else if (starts_ib_section(rest_))
        read_head();
      else
        fail_at(line_,
                "{} is not output of ibnetdiscover; use the unchanged output, without -l or -p",
                quote(rest_));
    }
    return std::move(sections_);
  }

 private:
  bool take(char wanted) {
    skip_blank();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_blank() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  std::uint32_t number(const char* what) {
    skip_blank();
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 1 || value > kMaxIbPorts)
      fail_at(line_, "a {} from 1 to {} is expected at {}", what, kMaxIbPorts, quote(rest_));
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  /// "S-0002c90300000001" in quotes.
  std::string device() {
    const std::size_t end = take('"') ? rest_.find('"') : std::string_view::npos;
    if (end == std::string_view::npos)
      fail_at(line_, "a device in quotes such as \"S-0002c90300000001\" is expected");
    const std::string name(rest_.substr(0, end));
    const bool known = name.starts_with("S-") || name.starts_with("H-") || name.starts_with("R-");
    if (!known || name.size() == 2 ||
        name.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos)
      fail_at(line_, "{} is not a device; S-, H- or R- and a GUID are expected", quote(name));
    rest_.remove_prefix(end + 1);
    return name;
  }

  /// [port], and in a chassis [ext port] behind it.
  std::uint32_t port() {
    if (!take('[')) fail_at(line_, "a port such as [1] is expected at {}", quote(rest_));
    const std::uint32_t value = number("port");
    if (!take(']')) fail_at(line_, "] is expected at {}", quote(rest_));
    skip_blank();
    if (rest_.starts_with("[ext"))
      rest_.remove_prefix(std::min(rest_.find(']'), rest_.size() - 1) + 1);
    return value;
  }

  /// The GUID of an adapter's port, in parentheses.
  void skip_guid() {
    if (take('(')) rest_.remove_prefix(std::min(rest_.find(')'), rest_.size() - 1) + 1);
  }

  void read_head() {
    const bool of_switch = rest_.starts_with("Switch");
    rest_.remove_prefix(of_switch ? 6 : 2);
    const std::uint32_t ports = number("number of ports");
    const std::string name = device();
    if (is_ib_switch(name) != of_switch)
      fail_at(line_, "device {} is of another kind than its section", quote(name));
    if (!known_.insert(name).second)
      fail_at(line_, "device {} has a section already; remove one", quote(name));
    sections_.push_back({name, line_, name_, ports, {}, 0});
  }

  void read_connection() {
    if (sections_.empty())
      fail_at(line_, "a connection before the first Switch, Ca or Rt; is the file cut?");
    IbSection& section = sections_.back();
    const std::uint32_t from = port();
    skip_guid();
    if (from > section.ports)
      fail_at(line_, "device {} has no port {}; it has {}", quote(section.device), from,
              section.ports);
    const std::string to = device();
    const IbPeer peer{to, port(), line_, name_, 0};
    if (!section.peers.emplace(from, peer).second)
      fail_at(line_, "port {} of {} is connected twice; remove one", from, quote(section.device));
  }

  std::size_t line_ = 0;
  std::string_view rest_;  // of the line, without its comment
  std::string name_;       // in the comment of the line
  std::vector<IbSection> sections_;
  std::set<std::string> known_;
};

class Subnet {
 public:
  explicit Subnet(std::vector<IbSection> sections) : sections_(std::move(sections)) {
    for (IbSection& section : sections_) by_name_[section.device] = &section;
  }

  Graph network() {
    for (IbSection& section : sections_) {
      for (const auto& [port, peer] : section.peers) check_other_end(section, port, peer);
      if (is_ib_switch(section.device)) add_switch(section);
    }
    for (const IbSection& section : sections_) {
      if (!is_ib_switch(section.device)) continue;
      for (const auto& [port, peer] : section.peers) {
        const PortRef here{section.number, peer.here};
        if (!is_ib_switch(peer.device)) {
          const NodeId node = graph_.add_node(here);
          if (!peer.name.empty()) graph_.node_names.emplace(node, peer.name);
          continue;
        }
        // A link is named at both ends.
        const IbSection& other = *by_name_.at(peer.device);
        const PortRef there{other.number, other.peers.at(peer.port).here};
        if (here < there) graph_.add_link(here, there);
      }
    }
    check_network(graph_);
    return std::move(graph_);
  }

 private:
  /// Both ends say the same. Of adapters a section may be missing, as nothing depends on it.
  void check_other_end(const IbSection& section, std::uint32_t port, const IbPeer& peer) const {
    const bool adapters = !is_ib_switch(section.device) && !is_ib_switch(peer.device);
    if (adapters)
      fail_at(peer.line,
              "adapters {} and {} are connected to each other; only adapters at switches are nodes "
              "of a network",
              quote(section.device), quote(peer.device));
    if (section.device == peer.device)
      fail_at(peer.line, "switch {} is connected to itself; remove the connection",
              quote(section.device));
    const auto other = by_name_.find(peer.device);
    if (other == by_name_.end()) {
      if (!is_ib_switch(peer.device)) return;
      fail_at(peer.line, "switch {} has no section; is the file cut?", quote(peer.device));
    }
    const auto back = other->second->peers.find(peer.port);
    if (back == other->second->peers.end() || back->second.device != section.device ||
        back->second.port != port)
      fail_at(peer.line,
              "the section of {} does not list its port {} as connected to port {} of {}; use the "
              "output of one run",
              quote(peer.device), peer.port, port, quote(section.device));
  }

  /// Ports keep their numbers if the switch is not too large, from 0 on.
  void add_switch(IbSection& section) {
    constexpr std::uint32_t kSmall = 16;  // ports of which the smaller switches have no more
    const auto used = static_cast<std::uint32_t>(section.peers.size());
    const bool compact = section.ports > (used <= kSmall ? kSmall : kMaxPorts);
    std::uint32_t place = 0;
    for (auto& [port, peer] : section.peers) peer.here = compact ? place++ : port - 1;
    if (used > kMaxPorts)
      fail_at(section.line,
              "switch {} has {} connected ports; {} are possible, distribute them over several "
              "switches",
              quote(section.device), used, kMaxPorts);
    section.number = at_place(fmt::format("line {}", section.line), [&] {
      return graph_.add_switch(compact ? std::max(used, 1u) : section.ports);
    });
    if (!section.name.empty()) graph_.switch_names.emplace(section.number, section.name);
  }

  std::vector<IbSection> sections_;
  std::map<std::string, const IbSection*> by_name_;
  Graph graph_;
};

}  // namespace

bool looks_like_ibnet(std::string_view content) {
  while (!content.empty()) {
    const std::string_view code = ib_code(take_line(content));
    if (!code.empty()) return is_ib_remark(code) || starts_ib_section(code);
  }
  return false;
}

Graph parse_ibnet(std::string_view content, const std::string& file) {
  return at_place(file, [&] { return Subnet(SectionReader().read(content)).network(); });
}

}  // namespace muster::topology
