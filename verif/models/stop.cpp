// SPDX-License-Identifier: Apache-2.0
#include "models/stop.hpp"

#include <verilated.h>

#include <cstdarg>
#include <cstdio>
#include <string>

#include "core/error.hpp"

// Verilator's runtime calls these when an assertion fails or a model cannot go on. We end the run
// as for any violation, instead of aborting the process: an InternalError that names instance and
// fact, such as `sw12.barrier_switch.gen_parallel.unit.GroupsAreDifferent_A`.

namespace {

thread_local std::string last_line;

std::string place(const char* file, int line) {
  return std::string(file) + ":" + std::to_string(line);
}

}  // namespace

int muster_verilated_printf(const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  last_line = text;
  while (!last_line.empty() && last_line.back() == '\n') last_line.pop_back();
  std::fputs(text, stderr);
  return length;
}

void vl_stop(const char* file, int line, const char*) VL_MT_UNSAFE {
  if (last_line.find("Assertion failed") != std::string::npos)
    throw muster::InternalError("an assertion of the RTL failed: " + last_line);
  throw muster::InternalError("a Verilated model stopped at " + place(file, line));
}

void vl_fatal(const char* file, int line, const char*, const char* message) VL_MT_UNSAFE {
  throw muster::InternalError("Verilated model: " + place(file, line) + ": " + message);
}
