// SPDX-License-Identifier: Apache-2.0
#include "run/recording/page_file.hpp"

#include <fmt/format.h>

#include "core/deflate.hpp"
#include "core/file_io.hpp"
#include "muster/core/error.hpp"
#include "run/recording/template_text.hpp"

namespace muster::run {

namespace {

/// Where the template has its data, and each run's begin and end.
constexpr std::string_view kPlace = "<!-- muster data -->";
constexpr std::string_view kBegin = "<script type=\"application/x-muster\">";
constexpr std::string_view kEnd = "</script>";

constexpr std::size_t kLargestPage = std::size_t{256} << 20, kMostData = std::size_t{1} << 30;

}  // namespace

std::string page_of(std::span<const std::string> data) {
  std::string page(kTemplateText);
  const auto at = page.find(kPlace);
  if (at == std::string::npos) throw InternalError("the page's template has no place for data");
  std::string blocks;
  for (const std::string& run : data)
    blocks.append(kBegin).append(packed(run)).append(kEnd).append("\n");
  return page.replace(at, kPlace.size(), blocks);
}

std::string data_of_page(const std::string& path) {
  const std::string page = read_file(path, kLargestPage);
  const auto begin = page.find(kBegin);
  const auto end = page.find(kEnd, begin);
  if (begin == std::string::npos || end == std::string::npos)
    throw InputError(fmt::format("{}: is not a page of 'muster run --page'", path));
  if (page.find(kBegin, end) != std::string::npos)
    throw InputError(fmt::format("{}: has several runs; name pages of single runs", path));
  const auto first = begin + kBegin.size();
  return unpacked(std::string_view(page).substr(first, end - first), kMostData, path);
}

}  // namespace muster::run
