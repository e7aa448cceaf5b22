// SPDX-License-Identifier: Apache-2.0
// The drawing of a network at a time: links, trees, switches with what they hold, nodes, messages.
import type { Camera } from "./camera";
import { bitsOf, Entry, FLAG } from "./held";
import { copy, LinkLayer, LinkMode, sideBySide, sides } from "./links";
import type { MemberState } from "./members";
import { KINDS } from "./messages";
import type { Point, Run } from "./run";
import { drawCross, drawHalo, drawMessage, drawNode } from "./shapes";
import { Colours, GROUP_COLOURS } from "./theme";
import { letter } from "./words";

type Context = CanvasRenderingContext2D;

/** A switch or a node. */
export interface Picked {
  node: boolean;
  id: number;
}

export interface Scene {
  time: number;
  cycle: number;
  mode: LinkMode;
  look: Colours;
  shown: (group: number) => boolean;
  picked: Picked | null;
  /** Changes with everything that changes where or how things are drawn. */
  version: number;
}

/** Messages that are taken away one by one, and how far one reaches with its letter. */
const MANY = 100;
const REACH = 26;
/** Letters of a switch's name that have room under it. */
const NAME = 14;

/** Tells groups apart without colour. */
export const DASHES: readonly number[][] = [[], [10, 4], [2, 3], [10, 3, 2, 3], [16, 6], [5, 5]];

export class Drawing {
  private readonly links: LinkLayer;
  private readonly still = document.createElement("canvas");
  private key = "";
  /** Where messages were drawn since what stands was copied; null: it has not been. */
  private dirty: Point[] | null = null;
  /** For each node the groups that it is a member of, with its place there. */
  private readonly memberOf: { group: number; place: number }[][];

  constructor(
    private readonly run: Run,
    private readonly camera: Camera,
  ) {
    this.links = new LinkLayer(run);
    this.memberOf = run.nodes.map(() => []);
    run.data.groups.forEach((_, group) =>
      run.members.of(group).forEach(({ node }, place) => {
        if (node >= 0) this.memberOf[node].push({ group, place });
      }),
    );
  }

  draw(g: Context, scene: Scene): void {
    const key = `${scene.cycle} ${scene.mode} ${scene.version}`;
    if (key !== this.key) {
      this.key = key;
      this.still.width = g.canvas.width;
      this.still.height = g.canvas.height;
      const own = this.still.getContext("2d", { alpha: false })!;
      own.setTransform(g.getTransform());
      this.drawStill(own, scene);
      this.dirty = null;
    }
    this.restore(g);
    this.drawMessages(g, scene);
  }

  /** Takes the messages of the last frame away; all if there are many, or what stands is new. */
  private restore(g: Context): void {
    if (this.dirty === null || this.dirty.length > MANY) {
      copy(g, this.still);
    } else {
      g.save();
      const ratio = g.getTransform().a;
      g.setTransform(1, 0, 0, 1, 0, 0);
      for (const { x, y } of this.dirty) {
        const size = 2 * Math.ceil(REACH * ratio);
        const left = Math.min(this.still.width, Math.max(0, Math.floor(x * ratio - size / 2)));
        const top = Math.min(this.still.height, Math.max(0, Math.floor(y * ratio - size / 2)));
        const width = Math.min(size, this.still.width - left);
        const height = Math.min(size, this.still.height - top);
        if (width > 0 && height > 0)
          g.drawImage(this.still, left, top, width, height, left, top, width, height);
      }
      g.restore();
    }
    this.dirty = [];
  }

  /** What stands as long as the cycle is the same. */
  private drawStill(g: Context, scene: Scene): void {
    g.fillStyle = scene.look.back;
    g.fillRect(0, 0, g.canvas.width, g.canvas.height);
    const entries = this.run.switches.map((_, s) =>
      this.run.entries.at(s, scene.cycle).filter((entry) => scene.shown(entry.group)),
    );
    this.drawTrees(g, scene, entries);
    this.links.draw(g, this.camera, scene.look, scene.cycle, scene.mode, scene.version);
    this.drawMarks(g, scene);
    this.drawNodes(g, scene);
    drawSwitches(g, scene, this.run, this.camera, entries);
  }

  /** The links of each tree, a broad band under the links. */
  private drawTrees(g: Context, scene: Scene, entries: Entry[][]): void {
    const bands = new Map<number, Path2D>();
    entries.forEach((list, s) => {
      for (const entry of list) {
        let band = bands.get(entry.group);
        if (!band) bands.set(entry.group, (band = new Path2D()));
        for (const port of bitsOf(entry.children)) this.band(band, s, port);
        if (!(entry.flags & (FLAG.byName | FLAG.root))) this.band(band, s, entry.parent);
      }
    });
    g.globalAlpha = 0.35;
    g.lineCap = "butt";
    for (const [group, band] of bands) {
      g.strokeStyle = scene.look.groups[group % GROUP_COLOURS];
      g.lineWidth = Math.min(11, Math.max(3, this.camera.scale / 7));
      g.setLineDash(DASHES[group % DASHES.length]);
      g.stroke(band);
    }
    g.setLineDash([]);
    g.globalAlpha = 1;
  }
  private band(path: Path2D, s: number, port: number): void {
    const peer = this.run.peer(s, port);
    if (!peer) return;
    const a = this.camera.toScreen(this.run.switches[s]);
    const b = this.camera.toScreen(
      peer.node ? this.run.nodes[peer.id] : this.run.switches[peer.id],
    );
    path.moveTo(a.x, a.y);
    path.lineTo(b.x, b.y);
  }

