// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "muster/core/error.hpp"

namespace muster::topology {

/// A GraphML file as XML: its one graph, and the data of an element by the name of the attribute
/// that the file declares for it. Errors are InputError "line N: reason".
class GraphmlFile {
 public:
  /// REQUIRES: `content` outlives the object.
  explicit GraphmlFile(std::string_view content);

  /// The undirected graph.
  pugi::xml_node graph() const { return graph_; }

  /// Throws InputError with the line of an element.
  [[noreturn]] void fail(pugi::xml_node at, const std::string& reason) const;
  /// Runs what may throw InputError and puts the line in front of the message.
  template <typename Action>
  void at_line(pugi::xml_node at, Action action) const {
    try {
      action();
    } catch (const InputError& error) {
      fail(at, error.what());
    }
  }

  /// An attribute in the tag, which must be there.
  std::string attribute(pugi::xml_node at, const char* name) const;
  /// The value of the attribute `name`, or its default; none if there is neither.
  std::optional<std::string> data(pugi::xml_node at, const std::string& name) const;
  /// The same as a number.
  std::optional<std::uint32_t> number(pugi::xml_node at, const std::string& name,
                                      std::uint32_t least, std::uint32_t most) const;
  /// The same as text to be shown; empty if there is none.
  std::string text(pugi::xml_node at, const std::string& name) const;
  /// The same as kept_name() has it.
  std::string label(pugi::xml_node at, const std::string& name) const;
  /// Values of all attributes that an element has itself, by name.
  std::map<std::string, std::string> all_data(pugi::xml_node at) const;

 private:
  struct Key {
    std::string domain;  // of elements that have it: graph, node, edge or all
    std::string name;
    std::optional<std::string> preset;
  };

  std::size_t line_at(std::ptrdiff_t offset) const;
  void read_keys(pugi::xml_node root);
  const Key& key_of(pugi::xml_node data) const;
  std::optional<std::string> value(pugi::xml_node at, const std::string& name) const;

  std::string_view content_;
  pugi::xml_document document_;
  pugi::xml_node graph_;
  std::map<std::string, Key> keys_;  // by identifier
};

}  // namespace muster::topology
