// SPDX-License-Identifier: Apache-2.0
// Models in files: docs/reference/models.md. The folder of MUSTER_MODELS comes before that of the
// build, so a test puts there what it wants to be found.
#include <cctype>

#include "sim_cpp/app/shell.hpp"

using namespace muster::test;

#if MUSTER_HAS_RTL
namespace {

/// A folder in MUSTER_MODELS.
struct ModelFolder {
  Folder folder;
  ModelFolder() { ::setenv("MUSTER_MODELS", folder.file("").c_str(), 1); }
  ~ModelFolder() { ::unsetenv("MUSTER_MODELS"); }
  void put(const std::string& name, const std::string& text) const { folder.write(name, text); }
  void describe(const std::string& name, const std::string& rest) const {
    put(name + ".json", R"({"schema": "muster-configurations-1", "configurations": [{"name": ")" +
                            name + "\", " + rest + "}]}");
  }
};

/// A file of the build.
std::string built(const std::string& model) {
  const auto path = std::filesystem::path(MUSTER_COMMAND).parent_path() / "models" / model;
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Outcome figure1(const std::string& arguments) {
  return muster_command("run " + kFigure1 + " --group paper " + arguments);
}

/// One line and status 2.
void refused(const Outcome& outcome, const std::string& why) {
  CAPTURE(outcome.err);
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains(why) && Contains("--target model_"));
  CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
  CHECK(outcome.out.empty());
}

const std::string kDeep =
    R"("top": "muster_barrier_switch", "kind": "switch", "params": {"Ports": 8, "Vcs": 1,
       "Depth": 5, "Regs": 4, "FlitW": 16, "GidW": 8, "Dests": 2048})";

/// The interface tag: 64 hexadecimal digits.
std::size_t tag_in(const std::string& model) {
  std::size_t digits = 0;
  for (std::size_t at = 0; at < model.size(); ++at) {
    if (model[at] == '\0' && digits == 64) return at - 64;
    digits = std::isxdigit(static_cast<unsigned char>(model[at])) != 0 ? digits + 1 : 0;
  }
  FAIL("no interface tag");
  return 0;
}

}  // namespace

TEST_CASE("a model that is not built ends the run with the command that builds it",
          "[app][models]") {
  const ModelFolder models;
  models.describe("deep", kDeep);
  refused(figure1("--engine rtl --config deep"), "'deep' is not built");
  refused(figure1("--engine lockstep --config deep"), "'deep' is not built");
  CHECK(figure1("--engine golden --config deep").status == 0);
  CHECK_THAT(figure1("--config shallow").err, Contains("sw8v1") && Contains("deep"));
}

TEST_CASE("a model file that does not fit is refused", "[app][models]") {
  const ModelFolder models;
  models.put("sw8.so", "no module");
  refused(figure1("--engine rtl"), "cannot be loaded");
  models.put("sw8.so", built("sw4v1.so"));
  refused(figure1("--engine rtl"), "has another name");
  std::string other = built("sw8.so");
  char& digit = other[tag_in(other)];
  digit = digit == '0' ? '1' : '0';
  models.put("sw8.so", other);
  refused(figure1("--engine rtl"), "another version");
  models.put("sw8.so", built("sw8.so"));
  CHECK(figure1("--engine rtl").status == 0);
}

TEST_CASE("a model that was built with other parameters is refused", "[app][models]") {
  const ModelFolder models;
  models.describe("box4s12", R"("top": "muster_interchange_box", "kind": "box",
                              "params": {"Size": 4, "Depth": 5, "PacketW": 64})");
  models.put("box4s12.so", built("box4s12.so"));
  refused(muster_command("esc --pes 16 --box 4 --buffer 5 --sessions 1 --engine rtl"),
          "other parameters");
}

TEST_CASE("a description that cannot be read is named", "[app][models]") {
  const ModelFolder models;
  models.put("broken.json", "{");
  const Outcome outcome = figure1("--config other");
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("broken.json"));
}
#endif
