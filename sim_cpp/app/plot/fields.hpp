// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "muster/run/json.hpp"

namespace muster::app::plot {

using run::Json;

/// The fields of a row by their whole names, "result.latency_us.mean"; null and lists left out. A
/// generated network is a field too, "mesh width 3", beside those of its options.
using Fields = std::map<std::string, Json>;

/// Of each row of `muster sweep`.
std::vector<Fields> fields_of(const std::vector<Json>& rows);

/// The whole name of a field: one of parameters, a field of the row itself such as `seed`, or one
/// of results, in this order. Throws InputError, "OPTION 'NAME': ...", with the nearest names if no
/// row has it.
std::string whole_name(const std::vector<Fields>& rows, const std::string& option,
                       const std::string& name);

/// A field as it may be typed: "load" of "parameters.load".
std::string short_name(const std::string& whole);

/// A value as a word.
std::string word_of_field(const Fields& row, const std::string& field);

}  // namespace muster::app::plot
