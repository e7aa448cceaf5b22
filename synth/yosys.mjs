#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Yosys 0.55 or later on real files:
//
//   yosys.mjs [--read PATH]... YOSYS_OPTION...
//
// runs a native Yosys if the one on the PATH is recent enough, else the WebAssembly build of the
// npm package, which sees nothing but a virtual file system. That one gets the files named by
// --read, folders with all in them, under the names given: relative to the working directory and
// below it (symbolic links are followed). Files that Yosys makes are written to the working
// directory, where a folder has to exist already; files that were read are never changed.
// Everything else is handed on (-p, -s, -q, -l, -e, ...), and so is the exit status.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';

const kOldest = [0, 55];

function fail(message) {
  console.error(`yosys.mjs: ${message}`);
  process.exit(2);
}

function nativeIsRecent() {
  const { status, stdout } = spawnSync('yosys', ['-V'], { encoding: 'utf8' });
  const version = status === 0 && /^Yosys (\d+)\.(\d+)/.exec(stdout);
  if (!version) return false;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > kOldest[0] || (major === kOldest[0] && minor >= kOldest[1]);
}

function readTree(file) {
  if (!fs.statSync(file).isDirectory()) return new Uint8Array(fs.readFileSync(file));
  return Object.fromEntries(
    fs.readdirSync(file).map((name) => [name, readTree(path.join(file, name))]));
}

function insert(tree, file) {
  const parts = path.normalize(file).split(path.sep);
  if (path.isAbsolute(file) || parts[0] === '..') fail(`--read ${file}: not below this folder`);
  const name = parts.pop();
  let folder = tree;
  for (const part of parts) folder = folder[part] ??= {};
  folder[name] = readTree(file);
}

function writeNew(result, given, folder) {
  for (const [name, content] of Object.entries(result)) {
    const file = path.join(folder, name);
    const isFile = typeof content === 'string' || content instanceof Uint8Array;
    if (!isFile) writeNew(content, given[name] ?? {}, file);
    else if (!(name in given)) fs.writeFileSync(file, content);
  }
}

async function runPackage(options, tree) {
  // Most runs take seconds: functions are optimized that run a hundred times longer than is usual,
  // or compiling WebAssembly takes more time than Yosys. A hint that other versions may ignore.
  v8.setFlagsFromString('--wasm-tiering-budget=160000000');
  let api;
  try {
    api = await import('@yowasp/yosys');
  } catch {
    fail('no Yosys >= 0.55 and no npm package; run scripts/install-deps');
  }
  const print = (stream) => (bytes) => bytes && fs.writeSync(stream, bytes);
  try {
    const result = await api.runYosys(options, tree, { stdout: print(1), stderr: print(2) });
    writeNew(result, tree, '.');
    return 0;
  } catch (error) {
    if (!(error instanceof api.Exit)) throw error;
    writeNew(error.files ?? {}, tree, '.');
    return error.code;
  }
}

const options = [];
const tree = {};
const native = nativeIsRecent();
const rest = process.argv.slice(2);
while (rest.length > 0) {
  const option = rest.shift();
  if (option !== '--read') options.push(option);
  else if (rest.length === 0) fail('--read needs a path');
  else if (!fs.existsSync(rest[0])) fail(`--read ${rest[0]}: no such file`);
  else if (native) rest.shift();
  else insert(tree, rest.shift());
}
process.exitCode = native ? spawnSync('yosys', options, { stdio: 'inherit' }).status ?? 1
                          : await runPackage(options, tree);
