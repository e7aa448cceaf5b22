// SPDX-License-Identifier: Apache-2.0
// node page/build.mjs [--check]: makes page/dist/template.html from the sources, or says whether it
// is what they give. Needs `npm ci` in page/.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { build } from "esbuild-wasm";

const folder = dirname(fileURLToPath(import.meta.url));
const file = (name) => join(folder, name);

// esbuild does not look at types.
execFileSync(process.execPath, [file("node_modules/typescript/bin/tsc"), "-p", folder], {
  stdio: "inherit",
});
const { outputFiles } = await build({
  entryPoints: [file("src/main.ts"), file("style.css")],
  outdir: folder,
  bundle: true,
  minify: true,
  charset: "ascii",
  target: "es2022",
  format: "iife",
  write: false,
  legalComments: "none",
});

/** What ends an element of the page early, or the text that the program holds it in. */
function harmless(text) {
  if (text.includes("</") || text.includes(")muster~page")) throw new Error("ends too early");
  return text.trim();
}
const [script, style] = outputFiles.map(({ text }) => harmless(text.replaceAll("</", "<\\/")));
const page = readFileSync(file("index.html"), "utf8")
  .replace("/* muster style */", () => style)
  .replace("/* muster script */", () => script);

const target = file("dist/template.html");
if (process.argv[2] === "--check") {
  if (readFileSync(target, "utf8") !== page) {
    console.error("page/dist/template.html is not what page/ gives: run node page/build.mjs");
    process.exit(1);
  }
} else {
  writeFileSync(target, page);
}