  /** Cut channels, frames sent again, dead links: a sign in the middle of the channel. */
  private drawMarks(g: Context, scene: Scene): void {
    const { marks, channels } = this.run;
    const middle = (c: number): Point => {
      const [a, b] = sides(this.camera, channels[c].from, channels[c].to, sideBySide(this.camera));
      return { x: (2 * a.x + 3 * b.x) / 5, y: (2 * a.y + 3 * b.y) / 5 };
    };
    const sign = (c: number, text: string, colour: string) => {
      if (!channels[c]) return;
      const { x, y } = middle(c);
      g.font = "bold 12px sans-serif";
      const width = g.measureText(text).width + 6;
      g.fillStyle = scene.look.back;
      g.fillRect(x - width / 2, y - 8, width, 16);
      g.strokeStyle = colour;
      g.lineWidth = 1.5;
      g.strokeRect(x - width / 2, y - 8, width, 16);
      g.fillStyle = colour;
      g.textAlign = "center";
      g.textBaseline = "middle";
      g.fillText(text, x, y + 1);
    };
    for (const { channel, vc } of marks.cutAt(scene.cycle))
      sign(channel, `/${vc}/`, scene.look.pad);
    for (const channel of marks.resentAt(scene.cycle)) sign(channel, "R", scene.look.wait);
    for (const half of marks.deadLinks(scene.cycle)) sign(2 * half, "X", scene.look.dead);
  }

  /** Of several groups that a node is in, the one that waits longest counts. */
  private nodeState(node: number, scene: Scene): { state: MemberState; group: number } | null {
    let found: { state: MemberState; group: number } | null = null;
    const order: MemberState[] = ["missing", "arrived", "released"];
    for (const { group, place } of this.memberOf[node]) {
      if (!scene.shown(group)) continue;
      const barrier = this.run.members.current(group, scene.cycle);
      const state = this.run.members.state(group, place, barrier, scene.cycle);
      if (!found || order.indexOf(state) < order.indexOf(found.state)) found = { state, group };
    }
    return found;
  }

  private drawNodes(g: Context, scene: Scene): void {
    const size = Math.min(9, Math.max(1.6, this.camera.scale / 11));
    const dead = this.run.marks.deadNodes(scene.cycle);
    const others = new Path2D();
    this.run.nodes.forEach((node, n) => {
      const at = this.camera.toScreen(node);
      const found = this.nodeState(n, scene);
      if (found) {
        drawNode(g, found.state, at.x, at.y, size, scene.look[found.state], scene.look.back);
      } else {
        others.moveTo(at.x + size * 0.45, at.y);
        others.arc(at.x, at.y, size * 0.45, 0, 2 * Math.PI);
      }
      if (dead.has(n)) drawCross(g, at, size * 1.3, scene.look.dead);
      if (scene.picked?.node && scene.picked.id === n) drawHalo(g, at, size * 1.8, scene.look.ink);
    });
    g.fillStyle = scene.look.faint;
    g.fill(others);
  }

  private drawMessages(g: Context, scene: Scene): void {
    const { messages, channels } = this.run;
    const size = Math.min(9, Math.max(3.5, this.camera.scale / 10));
    const several = this.run.data.groups.length > 1;
    const both = sideBySide(this.camera);
    for (const i of messages.at(scene.time)) {
      const group = messages.group[i];
      if (group >= 0 && !scene.shown(group)) continue;
      const channel = channels[messages.channel[i]];
      const [a, b] = sides(this.camera, channel.from, channel.to, both);
      const along = messages.progress(i, scene.time);
      const x = a.x + (b.x - a.x) * along;
      const y = a.y + (b.y - a.y) * along;
      const colour = group < 0 ? scene.look.ink : scene.look.groups[group % GROUP_COLOURS];
      const direction = Math.atan2(b.y - a.y, b.x - a.x);
      const { shape } = KINDS[messages.kind[i]];
      this.dirty?.push({ x, y });
      drawMessage(g, shape, x, y, direction, size, colour, scene.look.back);
      if (messages.duration[i] === 0) drawCross(g, { x, y }, size, scene.look.dead);
      if (several && group >= 0 && size >= 6) {
        g.font = "bold 11px sans-serif";
        g.textAlign = "left";
        g.textBaseline = "middle";
        g.fillStyle = scene.look.ink;
        g.fillText(letter(group), x + size + 2, y - size);
      }
    }
  }

  /** The switch or node nearest to a place on the screen, if it is near. */
  pick(at: Point): Picked | null {
    let best: Picked | null = null;
    let least = 22;
    const look = (p: Point, node: boolean, id: number) => {
      const s = this.camera.toScreen(p);
      const far = Math.hypot(s.x - at.x, s.y - at.y);
      if (far < least) [least, best] = [far, { node, id }];
    };
    this.run.switches.forEach((p, id) => look(p, false, id));
    this.run.nodes.forEach((p, id) => look(p, true, id));
    return best;
  }
}

/** A box that fills as its children arrive; a second frame while it hands the release down. */
function drawSwitches(
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
    const all = bitsOf(entry.children).length;
    const share = all === 0 ? 0 : bitsOf(entry.arrived & entry.children).length / all;
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
    return `${bitsOf(entry.arrived).length}/${bitsOf(entry.children).length}${sent}`;
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
