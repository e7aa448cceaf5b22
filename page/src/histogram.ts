// SPDX-License-Identifier: Apache-2.0
import { element, svg } from "./dom";
import type { Barrier } from "./run";

const WIDTH = 320;
const HEIGHT = 90;
const BARS = 32;

/** Latencies of barriers; those under the cursor are marked, by colour and a triangle. */
export class Histogram {
  readonly root = element("figure", { class: "histogram" });
  private readonly bars: SVGElement[] = [];
  private readonly triangles: SVGElement[] = [];
  private readonly least: number;
  private readonly step: number;

  constructor(barriers: Barrier[], note: string) {
    const latencies = barriers.filter((b) => !b.failed).map((b) => b.latency);
    this.least = latencies.reduce((a, b) => Math.min(a, b), Infinity);
    const most = latencies.reduce((a, b) => Math.max(a, b), 0);
    this.step = Math.max(1, Math.ceil((most - this.least + 1) / BARS));
    if (latencies.length === 0) {
      this.root.append("no barrier was completed");
      return;
    }
    const count = Math.floor((most - this.least) / this.step) + 1;
    const counts = new Array<number>(count).fill(0);
    for (const latency of latencies) counts[this.bar(latency)]++;
    const highest = Math.max(...counts);
    const viewBox = `0 0 ${WIDTH} ${HEIGHT + 24}`;
    const about = { role: "img", "aria-label": "Histogram of latencies" };
    const drawing = svg("svg", { viewBox, ...about });
    const width = WIDTH / count;
    counts.forEach((n, i) => {
      const height = n === 0 ? 0 : Math.max(1.5, (n / highest) * HEIGHT);
      const x = i * width;
      const place = { x: x + 0.5, y: HEIGHT - height + 8, width: Math.max(0.5, width - 1), height };
      const low = this.least + i * this.step;
      const range = this.step === 1 ? `${low}` : `${low} to ${low + this.step - 1}`;
      const title = svg("title", {}, `${range} cycles: ${n}`);
      const bar = svg("rect", { ...place, class: "bar" }, title);
      const d = `M${x + width / 2 - 5} 0 h10 l-5 7 z`;
      const triangle = svg("path", { d, class: "cursor", visibility: "hidden" });
      this.bars.push(bar);
      this.triangles.push(triangle);
      drawing.append(bar, triangle);
    });
    drawing.append(svg("path", { d: `M0 ${HEIGHT + 8} H${WIDTH}`, class: "axis" }));
    const label = (x: number, anchor: string, text: string) =>
      drawing.append(svg("text", { x, y: HEIGHT + 21, "text-anchor": anchor }, text));
    label(0, "start", String(this.least));
    label(WIDTH / 2, "middle", "cycles");
    label(WIDTH, "end", String(most));
    this.root.append(drawing, element("figcaption", {}, note));
  }

  private bar(latency: number): number {
    return Math.floor((latency - this.least) / this.step);
  }

  mark(latencies: number[]): void {
    const marked = new Set(latencies.map((latency) => this.bar(latency)));
    this.bars.forEach((bar, i) => {
      bar.classList.toggle("marked", marked.has(i));
      this.triangles[i].setAttribute("visibility", marked.has(i) ? "visible" : "hidden");
    });
  }
}
