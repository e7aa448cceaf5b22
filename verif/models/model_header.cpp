// SPDX-License-Identifier: Apache-2.0
// Empty: a target with a precompiled header needs a source.
