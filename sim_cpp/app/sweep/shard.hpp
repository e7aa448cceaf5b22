// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace muster::app::sweep {

/// A part of a plan: every `of`-th row, beginning with row `number` - 1.
struct Shard {
  std::uint64_t number = 1;  ///< from 1
  std::uint64_t of = 1;
  bool has(std::uint64_t row) const { return row % of == number - 1; }
};

/// "2/8". Throws InputError.
Shard shard_named(const std::string& text);

/// The shard of a task of a Slurm array, by SLURM_ARRAY_TASK_ID, _MIN, _STEP and _COUNT; none
/// outside of one. Throws InputError if the tasks are not at equal distances.
std::optional<Shard> slurm_shard();

/// A shard's own file: "rows-2-of-8.jsonl" for "rows.jsonl".
std::string shard_file(const std::string& file, const Shard& shard);

}  // namespace muster::app::sweep
