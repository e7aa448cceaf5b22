// SPDX-License-Identifier: Apache-2.0
// Pages of the program in Chromium, and what their data say, read here by the rules of
// docs/reference/formats.md only.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import { chromium } from "../../page/node_modules/playwright-core/index.mjs";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** A folder, a browser, and pages of `muster`. */
export class World {
  constructor(muster) {
    this.muster = muster;
    this.folder = mkdtempSync(join(tmpdir(), "muster-page-"));
  }
  async open(options = {}) {
    this.browser ??= await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--no-sandbox"],
    });
    const page = await this.browser.newPage({
      viewport: { width: 1300, height: 850 },
      ...options,
    });
    page.setDefaultTimeout(200_000); // a machine may have other work
    return page;
  }
  async close() {
    await this.browser?.close();
    rmSync(this.folder, { recursive: true });
  }
  file(name) {
    return join(this.folder, name);
  }
  run(...words) {
    execFileSync(this.muster, words, {
      cwd: this.folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  /** Runs with these options, on Figure 1 unless a network is given; gives the result. */
  recorded(name, options, network = join(ROOT, "topologies/figure1.json")) {
    const written = `${options} --page ${name}.html --json ${name}.json`;
    this.run("run", network, ...written.split(" "));
    return JSON.parse(readFileSync(this.file(`${name}.json`), "utf8"));
  }
  data(name) {
    const page = readFileSync(this.file(`${name}.html`), "utf8");
    const block = /<script type="application\/x-muster">(.*?)<\/script>/.exec(page)[1];
    return JSON.parse(inflateSync(Buffer.from(block, "base64")).toString());
  }
  /** The page, ready, with every message of its console in `page.said`. */
  async show(name, hash = "", options = {}) {
    const page = await this.open(options);
    page.said = [];
    page.on("console", (message) => page.said.push(message.text()));
    page.on("pageerror", (error) => page.said.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith("file:")) page.said.push(`asks for ${request.url()}`);
    });
    await page.goto(`file://${this.file(`${name}.html`)}${hash}`);
    await page.waitForSelector("html[data-ready]");
    return page;
  }
}

/** The test of a page is over, of which the console has heard nothing. */
export async function finished(page) {
  assert.deepEqual(page.said, []);
  await page.close();
}

/** Rows of some numbers each, with their cycles. */
export function rows(list, width) {
  const found = [];
  let cycle = 0;
  for (let i = 0; i < list.length; i += width) {
    cycle += list[i];
    found.push([cycle, ...list.slice(i + 1, i + width)]);
  }
  return found;
}

/** The cycle that the page shows, after it has drawn. */
export async function cycleOf(page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  return Number(await page.getAttribute("html", "data-cycle"));
}
export async function goTo(page, cycle) {
  await page.fill(".controls .cycle", String(cycle));
  await page.press(".controls .cycle", "Enter");
  await page.evaluate(() => document.activeElement.blur());
  return cycleOf(page);
}

/** What the first element says that a selector finds. */
export const text = (page, selector) => page.locator(selector).first().textContent();

/** Chooses a switch or node, `sw3` or `n8`; the keys are the page's again. */
export async function choose(page, name) {
  await page.fill(".picked input", name);
  await page.press(".picked input", "Enter");
  await page.evaluate(() => document.activeElement.blur());
}
