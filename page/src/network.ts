// SPDX-License-Identifier: Apache-2.0
import { Camera } from "./camera";
import { button, element, setText } from "./dom";
import { Drawing, Picked } from "./draw";
import type { NetworkData } from "./format";
import type { LinkMode } from "./links";
import { Panel } from "./panel";
import { Run } from "./run";
import { Colours, colours } from "./theme";
import { nearest } from "./series";
import { View } from "./view";

/** One run: its drawing and its panel. */
export class NetworkView extends View {
  readonly run: Run;
  private readonly panel: Panel;
  private readonly camera: Camera;
  private readonly drawing: Drawing;
  private look: Colours = colours();
  private picked: Picked | null = null;
  private version = 0;
  private mode: LinkMode = "use";

  constructor(data: NetworkData, go: (cycle: number) => void, redraw: () => void) {
    super(data, redraw);
    this.canvas.tabIndex = -1;
    this.run = new Run(data);
    const changed = () => {
      this.version++;
      this.forgetWords();
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
    const fit = button("Fit", () => this.camera.fit(), { class: "fit", title: "Show all" });
    this.root.append(
      element("h2", {}, `${data.title}: ${data.scheme}`),
      element("p", { class: "about" }, this.about()),
      element("div", { class: "sheet" }, this.canvas, fit),
      this.panel.root,
    );
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

  protected override resized(): void {
    this.version++;
    this.camera.fit(false);
  }

  recolour(): void {
    this.look = colours();
    this.version++;
  }
  override setMode(mode: LinkMode): void {
    this.mode = mode;
  }

  /** The first arrival: nothing but data is on the links before. */
  override get opening(): number {
    let first = Infinity;
    this.run.members.forEach((_, cycle) => (first = Math.min(first, cycle)));
    return first > this.last ? this.first : this.within(first);
  }
  event(cycle: number, forward: boolean): number | null {
    return this.run.event(cycle, forward, this.panel.shown);
  }
  override barrier(cycle: number, forward: boolean): number | null {
    const starts = Float64Array.from(
      this.run.barriers.filter((b) => this.panel.shown(b.group)),
      (b) => b.firstArrival,
    ).sort();
    const found = nearest(starts, cycle, forward);
    return found !== null && found >= this.first && found <= this.last ? found : null;
  }

  draw(time: number, now: number, running: boolean): void {
    const at = this.within(time);
    const cycle = Math.floor(at);
    this.drawing.draw(this.context(), {
      time: at,
      cycle,
      mode: this.mode,
      look: this.look,
      shown: this.panel.shown,
      picked: this.picked,
      version: this.version,
    });
    const key = `${cycle} ${this.picked?.node} ${this.picked?.id}`;
    if (!this.wordsDue(key, now, running)) return;
    this.panel.show(cycle, this.picked);
    this.canvas.setAttribute("aria-label", `Network in cycle ${cycle}`);
    const over = time > this.last ? ` The run is over since cycle ${this.last}.` : "";
    setText(this.root.querySelector(".about")!, this.about() + "." + over);
  }
}
