// SPDX-License-Identifier: Apache-2.0
#include "app/commit.hpp"
#include "app/sweep/header.hpp"
#include "app/sweep/study.hpp"
#include "bench/groups.hpp"

namespace muster::app::sweep {

Json header_of(const Study& study, const std::optional<Shard>& shard, const Context& context) {
  Json header;
  header["schema"] = "muster-sweep-1";
  header["version"] = study.runs.version();
  header["plan"] = study.plan.document;
  const Inputs& inputs = study.runs.inputs();
  header["networks"] = inputs.networks;
  header["files"] = inputs.files;
  header["models"] = inputs.models;
  header["rows"] = study.runs.size();
  header["shard"] = shard ? Json{{"number", shard->number}, {"of", shard->of}} : Json(nullptr);
  const bench::Machine machine = bench::this_machine(*context.engines);
  header["machines"] = Json::array({{{"cpu", machine.cpu},
                                     {"cores", machine.cores},
                                     {"compiler", machine.compiler},
                                     {"tools", machine.tools},
                                     {"commit", source_commit()}}});
  return header;
}

}  // namespace muster::app::sweep
