// SPDX-License-Identifier: Apache-2.0
import { element } from "./dom";
import type { LinkMode } from "./links";

/** How often the words beside a running drawing are written, ms. */
const WORDS = 120;

/** What one run shows, whatever it is a run of: a drawing and words beside it. */
export abstract class View {
  readonly root = element("article", { class: "run" });
  readonly first: number;
  readonly last: number;
  protected readonly canvas = element("canvas", { class: "drawing", role: "img" });
  private wordsAt = -Infinity;
  private wordsFor = "";

  constructor(
    { from, to }: { from: number; to: number },
    protected readonly redraw: () => void,
  ) {
    this.first = from;
    this.last = Math.max(from, to - 1);
    new ResizeObserver(() => {
      const box = this.canvas.getBoundingClientRect();
      const ratio = window.devicePixelRatio || 1;
      this.canvas.width = Math.max(1, Math.round(box.width * ratio));
      this.canvas.height = Math.max(1, Math.round(box.height * ratio));
      this.resized();
      redraw();
    }).observe(this.canvas);
  }

  /** The cycle at which the page opens. */
  get opening(): number {
    return this.first;
  }
  abstract draw(time: number, now: number, running: boolean): void;
  abstract recolour(): void;
  setMode(_mode: LinkMode): void {}
  /** The next or last cycle in which anything happens. */
  abstract event(cycle: number, forward: boolean): number | null;
  /** The next or last cycle with the first arrival of a barrier. */
  barrier(_cycle: number, _forward: boolean): number | null {
    return null;
  }

  protected resized(): void {}
  protected within(time: number): number {
    return Math.min(Math.max(time, this.first), this.last);
  }
  protected context(): CanvasRenderingContext2D {
    const g = this.canvas.getContext("2d", { alpha: false })!;
    const ratio = window.devicePixelRatio || 1;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    return g;
  }
  /** Whether words are to be written in this frame; `key` says all that they depend on. */
  protected wordsDue(key: string, now: number, running: boolean): boolean {
    if (key === this.wordsFor || (running && now - this.wordsAt < WORDS)) return false;
    this.wordsFor = key;
    this.wordsAt = now;
    return true;
  }
  protected forgetWords(): void {
    this.wordsFor = "";
  }
}
