// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/core/outputs.hpp"
#include "run/recording/recorder.hpp"

namespace muster::run {

/// What a page says of a run beside what was recorded.
struct PageOrigin {
  std::string title;  ///< of the network: its name or its file
  Provenance origin;  ///< of the result
  std::vector<std::string>
      wave;  ///< words of a command that writes a waveform; none: there is none
};

/// The data of a page of one run, schema `muster-page-2` (docs/reference/formats.md).
std::string page_data(const ResolvedRun& run, const RunResult& result, const Recording& recording,
                      const PageOrigin& origin);

/// The page in one file: what page/ makes of its sources, with these data, each the JSON of one run
/// (docs/reference/formats.md, The page).
std::string page_of(std::span<const std::string> data);

/// The data of a page that page_of() has made of one run. Throws InputError naming the file.
std::string data_of_page(const std::string& path);

/// Compressed by zlib, its header and checksum included: what a browser's DecompressionStream calls
/// "deflate". In base64.
std::string deflate_base64(std::string_view text);
/// The text of deflate_base64(). Throws InputError "what: reason" if it is none, or longer than
/// `most`.
std::string inflate_base64(std::string_view base64, std::size_t most, const std::string& what);

/// What was recorded of a run as trace events, the JSON that chrome://tracing has defined and
/// Perfetto opens (docs/reference/formats.md, Trace events).
std::string trace_events(const ResolvedRun& run, const Recording& recording);

}  // namespace muster::run
