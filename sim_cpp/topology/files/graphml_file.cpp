// SPDX-License-Identifier: Apache-2.0
#include "topology/files/graphml_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "topology/files/quote.hpp"

namespace muster::topology {

namespace {

std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kSpace) + 1 - first));
}

}  // namespace

GraphmlFile::GraphmlFile(std::string_view content) : content_(content) {
  // Text of spaces only is text too. Entities of a document type are not read.
  const unsigned options = pugi::parse_default | pugi::parse_ws_pcdata_single;
  const pugi::xml_parse_result result =
      document_.load_buffer(content.data(), content.size(), options, pugi::encoding_utf8);
  if (!result)
    throw InputError(fmt::format("line {}: {}; fix the XML at this position",
                                 line_at(result.offset), result.description()));
  const pugi::xml_node root = document_.document_element();
  if (std::string_view(root.name()) != "graphml")
    fail(root, fmt::format("{} found where <graphml> is expected; is it the right file?",
                           quote(root.name())));
  for (const pugi::xml_node graph : root.children("graph")) {
    if (graph_) fail(graph, "a second graph; a network is one graph");
    graph_ = graph;
  }
  if (!graph_) fail(root, "there is no <graph>; is the file complete?");
  if (attribute(graph_, "edgedefault") != "undirected")
    fail(graph_, "the graph is directed, but links have both directions; write it as undirected");
  read_keys(root);
}

void GraphmlFile::read_keys(pugi::xml_node root) {
  for (const pugi::xml_node at : root.children("key")) {
    const std::string id = attribute(at, "id");
    Key key{at.attribute("for").as_string("all"), at.attribute("attr.name").as_string(id.c_str()),
            std::nullopt};
    if (const pugi::xml_node preset = at.child("default")) key.preset = preset.text().get();
    if (!keys_.emplace(id, key).second)
      fail(at, fmt::format("key {} is declared twice; remove one", quote(id)));
  }
}

std::size_t GraphmlFile::line_at(std::ptrdiff_t offset) const {
  const auto end =
      std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)), content_.size());
  return 1 + static_cast<std::size_t>(
                 std::count(content_.begin(), content_.begin() + static_cast<long>(end), '\n'));
}

void GraphmlFile::fail(pugi::xml_node at, const std::string& reason) const {
  throw InputError(fmt::format("line {}: {}", line_at(at.offset_debug()), reason));
}

std::string GraphmlFile::attribute(pugi::xml_node at, const char* name) const {
  const pugi::xml_attribute found = at.attribute(name);
  if (!found) fail(at, fmt::format("<{}> has no {}; add it", printable(at.name(), 20), name));
  return found.value();
}

const GraphmlFile::Key& GraphmlFile::key_of(pugi::xml_node data) const {
  const std::string id = attribute(data, "key");
  const auto key = keys_.find(id);
  if (key == keys_.end())
    fail(data, fmt::format("key {} is not declared; add a <key> with this id", quote(id)));
  return key->second;
}

std::optional<std::string> GraphmlFile::value(pugi::xml_node at, const std::string& name) const {
  std::optional<std::string> found;
  for (const pugi::xml_node data : at.children("data")) {
    if (key_of(data).name != name) continue;
    if (found) fail(data, fmt::format("{} is given twice; keep one", quote(name)));
    found = data.text().get();
  }
  if (found) return found;
  for (const auto& [id, key] : keys_)
    if (key.name == name && (key.domain == at.name() || key.domain == "all")) return key.preset;
  return std::nullopt;
}

std::map<std::string, std::string> GraphmlFile::all_data(pugi::xml_node at) const {
  std::map<std::string, std::string> values;
  for (const pugi::xml_node data : at.children("data"))
    if (!values.emplace(key_of(data).name, data.text().get()).second)
      fail(data, fmt::format("{} is given twice; keep one", quote(key_of(data).name)));
  return values;
}

std::optional<std::string> GraphmlFile::data(pugi::xml_node at, const std::string& name) const {
  const auto found = value(at, name);
  return found ? std::optional(trimmed(*found)) : std::nullopt;
}

std::optional<std::uint32_t> GraphmlFile::number(pugi::xml_node at, const std::string& name,
                                                 std::uint32_t least, std::uint32_t most) const {
  const auto text = data(at, name);
  if (!text) return std::nullopt;
  std::uint32_t value = 0;
  const char* const end = text->data() + text->size();
  const auto [rest, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc() || rest != end || value < least || value > most)
    fail(at, fmt::format("{}: {} is not possible; write a whole number from {} to {}", name,
                         quote(*text), least, most));
  return value;
}

std::string GraphmlFile::label(pugi::xml_node at, const std::string& name) const {
  return kept_name(value(at, name).value_or(""));
}

std::string GraphmlFile::text(pugi::xml_node at, const std::string& name) const {
  const std::string found = value(at, name).value_or("");
  for (std::string_view rest = found; !rest.empty();) {
    const bool blank = rest[0] == '\n' || rest[0] == '\t';
    const std::size_t size = blank ? 1 : printable_character(rest);
    if (size == 0)
      fail(at, fmt::format("{}: {} has an unprintable character; remove it", name, quote(found)));
    rest.remove_prefix(size);
  }
  return found;
}

}  // namespace muster::topology
