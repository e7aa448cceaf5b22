// SPDX-License-Identifier: Apache-2.0
// What the signs of the drawing mean, drawn by the same code as the signs.
import { element } from "./dom";
import { DASHES } from "./draw";
import { KINDS } from "./messages";
import type { MemberState } from "./members";
import { drawMessage, drawNode } from "./shapes";
import { Colours, colours, GROUP_COLOURS } from "./theme";

type Painter = (g: CanvasRenderingContext2D, look: Colours) => void;
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

function stroke(g: CanvasRenderingContext2D, width: number, colour: string, dash: number[]): void {
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.setLineDash(dash);
  g.beginPath();
  g.moveTo(1, 8);
  g.lineTo(35, 8);
  g.stroke();
  g.setLineDash([]);
}

/** The band of a group's tree. */
export function sample(group: number): HTMLCanvasElement {
  return sign(36, (g, look) => {
    g.globalAlpha = 0.6;
    stroke(g, 8, look.groups[group % GROUP_COLOURS], DASHES[group % DASHES.length]);
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
    add(text, 18, (g, look) => drawNode(g, state, 9, 8, 7, look[state], look.back));
  for (const kind of KINDS)
    add(kind.name, 20, (g, look) =>
      drawMessage(g, kind.shape, 10, 8, 0, 6.5, look.groups[0], look.back),
    );
  add("link without use", 36, (g, look) => stroke(g, 1, look.link, []));
  add("in use, the thicker the more", 36, (g, look) => stroke(g, 4, look.use[3], []));
  add("a packet waits", 36, (g, look) => stroke(g, 3, look.wait, [7, 4]));
  add("pads", 36, (g, look) => stroke(g, 3, look.pad, [1.5, 5]));
  const word =
    (text: string, colour: keyof Colours): Painter =>
    (g, look) => {
      g.font = "bold 12px sans-serif";
      g.textAlign = "center";
      g.textBaseline = "middle";
      g.strokeStyle = g.fillStyle = look[colour] as string;
      g.lineWidth = 1.5;
      g.strokeRect(1, 1, 26, 14);
      g.fillText(text, 14, 9);
    };
  add("channel 1 is cut for barriers", 28, word("/1/", "pad"));
  add("frames sent again", 28, word("R", "wait"));
  add("dead link", 28, word("X", "dead"));
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
