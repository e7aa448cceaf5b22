// SPDX-License-Identifier: Apache-2.0
import { Clock, Controls } from "./controls";
import { element } from "./dom";
import { EscView } from "./esc";
import { decode, PageData } from "./format";
import { legend, paintSigns } from "./legend";
import { NetworkView } from "./network";
import { first } from "./series";
import { themeSwitch } from "./theme";
import type { View } from "./view";

/** What the views and the controls share. */
class Page {
  private readonly views: View[];
  private readonly clock: Clock;
  private readonly controls: Controls;
  private dirty = true;

  constructor(runs: PageData[]) {
    const redraw = () => (this.dirty = true);
    const go = (cycle: number) => this.clock.stop(cycle);
    this.views = runs.map((data) =>
      data.kind === "esc" ? new EscView(data, redraw) : new NetworkView(data, go, redraw),
    );
    this.clock = new Clock(
      Math.min(...this.views.map((view) => view.first)),
      Math.max(...this.views.map((view) => view.last)),
      redraw,
    );
    const networks = runs.some((data) => data.kind === "network");
    this.controls = new Controls(
      this.clock,
      {
        event: (forward) => this.jump(forward, (view, at) => view.event(at, forward)),
        barrier: (forward) => this.jump(forward, (view, at) => view.barrier(at, forward)),
        mode: (mode) => {
          for (const view of this.views) view.setMode(mode);
          redraw();
        },
      },
      networks,
    );
    const theme = element("button", { type: "button", class: "theme" });
    const help = element(
      "details",
      { class: "help" },
      element("summary", {}, "Keys"),
      element(
        "p",
        {},
        "space: play or pause; left, right: one cycle; n, p: next or last event; " +
          "f, b or shift with an arrow: next or last barrier; up, down: speed; home, end; drag, " +
          "wheel: move and zoom; click a switch or node: what it holds",
      ),
    );
    const names = runs.map((data) => data.title);
    document.title = `${[...new Set(names)].join(", ")} - Muster`;
    const runsBox = element("main", { class: `runs of-${runs.length}` });
    for (const view of this.views) runsBox.append(view.root);
    const aside = element("div", { class: "aside" }, ...(networks ? [legend()] : []), help, theme);
    document.body.append(element("header", {}, this.controls.root, aside), runsBox);
    themeSwitch(theme, () => this.recolour());
    const start = Number(location.hash.slice(1));
    const opening = Math.min(...this.views.map((view) => view.opening));
    this.clock.stop(location.hash.length > 1 && Number.isFinite(start) ? start : opening);
    requestAnimationFrame((now) => this.frame(now));
  }

  private jump(forward: boolean, find: (view: View, cycle: number) => number | null): void {
    const found = this.views.map((view) => find(view, this.clock.cycle));
    const cycle = first(forward, found);
    if (cycle !== null) this.clock.stop(cycle);
  }

  private recolour(): void {
    paintSigns();
    for (const view of this.views) view.recolour();
    this.dirty = true;
  }

  private frame(now: number): void {
    this.clock.frame(now);
    if (this.dirty) {
      this.dirty = false;
      this.controls.show();
      for (const view of this.views) view.draw(this.clock.time, now, this.clock.running);
      document.documentElement.dataset.cycle = String(this.clock.cycle);
    }
    requestAnimationFrame((next) => this.frame(next));
  }
}

async function start(): Promise<void> {
  const blocks = [...document.querySelectorAll('script[type="application/x-muster"]')];
  if (blocks.length === 0) throw new Error("there are no data in this page");
  new Page(await Promise.all(blocks.map((block) => decode(block.textContent ?? ""))));
  document.documentElement.dataset.ready = "yes";
}

start().catch((error: unknown) => {
  document.body.append(element("p", { class: "violation" }, `This page cannot be shown: ${error}`));
});
