// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace muster::run {

/// The page in one file: what page/ makes of its sources, with these data, each the JSON of one run
/// (docs/reference/formats.md, The page).
std::string page_of(std::span<const std::string> data);

/// The data of a page that page_of() has made of one run. Throws InputError naming the file.
std::string data_of_page(const std::string& path);

}  // namespace muster::run
