// SPDX-License-Identifier: Apache-2.0
// An Extra Stage Cube: stages are columns, output links rows, buffers fill.
import { CommandBox, element, items, setText } from "./dom";
import type { EscData } from "./format";
import { countUpTo, nearest, rowsOf } from "./series";
import { colours, USE_CLASSES } from "./theme";
import { View } from "./view";

/** A state of all buffers is kept every so many rows. */
const KEPT = 4096;

/** Packets in every output buffer at any cycle. */
export class Occupancy {
  private readonly cycles: number[] = [];
  private readonly kept: Uint8Array[] = [];

  /** Rows [cycles since the last, place, packets]. */
  constructor(
    private readonly rows: number[],
    places: number,
  ) {
    const now = new Uint8Array(places);
    for (const [cycle, place, packets] of rowsOf(rows, 3)) {
      if (this.cycles.length % KEPT === 0) this.kept.push(now.slice());
      this.cycles.push(cycle);
      now[place] = packets;
    }
    if (this.kept.length === 0) this.kept.push(now);
  }

  at(cycle: number): Uint8Array {
    const count = countUpTo(this.cycles, cycle);
    const kept = Math.min(this.kept.length - 1, Math.floor(count / KEPT));
    const state = this.kept[kept].slice();
    for (let i = kept * KEPT; i < count; i++) state[this.rows[3 * i + 1]] = this.rows[3 * i + 2];
    return state;
  }

  event(cycle: number, forward: boolean): number | null {
    return nearest(this.cycles, cycle, forward);
  }
}

/** A buffer that sends a packet a cycle has one place free in many of them. */
export function isFull(data: EscData, packets: number): boolean {
  return packets >= Math.max(1, data.depth - 1);
}

/** Places of full buffers from which full ones lead on to a hot spot's link in the last stage: the
 * saturation trees. */
export function saturationTree(data: EscData, state: Uint8Array): boolean[] {
  const columns = data.stages.length;
  const tree = new Array<boolean>(columns * data.pes).fill(false);
  const full = (place: number) => isFull(data, state[place]);
  for (const hot of data.hot)
    tree[(columns - 1) * data.pes + hot] = full((columns - 1) * data.pes + hot);
  for (let column = columns - 1; column > 0; column--) {
    const step = data.box ** data.digits[column];
    for (let link = 0; link < data.pes; link++) {
      if (!tree[column * data.pes + link]) continue;
      // The box of this link has the inputs that differ from it in this digit only.
      const base = link - (Math.floor(link / step) % data.box) * step;
      for (let d = 0; d < data.box; d++) {
        const before = (column - 1) * data.pes + base + d * step;
        if (full(before)) tree[before] = true;
      }
    }
  }
  return tree;
}

export class EscView extends View {
  private readonly occupancy: Occupancy;
  private readonly words = element("ul", { class: "now" });
  private readonly time = element("b", { class: "at" });
  private look = colours();

  constructor(
    private readonly data: EscData,
    redraw: () => void,
  ) {
    super(data, redraw);
    this.root.classList.add("esc");
    this.occupancy = new Occupancy(data.occupancy, data.stages.length * data.pes);
    this.root.append(
      element("h2", {}, `${data.title}: ${data.policy}`),
      element(
        "p",
        { class: "about" },
        `${data.pes} PEs, boxes ${data.box} x ${data.box}, buffers of ${data.depth} packets; hot ` +
          `spot ${data.hot.join(", ")}; session 0, seed ${data.seed}; the active session begins ` +
          `in cycle ${data.active} and takes ${data.length}. A column is a stage, a row an ` +
          "output link; packets go from left to right. The fuller a buffer, the longer its bar; " +
          "full is one with one place free at most, and those of the tree before the hot spot " +
          "are hatched.",
      ),
      element("div", { class: "sheet" }, this.canvas),
      element(
        "section",
        { class: "panel" },
        element("h3", {}, "In cycle ", this.time),
        this.words,
        element("h3", {}, "Command of this session"),
        new CommandBox("the command of this session", data.command).root,
      ),
    );
  }

  recolour(): void {
    this.look = colours();
    this.forgetWords();
  }
  event(cycle: number, forward: boolean): number | null {
    return this.occupancy.event(cycle, forward);
  }

  draw(time: number, now: number, running: boolean): void {
    const cycle = Math.floor(this.within(time));
    const state = this.occupancy.at(cycle);
    const tree = saturationTree(this.data, state);
    this.paint(state, tree);
    if (!this.wordsDue(String(cycle), now, running)) return;
    setText(this.time, String(cycle));
    this.words.replaceChildren(...items(this.lines(state, tree)));
    this.canvas.setAttribute("aria-label", `Buffers in cycle ${cycle}`);
  }

  private lines(state: Uint8Array, tree: boolean[]): string[] {
    const { pes, stages } = this.data;
    return stages.map((stage, column) => {
      const own = state.subarray(column * pes, (column + 1) * pes);
      const packets = own.reduce((a, b) => a + b, 0);
      const full = own.reduce((a, b) => a + (isFull(this.data, b) ? 1 : 0), 0);
      const inTree = tree.slice(column * pes, (column + 1) * pes).filter(Boolean).length;
      return (
        `stage ${stage}: ${packets} packets, ${full} of ${pes} buffers full, ` +
        `${inTree} in the tree of the hot spot`
      );
    });
  }

  private paint(state: Uint8Array, tree: boolean[]): void {
    const { pes, depth, stages } = this.data;
    const g = this.context();
    const box = this.canvas.getBoundingClientRect();
    g.fillStyle = this.look.back;
    g.fillRect(0, 0, box.width, box.height);
    const top = 22;
    const gap = 18;
    const width = (box.width - gap) / stages.length - gap;
    const height = (box.height - top - 6) / pes;
    g.font = "12px sans-serif";
    g.textBaseline = "middle";
    stages.forEach((stage, column) => {
      const x = gap + column * (width + gap);
      g.fillStyle = this.look.ink;
      g.textAlign = "left";
      g.fillText(`stage ${stage}`, x, 11);
      g.strokeStyle = this.look.faint;
      g.lineWidth = 1;
      g.strokeRect(x, top, width, height * pes);
      for (let link = 0; link < pes; link++) {
        const packets = state[column * pes + link];
        if (packets === 0) continue;
        const y = top + link * height;
        const share = Math.min(1, packets / depth);
        const full = isFull(this.data, packets);
        const shade = Math.min(USE_CLASSES - 1, Math.floor(share * USE_CLASSES));
        g.fillStyle = full ? this.look.dead : this.look.use[shade];
        g.fillRect(x, y + height * 0.1, width * share, height * 0.8);
        if (!tree[column * pes + link]) continue;
        g.strokeStyle = this.look.back;
        g.lineWidth = Math.max(0.6, height * 0.15);
        g.beginPath();
        for (let at = x; at < x + width; at += Math.max(6, height)) {
          g.moveTo(at, y + height * 0.9);
          g.lineTo(at + height * 0.8, y + height * 0.1);
        }
        g.stroke();
      }
    });
    // The hot spot's link leaves the last stage.
    g.fillStyle = this.look.ink;
    for (const hot of this.data.hot) {
      const y = top + (hot + 0.5) * height;
      g.beginPath();
      g.moveTo(box.width - gap + 2, y);
      g.lineTo(box.width - 2, y - 6);
      g.lineTo(box.width - 2, y + 6);
      g.closePath();
      g.fill();
    }
  }
}
