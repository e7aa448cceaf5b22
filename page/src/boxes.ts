// SPDX-License-Identifier: Apache-2.0
// The switches of a network, as boxes with what they hold.
import type { Camera } from "./camera";
import type { Scene } from "./draw";
import { Entry, FLAG, portsOf } from "./entries";
import type { Point, Run } from "./run";
import { drawCross, drawHalo } from "./shapes";
import { Colours, GROUP_COLOURS } from "./theme";
import { letter } from "./words";

type Context = CanvasRenderingContext2D;

/** Letters of a switch's name that have room under it. */
const NAME = 14;

/** A box that fills as its children arrive; a second frame while it hands the release down. */
export function drawSwitches(
  g: Context,
  scene: Scene,
  run: Run,
  camera: Camera,
  entries: Entry[][],
): void {
  const half = Math.min(17, Math.max(2.2, camera.scale / 5.5));
  const dead = run.marks.deadSwitches(scene.cycle);
  const roomy = half >= 8;
  const several = run.data.groups.length > 1;
  g.textAlign = "center";
  run.switches.forEach((place, s) => {
    const at = camera.toScreen(place);
    const list = entries[s];
    g.fillStyle = scene.look.back;
    g.fillRect(at.x - half, at.y - half, 2 * half, 2 * half);
    if (list.length > 0) fill(g, at, half, list, scene.look);
    g.strokeStyle = list.length > 0 ? scene.look.ink : scene.look.faint;
    g.lineWidth = list.length > 0 ? (roomy ? 2 : 1.2) : 1;
    g.strokeRect(at.x - half, at.y - half, 2 * half, 2 * half);
    if (list.some((entry) => entry.serve !== 0)) {
      g.strokeStyle = scene.look.released;
      g.lineWidth = roomy ? 3 : 1.5;
      g.strokeRect(at.x - half - 3, at.y - half - 3, 2 * half + 6, 2 * half + 6);
    }
    if (roomy) label(g, at, half, s, several, list, scene.look);
    const name = run.data.network.switch_names[s];
    if (name !== undefined && half >= 12) caption(g, at, half, name, scene.look);
    if (dead.has(s)) drawCross(g, at, half, scene.look.dead);
    if (scene.picked && !scene.picked.node && scene.picked.id === s)
      drawHalo(g, at, half * 1.7, scene.look.ink);
  });
}

function fill(g: Context, at: Point, half: number, list: Entry[], look: Colours): void {
  const width = (2 * half) / list.length;
  list.forEach((entry, i) => {
    const all = portsOf(entry.children).length;
    const share = all === 0 ? 0 : portsOf(entry.arrived & entry.children).length / all;
    g.globalAlpha = 0.55;
    g.fillStyle = look.groups[entry.group % GROUP_COLOURS];
    g.fillRect(at.x - half + i * width, at.y + half - 2 * half * share, width, 2 * half * share);
    g.globalAlpha = 1;
  });
}

/** Of the text in a box. */
function sizeOf(half: number): number {
  return Math.max(8, Math.min(13, half * 0.8));
}

function label(
  g: Context,
  at: Point,
  half: number,
  s: number,
  several: boolean,
  list: Entry[],
  look: Colours,
): void {
  g.fillStyle = look.ink;
  g.textBaseline = "middle";
  const big = sizeOf(half);
  g.font = `bold ${big}px sans-serif`;
  const detailed = half >= 12 && list.length > 0 && list.length <= (several ? 4 : 1);
  g.fillText(String(s), at.x, detailed ? at.y - half * 0.35 : at.y);
  if (!detailed) return;
  g.font = `${big * 0.8}px sans-serif`;
  const text = list.map((entry) => {
    const sent = entry.flags & FLAG.sent ? "^" : "";
    // Of several groups there is room for their letters alone, each over its own part.
    if (several) return `${letter(entry.group)}${sent}`;
    return `${portsOf(entry.arrived).length}/${portsOf(entry.children).length}${sent}`;
  });
  g.fillText(text.join(" "), at.x, at.y + half * 0.5);
}

/** The name of a switch under its box, as much as has room. */
function caption(g: Context, at: Point, half: number, name: string, look: Colours): void {
  const size = sizeOf(half);
  g.fillStyle = look.ink;
  g.font = `${size * 0.75}px sans-serif`;
  const short = name.length > NAME ? `${name.slice(0, NAME - 1)}…` : name;
  g.fillText(short, at.x, at.y + half + size * 0.6);
}
