// SPDX-License-Identifier: Apache-2.0
#include "models/stop.hpp"

#include <verilated.h>

#include <cstdarg>
#include <cstdio>

#include "models/wave_time.hpp"
#include "muster/core/error.hpp"

// Verilator's runtime calls these when an assertion fails or a model cannot go on. We end the run
// as for any violation, instead of aborting the process.

namespace {

thread_local std::string last_line;
thread_local muster::verif::FailedAssertion* keeper = nullptr;

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
  if (last_line.find("Assertion failed") == std::string::npos)
    throw muster::InternalError("a Verilated model stopped at " + place(file, line));
  if (keeper == nullptr)
    throw muster::InternalError("an assertion of the RTL failed: " + last_line);
  keeper->keep(last_line);
}

void vl_fatal(const char* file, int line, const char*, const char* message) VL_MT_UNSAFE {
  throw muster::InternalError("Verilated model: " + place(file, line) + ": " + message);
}

namespace muster::verif {

FailedAssertion::FailedAssertion() { keeper = this; }
FailedAssertion::~FailedAssertion() { keeper = nullptr; }

void FailedAssertion::keep(const std::string& line) {
  if (!happened()) line_ = line;
}

void FailedAssertion::raise(std::uint64_t cycle) const {
  // "[0] %Error: fifo.sv:61: Assertion failed in sw12.barrier_switch.path.NotFull_A: ..."
  static constexpr const char* kBefore = "Assertion failed in ";
  const std::string fact = line_.substr(line_.find(kBefore) + std::string(kBefore).size());
  throw BlockError("cycle " + std::to_string(cycle) + ", at " + std::to_string(edge_time(cycle)) +
                       " ns: an assertion of the RTL failed: " + line_.substr(line_.find("%Error")),
                   cycle, fact.substr(0, fact.find('.')));
}

}  // namespace muster::verif
