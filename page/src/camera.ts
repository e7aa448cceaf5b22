// SPDX-License-Identifier: Apache-2.0
import type { Point } from "./run";

/** Where the eye is over a drawing: moved by drag, wheel and pinch of the pointer. */
export class Camera {
  scale = 60;
  private x = 0;
  private y = 0;
  private touched = false;

  constructor(
    private readonly points: Point[],
    private readonly canvas: HTMLCanvasElement,
    private readonly changed: () => void,
    private readonly clicked: (at: Point) => void,
  ) {
    this.listen();
  }

  toScreen(p: Point): Point {
    return { x: (p.x - this.x) * this.scale, y: (p.y - this.y) * this.scale };
  }
  private toWorld(p: Point): Point {
    return { x: p.x / this.scale + this.x, y: p.y / this.scale + this.y };
  }

  /** All points with a margin. */
  fit(force = true): void {
    if (this.touched && !force) return;
    this.touched = false;
    const { width, height } = this.canvas.getBoundingClientRect();
    if (width === 0 || this.points.length === 0) return;
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const p of this.points) {
      left = Math.min(left, p.x);
      right = Math.max(right, p.x);
      top = Math.min(top, p.y);
      bottom = Math.max(bottom, p.y);
    }
    const margin = 0.6;
    const [w, h] = [right - left + 2 * margin, bottom - top + 2 * margin];
    this.scale = Math.min(width / w, height / h, 140);
    this.x = (left + right) / 2 - width / this.scale / 2;
    this.y = (top + bottom) / 2 - height / this.scale / 2;
    this.changed();
  }

  private zoom(at: Point, factor: number): void {
    const before = this.toWorld(at);
    this.scale = Math.min(400, Math.max(2, this.scale * factor));
    const after = this.toWorld(at);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
    this.touched = true;
    this.changed();
  }

  private listen(): void {
    const { canvas } = this;
    const down = new Map<number, Point>();
    let moved = 0;
    const place = (e: PointerEvent | WheelEvent): Point => {
      const box = canvas.getBoundingClientRect();
      return { x: e.clientX - box.left, y: e.clientY - box.top };
    };
    canvas.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        this.zoom(place(e), Math.exp(-e.deltaY / 400));
      },
      { passive: false },
    );
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      down.set(e.pointerId, place(e));
      moved = 0;
    });
    canvas.addEventListener("pointermove", (e) => {
      const before = down.get(e.pointerId);
      if (!before) return;
      const now = place(e);
      const others = [...down].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
      if (others.length > 0) {
        const far = (p: Point) => Math.hypot(p.x - others[0].x, p.y - others[0].y);
        this.zoom(others[0], far(now) / Math.max(1, far(before)));
      } else {
        this.x -= (now.x - before.x) / this.scale;
        this.y -= (now.y - before.y) / this.scale;
      }
      moved += Math.hypot(now.x - before.x, now.y - before.y);
      down.set(e.pointerId, now);
      this.touched = true;
      this.changed();
    });
    const up = (e: PointerEvent) => {
      if (down.delete(e.pointerId) && e.type === "pointerup" && moved < 5) this.clicked(place(e));
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
  }
}
