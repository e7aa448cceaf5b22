// SPDX-License-Identifier: Apache-2.0
// The lowest layer: links by what they carry. It changes with the window, not with the cycle.
import type { Camera } from "./camera";
import { countAt } from "./format";
import type { Point, Run } from "./run";
import { Context, stroke } from "./shapes";
import { Colours, USE_CLASSES } from "./theme";

export type LinkMode = "use" | "wait" | "none";

/** From this scale on the two directions of a link lie side by side. */
const BOTH = 18;

/** Links in a window of the counts. */
export function drawLinks(
  g: Context,
  { data, channels }: Run,
  camera: Camera,
  look: Colours,
  window: number,
  mode: LinkMode,
): void {
  const { use } = data;
  const both = sideBySide(camera);
  const idle = new Path2D();
  const busy = Array.from({ length: USE_CLASSES }, () => new Path2D());
  const pads = new Path2D();
  const waits = mode === "wait";
  const counts = waits ? use.waits : use.flits;
  channels.forEach((channel, c) => {
    const [a, b] = sides(camera, channel.from, channel.to, both);
    let path = idle;
    if (mode !== "none") {
      const share = countAt(counts[c], window) / use.window;
      if (share > 0) path = busy[Math.min(USE_CLASSES - 1, Math.floor(share * USE_CLASSES))];
      if (countAt(use.pads[c], window) > 0) line(pads, a, b);
    }
    // Of two directions that lie on each other one is enough.
    if (path !== idle || both || c % 2 === 0) line(path, a, b);
  });
  g.lineCap = "butt";
  stroke(g, look.link, both ? 1 : 0.7, idle);
  const thick = both ? 1 : 0.6;
  busy.forEach((path, i) =>
    stroke(g, waits ? look.wait : look.use[i], thick * (1.5 + i), path, waits ? [7, 4] : []),
  );
  stroke(g, look.pad, thick * 3, pads, [1.5, 5]);
}

function line(path: Path2D, a: Point, b: Point): void {
  path.moveTo(a.x, a.y);
  path.lineTo(b.x, b.y);
}

/** The ends of a channel on the screen: each direction on its right-hand side. */
export function sides(camera: Camera, from: Point, to: Point, both: boolean): [Point, Point] {
  const a = camera.toScreen(from);
  const b = camera.toScreen(to);
  if (!both) return [a, b];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const off = Math.min(4, camera.scale / 14);
  const x = (-(b.y - a.y) / length) * off;
  const y = ((b.x - a.x) / length) * off;
  return [
    { x: a.x + x, y: a.y + y },
    { x: b.x + x, y: b.y + y },
  ];
}
export function sideBySide(camera: Camera): boolean {
  return camera.scale >= BOTH;
}
