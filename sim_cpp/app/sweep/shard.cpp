// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/shard.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "muster/core/error.hpp"
#include "muster/run/option_values.hpp"

namespace muster::app::sweep {

namespace {

std::uint64_t slurm_number(const char* name, std::uint64_t missing) {
  const char* const value = std::getenv(name);
  return value == nullptr ? missing : run::number(value, name);
}

}  // namespace

Shard shard_named(const std::string& text) {
  const auto slash = text.find('/');
  const std::string typed = fmt::format("--shard '{}'", text);
  if (slash == std::string::npos)
    throw InputError(typed + ": write the second of eight parts as 2/8");
  const std::uint64_t of = run::number(text.substr(slash + 1), typed, 1);
  return {run::number(text.substr(0, slash), typed, 1, of), of};
}

std::optional<Shard> slurm_shard() {
  const char* const id = std::getenv("SLURM_ARRAY_TASK_ID");
  if (id == nullptr) return {};
  const std::uint64_t task = run::number(id, "SLURM_ARRAY_TASK_ID");
  const std::uint64_t first = slurm_number("SLURM_ARRAY_TASK_MIN", 0);
  const std::uint64_t step = slurm_number("SLURM_ARRAY_TASK_STEP", 1);
  const std::uint64_t of = slurm_number("SLURM_ARRAY_TASK_COUNT", 0);
  if (step == 0 || task < first || (task - first) % step != 0 || (task - first) / step >= of)
    throw InputError(fmt::format(
        "SLURM_ARRAY_TASK_ID '{}': cannot determine which of {} parts this is; give --shard", id,
        of));
  return Shard{(task - first) / step + 1, of};
}

std::string shard_file(const std::string& file, const Shard& shard) {
  const std::filesystem::path path(file);
  const std::string name = fmt::format("{}-{}-of-{}{}", path.stem().string(), shard.number,
                                       shard.of, path.extension().string());
  return path.has_parent_path() ? (path.parent_path() / name).string() : name;
}

}  // namespace muster::app::sweep
