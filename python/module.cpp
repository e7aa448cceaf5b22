// SPDX-License-Identifier: Apache-2.0
// The module muster._core: what the Python files of muster/ call. They have the documentation.
#include "bindings.hpp"
#include "muster/core/error.hpp"
#include "muster/run/system.hpp"
#include "unlocked.hpp"

NB_MODULE(_core, m) {
  using namespace muster;
  using namespace muster::python;
  nb::set_leak_warnings(false);  // daemons that run to the end keep what they have
  // Before there are threads.
  run::systems();
  engines();
  static nb::object input_error = nb::exception<InputError>(m, "InputError", PyExc_ValueError);
  static nb::object internal_error =
      nb::exception<InternalError>(m, "InternalError", PyExc_RuntimeError);
  input_error.attr("__doc__") = "Bad input: one line that says what, where and how to fix it.";
  internal_error.attr("__doc__") = "Internal error of Muster, described by the text.";
  // Called last first: one line, whatever was typed.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      PyErr_SetString(input_error.ptr(), shown(error).what());
    }
  });
  m.attr("__version__") = MUSTER_VERSION;
  m.def("engines", [] { return engines().names(); });
  m.def("schemes", &run::scheme_names);
  m.def("profiles", &run::profile_names);
  m.def("end_all", &end_all);
  bind_network(m);
  bind_result(m);
  bind_run(m);
  bind_commands(m);
}
