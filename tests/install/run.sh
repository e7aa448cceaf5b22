#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD: installs BUILD into an empty folder and builds and runs a program against that.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/prefix" > /dev/null
cmake -S "$here" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$folder/prefix" \
  -DCMAKE_CXX_FLAGS="${CXXFLAGS:-}" > /dev/null
cmake --build "$folder/build"
"$folder/build/uses_muster"
"$folder/prefix/bin/muster" --version
