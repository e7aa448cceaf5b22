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

/** A canvas behind a drawing: painted when its key changes, else copied, pixel by pixel. */
export class Layer {
  private readonly canvas = document.createElement("canvas");
  private key = "";

  constructor(private readonly settings?: CanvasRenderingContext2DSettings) {}

  draw(g: Context, key: string, paint: (own: Context) => void): void {
    if (key !== this.key) {
      this.key = key;
      this.canvas.width = g.canvas.width;
      this.canvas.height = g.canvas.height;
      const own = this.canvas.getContext("2d", this.settings)!;
      own.setTransform(g.getTransform());
      paint(own);
    }
    g.save();
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.drawImage(this.canvas, 0, 0);
    g.restore();
  }
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
/** Of what is a polygon the corners, x ahead, for size 1; all else is a circle. */
const CORNERS: Partial<Record<Shape | MemberState, number[]>> = {
  up: [1.2, 0, -0.8, 1, -0.3, 0, -0.8, -1],
  star: around(10, 1.2, 0.5),
  square: [-0.75, -0.75, 0.75, -0.75, 0.75, 0.75, -0.75, 0.75],
  hexagon: around(6, 1),
  diamond: around(4, 1.1),
  cross: [0, 0, 0.7, 0.7, 0, 0, 0.7, -0.7, 0, 0, -0.7, -0.7, 0, 0, -0.7, 0.7],
  arrived: [-0.8, -0.8, 0.8, -0.8, 0.8, 0.8, -0.8, 0.8],
  released: [-1, -0.7, 1, -0.7, 0, 1],
};
/** Lines by a broader pen; all else is filled, with a rim. */
const OPEN: (Shape | MemberState)[] = ["ring", "cross", "missing"];

/** `pens`: the least width of the line of what is open, and the width of a rim. */
function drawShape(
  g: Context,
  shape: Shape | MemberState,
  at: Point,
  size: number,
  colour: string,
  back: string,
  pens: [number, number],
): void {
  const open = OPEN.includes(shape);
  const corners = CORNERS[shape];
  g.beginPath();
  if (!corners) g.arc(at.x, at.y, size * (open ? 0.8 : 0.9), 0, 2 * Math.PI);
  else {
    for (let i = 0; i < corners.length; i += 2)
      g.lineTo(at.x + size * corners[i], at.y + size * corners[i + 1]);
    g.closePath();
  }
  g.fillStyle = shape === "missing" ? back : colour;
  if (!open || shape === "missing") g.fill();
  stroke(g, open ? colour : back, open ? Math.max(pens[0], size * 0.35) : pens[1]);
}

/** A message at a place, flying in a direction (radians) where its shape has one. */
export function drawMessage(
  g: Context,
  shape: Shape,
  { x, y }: Point,
  direction: number,
  size: number,
  colour: string,
  back: string,
): void {
  g.save();
  g.translate(x, y);
  if (shape !== "square") g.rotate(direction);
  drawShape(g, shape, { x: 0, y: 0 }, size, colour, back, [2, 1.2]);
  g.restore();
}

/** A member by what it does: a ring, a square, a triangle. */
export function drawNode(
  g: Context,
  state: MemberState,
  at: Point,
  size: number,
  colour: string,
  back: string,
): void {
  drawShape(g, state, at, size, colour, back, [1.5, 1]);
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
