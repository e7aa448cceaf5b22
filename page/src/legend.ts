// SPDX-License-Identifier: Apache-2.0
// What the signs of the drawing mean, drawn by the same code as the signs.
import { element } from "./dom";
import { DASHES, groupColour } from "./draw";
import { KINDS } from "./messages";
import type { MemberState } from "./members";
import { Context, drawMessage, drawNode, sign as frame, stroke } from "./shapes";
import { Colour, Colours, colours } from "./theme";

type Painter = (g: Context, look: Colours) => void;
const painters: { canvas: HTMLCanvasElement; paint: Painter }[] = [];

function sign(width: number, paint: Painter): HTMLCanvasElement {
  const canvas = element("canvas", { class: "sign", "aria-hidden": "true" });
  const ratio = window.devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = 16 * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = "16px";
  painters.push({ canvas, paint });
  return canvas;
}

/** All signs again: colours are others. */
export function paintSigns(): void {
  const look = colours();
  const ratio = window.devicePixelRatio || 1;
  for (const { canvas, paint } of painters) {
    const g = canvas.getContext("2d")!;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, canvas.width, canvas.height);
    paint(g, look);
  }
}

const LINE = new Path2D("M1 8 H35");

/** The band of a group's tree. */
export function sample(group: number): HTMLCanvasElement {
  return sign(36, (g, look) => {
    g.globalAlpha = 0.6;
    stroke(g, groupColour(look, group), 8, LINE, DASHES[group % DASHES.length]);
    g.globalAlpha = 1;
  });
}

export function legend(): HTMLElement {
  const list = element("p", {});
  const add = (text: string, width: number, paint: Painter) =>
    list.append(element("span", {}, sign(width, paint), " ", text));
  for (const [state, text] of [
    ["missing", "member has not arrived"],
    ["arrived", "has arrived, waits"],
    ["released", "is released"],
  ] as [MemberState, string][])
    add(text, 18, (g, look) => drawNode(g, state, { x: 9, y: 8 }, 7, look[state], look.back));
  for (const kind of KINDS)
    add(kind.name, 20, (g, look) =>
      drawMessage(g, kind.shape, { x: 10, y: 8 }, 0, 6.5, look.groups[0], look.back),
    );
  add("link without use", 36, (g, look) => stroke(g, look.link, 1, LINE));
  add("in use, the thicker the more", 36, (g, look) => stroke(g, look.use[3], 4, LINE));
  add("a packet waits", 36, (g, look) => stroke(g, look.wait, 3, LINE, [7, 4]));
  add("pads", 36, (g, look) => stroke(g, look.pad, 3, LINE, [1.5, 5]));
  const word = (text: string, note: string, colour: Colour) =>
    add(note, 28, (g, look) => frame(g, text, { x: 14, y: 8 }, look[colour], look.back));
  word("/1/", "channel 1 is cut for barriers", "pad");
  word("R", "frames sent again", "wait");
  word("X", "dead link", "dead");
  add("switch: filled as its children arrive", 18, (g, look) => {
    g.globalAlpha = 0.55;
    g.fillStyle = look.groups[0];
    g.fillRect(2, 8, 14, 7);
    g.globalAlpha = 1;
    g.strokeStyle = look.ink;
    g.lineWidth = 1.5;
    g.strokeRect(2, 1, 14, 14);
  });
  add("hands the release down", 20, (g, look) => {
    g.strokeStyle = look.ink;
    g.strokeRect(5, 4, 9, 9);
    g.strokeStyle = look.released;
    g.lineWidth = 2.5;
    g.strokeRect(2, 1, 15, 14);
  });
  return element("details", { class: "legend" }, element("summary", {}, "Signs"), list);
}
