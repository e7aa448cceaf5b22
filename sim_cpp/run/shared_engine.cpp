// SPDX-License-Identifier: Apache-2.0
#include "run/shared_engine.hpp"

#include <utility>

#include "fabric/link_factory.hpp"
#include "fabric/sharing.hpp"
#include "muster/fabric/shares_routes.hpp"
#include "muster/run/system.hpp"

namespace muster::run {
namespace {

using Engine = std::shared_ptr<const fabric::BankFactory>;

class SharedLinks final : public fabric::LinkFactory {
 public:
  SharedLinks(Engine engine, fabric::Sharing sharing)
      : engine_(std::move(engine)), sharing_(std::move(sharing)) {}
  bool supports(const fabric::LinkConfig& config) const override {
    return links().supports(config);
  }
  std::unique_ptr<fabric::LinkBank> make_links(const fabric::LinkConfig& config, std::uint32_t ends,
                                               const fabric::BankOptions& options) const override {
    return sharing_.bank<fabric::LinkBank>(
        sharing_.division().ends, options,
        [&](const fabric::BankOptions& own) { return links().make_links(config, ends, own); },
        config, ends);
  }

 private:
  const fabric::LinkFactory& links() const { return *fabric::links_of(*engine_); }
  Engine engine_;
  fabric::Sharing sharing_;
};

/// Of switches that share routes in each process.
class SharedSwitches final : public core::SharedBank<core::Bank>, public fabric::SharesRoutes {
 public:
  using core::SharedBank<core::Bank>::SharedBank;
  void share_routes(std::shared_ptr<const topology::Routes> routes) override {
    dynamic_cast<fabric::SharesRoutes&>(inner()).share_routes(std::move(routes));
  }
};

fabric::BlockMakers shared_makers(const Engine& engine, const fabric::Sharing& sharing) {
  fabric::BlockMakers makers = engine->makers();
  if (fabric::links_of(*engine) != nullptr)
    makers.add<fabric::LinkFactory>(std::make_shared<SharedLinks>(engine, sharing));
  for (const auto& system : systems()) system->share_makers(engine, sharing, makers);
  return makers;
}

class SharedEngine final : public fabric::BankFactory {
 public:
  SharedEngine(Engine engine, fabric::Sharing sharing)
      : BankFactory(shared_makers(engine, sharing)),
        engine_(std::move(engine)),
        sharing_(std::move(sharing)) {}
  std::string name() const override { return engine_->name(); }
  std::string made_with() const override { return engine_->made_with(); }
  bool has_models() const override { return engine_->has_models(); }
  bool compares() const override { return engine_->compares(); }
  bool supports(const fabric::SwitchConfig& config) const override {
    return engine_->supports(config);
  }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    auto here = engine_->make_switches(config, blocks, sharing_.here(options));
    const std::vector<std::uint32_t>& owners = sharing_.division().switches;
    if (dynamic_cast<fabric::SharesRoutes*>(here.get()) != nullptr)
      return sharing_.join<SharedSwitches>(owners, options, std::move(here), blocks, config.ports);
    return sharing_.join<core::SharedBank<core::Bank>>(owners, options, std::move(here), blocks,
                                                       config.ports);
  }

 private:
  Engine engine_;
  fabric::Sharing sharing_;
};

}  // namespace

Engine share_engine(Engine engine, const core::Ranks& ranks, fabric::Division division) {
  return std::make_shared<SharedEngine>(std::move(engine),
                                        fabric::Sharing(ranks.rank(), std::move(division)));
}

}  // namespace muster::run
