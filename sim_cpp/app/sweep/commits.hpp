// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/sweep/plan.hpp"

namespace muster::app::sweep {

/// The commit of the sources of the program that a row of this file was made with, by the row's
/// machine; empty where none is known.
std::string commit_of(const Json& header, const Json& row);

/// As it stands in a message.
std::string shown_commit(const std::string& commit);

}  // namespace muster::app::sweep
