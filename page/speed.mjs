// SPDX-License-Identifier: Apache-2.0
// speed.mjs MUSTER: measures pages into results/performance.md. Each page is opened
// in headless Chromium, which draws without a graphics processor, and plays for a while.
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { ROOT, World } from "../tests/page/browser.mjs";

const SECONDS = 5;
const ABOUT = `\
By \`scripts/page --measure\`: pages in headless Chromium, which draws without a graphics processor,
played at 25 cycles a second. A screen gives 60 frames a second at most; processor time is the sum
over all processes of Chromium.`;

const world = new World(process.argv[2]);
const FIGURE_1 = "topologies/figure1.json --group paper";
const IRREGULAR = "topologies/irregular-75.json --group random:64 --barriers 30 --min-cycles 5000";
const LARGE_RUN = "large.json --group random:256 --warmup 100 --barriers 5";
/** Name, cycles a second, and the run, if it is not that of the page before. */
const PAGES = [
  ["9 switches, 26 nodes, 14 members", "25", FIGURE_1],
  ["75 switches, 256 nodes, 64 members", "25", IRREGULAR],
  ["the same, 250 cycles a second", "250"],
  ["1200 switches, 2400 nodes, 256 members", "25", LARGE_RUN],
];
const LARGE = "--switches 1200 --nodes 2400 --ports 8 --connectivity 0.75 --out large.json";

/** Processor time of all of Chromium's processes so far, s: what other work on the machine does not
 * change. */
async function processorTime() {
  const session = await world.browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.reduce((sum, each) => sum + each.cpuTime, 0);
}

/** How long the page took to open, s, frames drawn in a second, and processor time of each, ms. */
async function measure(name, speed) {
  const begun = Date.now();
  const page = await world.show(name);
  const opened = (Date.now() - begun) / 1000;
  await page.selectOption(".controls .speed", speed);
  await page.keyboard.press("Home");
  const before = await processorTime();
  const shown = await page.evaluate(async (seconds) => {
    const first = document.documentElement.dataset.cycle;
    document.querySelector(".play").click();
    let frames = 0;
    const start = performance.now();
    await new Promise((done) => {
      const frame = (now) => {
        frames++;
        if (now - start < 1000 * seconds) requestAnimationFrame(frame);
        else done();
      };
      requestAnimationFrame(frame);
    });
    const moved = document.documentElement.dataset.cycle !== first;
    return { moved, frames, rate: (frames - 1) / ((performance.now() - start) / 1000) };
  }, SECONDS);
  if (!shown.moved) throw new Error(`${name} does not play`);
  const work = (1000 * ((await processorTime()) - before)) / shown.frames;
  await page.close();
  return [opened.toFixed(1), shown.rate.toFixed(0), work.toFixed(1)];
}

world.run("topo", "gen", "irregular", ...LARGE.split(" "));
const measures = ["opens in, s", "frames a second", "processor time of a frame, ms"];
const rows = [];
let last;
for (const [i, [name, speed, run]] of PAGES.entries()) {
  if (run) {
    last = `page${i}`;
    const words = run.replace("topologies", `${ROOT}/topologies`).split(" ");
    world.run("run", ...words, "--load", "0.3", "--page", `${last}.html`);
  }
  const measured = await measure(last, speed);
  const size = Math.round(statSync(world.file(`${last}.html`)).size / 1000);
  const { from, to } = world.data(last);
  rows.push([name, to - from, size, ...measured]);
}
await world.close();

const title = "The page of a run in a browser";
execFileSync("python3", [join(ROOT, "scripts/results.py")], {
  input: JSON.stringify({
    section: ["performance", title, ABOUT, ["page", "cycles", "kB", ...measures], rows],
    note: ["how fast the page of a run draws", "scripts/page --measure"],
  }),
});
console.table(rows);
