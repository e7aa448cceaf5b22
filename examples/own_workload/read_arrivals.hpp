// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <muster/run.hpp>
#include <string>

/// The arrivals of one group of `members` from a text file: a line a barrier, a cycle a member;
/// lines that begin with # are comments. Throws muster::InputError "file: line: reason".
muster::run::ListedArrivals::List read_arrivals(const std::string& file, std::size_t members);
