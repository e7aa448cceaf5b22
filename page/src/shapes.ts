// SPDX-License-Identifier: Apache-2.0
import type { Shape } from "./messages";
import type { Point } from "./run";
import type { MemberState } from "./members";

type Context = CanvasRenderingContext2D;

function polygon(g: Context, corners: number, radius: number, turn: number): void {
  for (let i = 0; i < corners; i++) {
    const angle = turn + (2 * Math.PI * i) / corners;
    g.lineTo(radius * Math.cos(angle), radius * Math.sin(angle));
  }
  g.closePath();
}

/** A message at a place, flying in a direction (radians) where its shape has one. */
export function drawMessage(
  g: Context,
  shape: Shape,
  x: number,
  y: number,
  direction: number,
  size: number,
  colour: string,
  back: string,
): void {
  g.save();
  g.translate(x, y);
  g.beginPath();
  let filled = true;
  switch (shape) {
    case "up": // a dart, point ahead
      g.rotate(direction);
      g.moveTo(size * 1.2, 0);
      g.lineTo(-size * 0.8, size);
      g.lineTo(-size * 0.3, 0);
      g.lineTo(-size * 0.8, -size);
      g.closePath();
      break;
    case "down":
      g.arc(0, 0, size * 0.9, 0, 2 * Math.PI);
      break;
    case "ring":
      g.arc(0, 0, size * 0.8, 0, 2 * Math.PI);
      filled = false;
      break;
    case "star":
      for (let i = 0; i < 10; i++) {
        const radius = i % 2 === 0 ? size * 1.2 : size * 0.5;
        const angle = direction + (Math.PI * i) / 5;
        g.lineTo(radius * Math.cos(angle), radius * Math.sin(angle));
      }
      g.closePath();
      break;
    case "square":
      g.rect(-size * 0.75, -size * 0.75, size * 1.5, size * 1.5);
      break;
    case "hexagon":
      polygon(g, 6, size, direction);
      break;
    case "diamond":
      polygon(g, 4, size * 1.1, direction);
      break;
    case "cross":
      g.rotate(direction + Math.PI / 4);
      g.moveTo(-size, 0);
      g.lineTo(size, 0);
      g.moveTo(0, -size);
      g.lineTo(0, size);
      filled = false;
      break;
  }
  if (filled) {
    g.fillStyle = colour;
    g.fill();
    g.lineWidth = 1.2;
    g.strokeStyle = back;
    g.stroke();
  } else {
    g.lineWidth = Math.max(2, size * 0.35);
    g.strokeStyle = colour;
    g.stroke();
  }
  g.restore();
}

/** A member by what it does: a ring, a square, a triangle. */
export function drawNode(
  g: Context,
  state: MemberState,
  x: number,
  y: number,
  size: number,
  colour: string,
  back: string,
): void {
  g.beginPath();
  g.fillStyle = colour;
  switch (state) {
    case "missing":
      g.arc(x, y, size * 0.8, 0, 2 * Math.PI);
      g.fillStyle = back;
      g.fill();
      g.lineWidth = Math.max(1.5, size * 0.35);
      g.strokeStyle = colour;
      g.stroke();
      return;
    case "arrived":
      g.rect(x - size * 0.8, y - size * 0.8, size * 1.6, size * 1.6);
      break;
    case "released":
      g.moveTo(x - size, y - size * 0.7);
      g.lineTo(x + size, y - size * 0.7);
      g.lineTo(x, y + size);
      g.closePath();
      break;
  }
  g.fill();
  g.lineWidth = 1;
  g.strokeStyle = back;
  g.stroke();
}

/** Something is dead, or does not arrive. */
export function drawCross(g: Context, at: Point, size: number, colour: string): void {
  g.strokeStyle = colour;
  g.lineWidth = 3;
  g.beginPath();
  g.moveTo(at.x - size, at.y - size);
  g.lineTo(at.x + size, at.y + size);
  g.moveTo(at.x - size, at.y + size);
  g.lineTo(at.x + size, at.y - size);
  g.stroke();
}

/** Around what was clicked. */
export function drawHalo(g: Context, at: Point, size: number, colour: string): void {
  g.strokeStyle = colour;
  g.lineWidth = 2;
  g.setLineDash([4, 3]);
  g.beginPath();
  g.arc(at.x, at.y, size, 0, 2 * Math.PI);
  g.stroke();
  g.setLineDash([]);
}
