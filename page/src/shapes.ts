// SPDX-License-Identifier: Apache-2.0
// The signs of the drawing, and the pen that draws them.
import type { MemberState } from "./members";
import type { Shape } from "./messages";
import type { Point } from "./run";

export type Context = CanvasRenderingContext2D;

/** Strokes a path, or what was begun. */
export function stroke(
  g: Context,
  colour: string,
  width: number,
  path?: Path2D,
  dash: readonly number[] = [],
): void {
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.setLineDash(dash as number[]);
  if (path) g.stroke(path);
  else g.stroke();
  g.setLineDash([]);
}

/** Fills what was begun, with a rim; or strokes it with a broader pen. */
function paint(g: Context, open: boolean, colour: string, rim: string, width: number): void {
  if (!open) {
    g.fillStyle = colour;
    g.fill();
  }
  stroke(g, open ? colour : rim, width);
}

/** A text in the middle of a place. */
export function write(g: Context, text: string, at: Point, font: string, colour: string): void {
  g.font = font;
  g.fillStyle = colour;
  g.textBaseline = "middle";
  g.fillText(text, at.x, at.y);
}

/** A text in a frame, whose middle is at a place. */
export function sign(
  g: Context,
  text: string,
  { x, y }: Point,
  colour: string,
  back: string,
): void {
  g.font = "bold 12px sans-serif";
  const width = g.measureText(text).width + 6;
  g.fillStyle = back;
  g.fillRect(x - width / 2, y - 8, width, 16);
  g.strokeStyle = colour;
  g.lineWidth = 1.5;
  g.strokeRect(x - width / 2, y - 8, width, 16);
  g.textAlign = "center";
  write(g, text, { x, y: y + 1 }, g.font, colour);
}

/** Corners on circles of these radii in turn, as x and y. */
function around(corners: number, ...radii: number[]): number[] {
  return Array.from({ length: corners }, (_, i) => {
    const [radius, angle] = [radii[i % radii.length], (2 * Math.PI * i) / corners];
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  }).flat();
}
/** Of shapes that are polygons the corners, x ahead, for size 1; the others are circles. */
const CORNERS: Partial<Record<Shape, number[]>> = {
  up: [1.2, 0, -0.8, 1, -0.3, 0, -0.8, -1],
  star: around(10, 1.2, 0.5),
  square: [-0.75, -0.75, 0.75, -0.75, 0.75, 0.75, -0.75, 0.75],
  hexagon: around(6, 1),
  diamond: around(4, 1.1),
  cross: [0, 0, 0.7, 0.7, 0, 0, 0.7, -0.7, 0, 0, -0.7, -0.7, 0, 0, -0.7, 0.7],
};

/** A message at a place, flying in a direction (radians) where its shape has one. */
export function drawMessage(
  g: Context,
  shape: Shape,
  at: Point,
  direction: number,
  size: number,
  colour: string,
  back: string,
): void {
  const open = shape === "ring" || shape === "cross";
  g.save();
  g.translate(at.x, at.y);
  if (shape !== "square") g.rotate(direction);
  g.beginPath();
  const corners = CORNERS[shape];
  if (corners) polygon(g, corners, size);
  else g.arc(0, 0, size * (open ? 0.8 : 0.9), 0, 2 * Math.PI);
  paint(g, open, colour, back, open ? Math.max(2, size * 0.35) : 1.2);
  g.restore();
}
function polygon(g: Context, corners: number[], size: number): void {
  for (let i = 0; i < corners.length; i += 2) g.lineTo(size * corners[i], size * corners[i + 1]);
  g.closePath();
}

/** A member by what it does: a ring, a square, a triangle. */
export function drawNode(
  g: Context,
  state: MemberState,
  { x, y }: Point,
  size: number,
  colour: string,
  back: string,
): void {
  g.save();
  g.translate(x, y);
  g.beginPath();
  if (state === "missing") g.arc(0, 0, size * 0.8, 0, 2 * Math.PI);
  else
    polygon(
      g,
      state === "arrived"
        ? [-0.8, -0.8, 0.8, -0.8, 0.8, 0.8, -0.8, 0.8]
        : [-1, -0.7, 1, -0.7, 0, 1],
      size,
    );
  if (state === "missing") {
    g.fillStyle = back;
    g.fill();
  }
  paint(g, state === "missing", colour, back, state === "missing" ? Math.max(1.5, size * 0.35) : 1);
  g.restore();
}

/** Something is dead, or does not arrive. */
export function drawCross(g: Context, { x, y }: Point, size: number, colour: string): void {
  g.beginPath();
  for (const end of [-size, size]) {
    g.moveTo(x - size, y - end);
    g.lineTo(x + size, y + end);
  }
  stroke(g, colour, 3);
}

/** Around what was clicked. */
export function drawHalo(g: Context, at: Point, size: number, colour: string): void {
  g.beginPath();
  g.arc(at.x, at.y, size, 0, 2 * Math.PI);
  stroke(g, colour, 2, undefined, [4, 3]);
}
