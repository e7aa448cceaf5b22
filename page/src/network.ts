// SPDX-License-Identifier: Apache-2.0
import { Camera } from "./camera";
import { element, setText } from "./dom";
import { Drawing, Picked } from "./draw";
import type { NetworkData } from "./format";
import type { LinkMode } from "./links";
import { Panel } from "./panel";
import { Run } from "./run";
import { Colours, colours } from "./theme";
import { countUpTo } from "./search";
import type { View } from "./view";

/** How often the words beside a running drawing are written, ms. */
const WORDS = 120;

/** One run: its drawing and its panel. */
export class NetworkView implements View {
  readonly root = element("article", { class: "run" });
  readonly first: number;
  readonly last: number;
  readonly run: Run;
  private readonly canvas = element("canvas", { class: "drawing", role: "img", tabindex: "-1" });
  private readonly panel: Panel;
  private readonly camera: Camera;
  private readonly drawing: Drawing;
  private look: Colours = colours();
  private picked: Picked | null = null;
  private version = 0;
  private mode: LinkMode = "use";
  private wordsAt = -Infinity;
  private wordsFor = "";

  constructor(
    data: NetworkData,
    go: (cycle: number) => void,
    private readonly redraw: () => void,
  ) {
    this.run = new Run(data);
    this.first = data.from;
    this.last = Math.max(data.from, data.to - 1);
    const changed = () => {
      this.version++;
      this.wordsFor = "";
      redraw();
    };
    this.panel = new Panel(this.run, go, changed);
    this.panel.pick = (picked) => {
      this.picked = picked;
      changed();
    };
    this.camera = new Camera(
      [...this.run.switches, ...this.run.nodes],
      this.canvas,
      changed,
      (at) => this.panel.pick(this.drawing.pick(at)),
    );
    this.drawing = new Drawing(this.run, this.camera);
    const fit = element("button", { type: "button", class: "fit", title: "Show all" }, "Fit");
    fit.addEventListener("click", () => this.camera.fit());
    this.root.append(
      element("h2", {}, `${data.title}: ${data.scheme}`),
      element("p", { class: "about" }, this.about()),
      element("div", { class: "sheet" }, this.canvas, fit),
      this.panel.root,
    );
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  private about(): string {
    const { data } = this.run;
    const n = data.network;
    const shown =
      data.to < data.cycles || data.from > 0
        ? `cycles ${data.from} to ${data.to - 1} of ${data.cycles}`
        : `${data.cycles} cycles`;
    return (
      `${n.switches.length} switches, ${n.nodes.length} nodes, ${n.links.length} links ` +
      `(drawn: ${n.drawn}); engine ${data.engine}, seed ${data.seed}; ${shown}; ` +
      `links are counted over ${data.use.window} cycles`
    );
  }

  private resize(): void {
    const box = this.canvas.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.max(1, Math.round(box.width * ratio));
    this.canvas.height = Math.max(1, Math.round(box.height * ratio));
    this.version++;
    this.camera.fit(false);
    this.redraw();
  }

  recolour(): void {
    this.look = colours();
    this.version++;
  }
  setMode(mode: LinkMode): void {
    this.mode = mode;
  }

  event(cycle: number, forward: boolean): number | null {
    return this.run.event(cycle, forward, this.panel.shown);
  }
  /** The first cycle of the next or last barrier. */
  barrier(cycle: number, forward: boolean): number | null {
    const starts = Float64Array.from(
      this.run.barriers.filter((b) => this.panel.shown(b.group)),
      (b) => b.firstArrival,
    ).sort();
    const found = forward
      ? starts[countUpTo(starts, cycle)]
      : starts[countUpTo(starts, cycle - 1) - 1];
    return found !== undefined && found >= this.first && found <= this.last ? found : null;
  }

  draw(time: number, now: number, running: boolean): void {
    const at = Math.min(Math.max(time, this.first), this.last);
    const cycle = Math.floor(at);
    const g = this.canvas.getContext("2d", { alpha: false })!;
    const ratio = window.devicePixelRatio || 1;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawing.draw(g, {
      time: at,
      cycle,
      mode: this.mode,
      look: this.look,
      shown: this.panel.shown,
      picked: this.picked,
      version: this.version,
    });
    const key = `${cycle} ${this.picked?.node} ${this.picked?.id}`;
    if (key === this.wordsFor || (running && now - this.wordsAt < WORDS)) return;
    this.wordsFor = key;
    this.wordsAt = now;
    this.panel.show(cycle, this.picked);
    this.canvas.setAttribute("aria-label", `Network in cycle ${cycle}`);
    const over = time > this.last ? ` The run is over since cycle ${this.last}.` : "";
    setText(this.root.querySelector(".about")!, this.about() + "." + over);
  }
}
