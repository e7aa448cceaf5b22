// SPDX-License-Identifier: Apache-2.0
// The drawing of a network at a time: links, trees, switches with what they hold, nodes, messages.
import type { Camera } from "./camera";
import { bitsOf, Entry, FLAG } from "./held";
import { drawLinks, LinkMode, sideBySide, sides } from "./links";
import type { MemberState } from "./members";
import { KINDS, progress } from "./messages";
import type { Point, Run } from "./run";
import {
  Context,
  drawCross,
  drawHalo,
  drawMessage,
  drawNode,
  Layer,
  sign,
  stroke,
  write,
} from "./shapes";
import { Colours, GROUP_COLOURS } from "./theme";
import { letter } from "./words";

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

/** Letters of a switch's name that have room under it. */
const NAME = 14;
/** Of several groups that a node is in, the one that waits longest counts. */
const ORDER: readonly MemberState[] = ["missing", "arrived", "released"];

/** Tells groups apart without colour. */
export const DASHES: readonly number[][] = [[], [10, 4], [2, 3], [10, 3, 2, 3], [16, 6], [5, 5]];

export function groupColour(look: Colours, group: number): string {
  return look.groups[group % GROUP_COLOURS];
}

export class Drawing {
  private readonly links = new Layer();
  private readonly still = new Layer({ alpha: false });
  private readonly several: boolean;
  /** For each node the groups that it is a member of, with its place there. */
  private readonly memberOf: { group: number; place: number }[][];

  constructor(
    private readonly run: Run,
    private readonly camera: Camera,
  ) {
    this.several = run.data.groups.length > 1;
    this.memberOf = run.nodes.map(() => []);
    run.data.groups.forEach((_, group) =>
      run.members.of(group).forEach(({ node }, place) => {
        if (node >= 0) this.memberOf[node].push({ group, place });
      }),
    );
  }

  draw(g: Context, scene: Scene): void {
    const key = `${scene.cycle} ${scene.mode} ${scene.version}`;
    this.still.draw(g, key, (own) => this.drawStill(own, scene));
    this.drawMessages(g, scene);
  }

  /** What stands as long as the cycle is the same. */
  private drawStill(g: Context, scene: Scene): void {
    g.fillStyle = scene.look.back;
    g.fillRect(0, 0, g.canvas.width, g.canvas.height);
    const entries = this.run.switches.map((_, s) =>
      this.run.entries.at(s, scene.cycle).filter((entry) => scene.shown(entry.group)),
    );
    this.drawTrees(g, scene, entries);
    const { use, from } = this.run.data;
    const window = scene.mode === "none" ? 0 : Math.floor((scene.cycle - from) / use.window);
    this.links.draw(g, `${scene.mode} ${window} ${scene.version}`, (own) =>
      drawLinks(own, this.run, this.camera, scene.look, window, scene.mode),
    );
    this.drawMarks(g, scene);
    this.drawNodes(g, scene);
    this.drawSwitches(g, scene, entries);
  }

  /** The links of each tree, a broad band under the links. */
  private drawTrees(g: Context, { look }: Scene, entries: Entry[][]): void {
    const bands = new Map<number, Path2D>();
    entries.forEach((list, s) => {
      for (const entry of list) {
        const band = bands.get(entry.group) ?? new Path2D();
        bands.set(entry.group, band);
        for (const port of bitsOf(entry.children)) this.band(band, s, port);
        if (!(entry.flags & (FLAG.byName | FLAG.root))) this.band(band, s, entry.parent);
      }
    });
    g.globalAlpha = 0.35;
    g.lineCap = "butt";
    const width = Math.min(11, Math.max(3, this.camera.scale / 7));
    for (const [group, band] of bands)
      stroke(g, groupColour(look, group), width, band, DASHES[group % DASHES.length]);
    g.globalAlpha = 1;
  }
  private band(path: Path2D, s: number, port: number): void {
    const { switches, nodes } = this.run;
    const peer = this.run.peer(s, port);
    if (!peer) return;
    const a = this.camera.toScreen(switches[s]);
    const b = this.camera.toScreen((peer.node ? nodes : switches)[peer.id]);
    path.moveTo(a.x, a.y);
    path.lineTo(b.x, b.y);
  }

  /** Cut channels, frames sent again, dead links: a sign in the middle of the channel. */
  private drawMarks(g: Context, { cycle, look }: Scene): void {
    const { marks } = this.run;
    const mark = (c: number, text: string, colour: string) => {
      if (this.run.channels[c]) sign(g, text, this.along(c, 0.6), colour, look.back);
    };
    for (const { channel, vc } of marks.cutAt(cycle)) mark(channel, `/${vc}/`, look.pad);
    for (const channel of marks.resentAt(cycle)) mark(channel, "R", look.wait);
    for (const half of marks.deadLinks(cycle)) mark(2 * half, "X", look.dead);
  }
  /** A place on a channel, this share of its length from its begin. */
  private along(channel: number, share: number): Point & { direction: number } {
    const { from, to } = this.run.channels[channel];
    const [a, b] = sides(this.camera, from, to, sideBySide(this.camera));
    const [x, y] = [b.x - a.x, b.y - a.y];
    return { x: a.x + x * share, y: a.y + y * share, direction: Math.atan2(y, x) };
  }

  private nodeState(node: number, scene: Scene): MemberState | undefined {
    const states = this.memberOf[node]
      .filter(({ group }) => scene.shown(group))
      .map(({ group, place }) => {
        const barrier = this.run.members.current(group, scene.cycle);
        return this.run.members.state(group, place, barrier, scene.cycle);
      });
    return ORDER.find((state) => states.includes(state));
  }

  private drawNodes(g: Context, scene: Scene): void {
    const { look, picked } = scene;
    const size = Math.min(9, Math.max(1.6, this.camera.scale / 11));
    const dead = this.run.marks.deadNodes(scene.cycle);
    const others = new Path2D();
    this.run.nodes.forEach((node, n) => {
      const at = this.camera.toScreen(node);
      const state = this.nodeState(n, scene);
      if (state) {
        drawNode(g, state, at, size, look[state], look.back);
      } else {
        others.moveTo(at.x + size * 0.45, at.y);
        others.arc(at.x, at.y, size * 0.45, 0, 2 * Math.PI);
      }
      if (dead.has(n)) drawCross(g, at, size * 1.3, look.dead);
      if (picked?.node && picked.id === n) drawHalo(g, at, size * 1.8, look.ink);
    });
    g.fillStyle = look.faint;
    g.fill(others);
  }

  private drawMessages(g: Context, { time, look, shown }: Scene): void {
    const size = Math.min(9, Math.max(3.5, this.camera.scale / 10));
    for (const message of this.run.messages.at(time)) {
      const { group, duration } = message;
      if (group >= 0 && !shown(group)) continue;
      const at = this.along(message.channel, progress(message, time));
      const colour = group < 0 ? look.ink : groupColour(look, group);
      drawMessage(g, KINDS[message.kind].shape, at, at.direction, size, colour, look.back);
      if (duration === 0) drawCross(g, at, size, look.dead);
      if (!this.several || group < 0 || size < 6) continue;
      g.textAlign = "left";
      const beside = { x: at.x + size + 2, y: at.y - size };
      write(g, letter(group), beside, "bold 11px sans-serif", look.ink);
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

  /** A box that fills as its children arrive; a second frame while it hands the release down. */
  private drawSwitches(g: Context, { cycle, look, picked }: Scene, entries: Entry[][]): void {
    const half = Math.min(17, Math.max(2.2, this.camera.scale / 5.5));
    const roomy = half >= 8;
    const dead = this.run.marks.deadSwitches(cycle);
    g.textAlign = "center";
    this.run.switches.forEach((place, s) => {
      const at = this.camera.toScreen(place);
      const list = entries[s];
      const frame = (size: number, colour: string, width: number) => {
        g.strokeStyle = colour;
        g.lineWidth = width;
        g.strokeRect(at.x - size, at.y - size, 2 * size, 2 * size);
      };
      g.fillStyle = look.back;
      g.fillRect(at.x - half, at.y - half, 2 * half, 2 * half);
      fill(g, at, half, list, look);
      if (list.length === 0) frame(half, look.faint, 1);
      else frame(half, look.ink, roomy ? 2 : 1.2);
      if (list.some((entry) => entry.serve !== 0n)) frame(half + 3, look.released, roomy ? 3 : 1.5);
      if (roomy) this.label(g, at, half, s, list, look.ink);
      if (dead.has(s)) {
        drawCross(g, at, half, look.dead);
        const beside = { x: at.x + half + 10, y: at.y - half };
        write(g, String(s), beside, "bold 12px sans-serif", look.dead);
      }
      if (picked && !picked.node && picked.id === s) drawHalo(g, at, half * 1.7, look.ink);
    });
  }

  /** The number of a switch and what it holds, in its box, and its name, as much as has room. */
  private label(g: Context, at: Point, half: number, s: number, list: Entry[], ink: string): void {
    const size = Math.max(8, Math.min(13, half * 0.8));
    const put = (text: string, down: number, font: string) =>
      write(g, text, { x: at.x, y: at.y + down }, `${font}px sans-serif`, ink);
    const most = this.several ? 4 : 1;
    const detailed = half >= 12 && list.length > 0 && list.length <= most;
    put(String(s), detailed ? -half * 0.35 : 0, `bold ${size}`);
    if (detailed) {
      const text = list.map((entry) => {
        const sent = entry.flags & FLAG.sent ? "^" : "";
        // Of several groups there is room for their letters alone, each over its own part.
        if (this.several) return `${letter(entry.group)}${sent}`;
        return `${bitsOf(entry.arrived).length}/${bitsOf(entry.children).length}${sent}`;
      });
      put(text.join(" "), half * 0.5, `${size * 0.8}`);
    }
    const name = this.run.data.network.switch_names[s];
    if (name === undefined || half < 12) return;
    const short = name.length > NAME ? `${name.slice(0, NAME - 1)}…` : name;
    put(short, half + size * 0.6, `${size * 0.75}`);
  }
}

function fill(g: Context, at: Point, half: number, list: Entry[], look: Colours): void {
  const width = (2 * half) / list.length;
  g.globalAlpha = 0.55;
  list.forEach((entry, i) => {
    const all = bitsOf(entry.children).length || 1;
    const height = (2 * half * bitsOf(entry.arrived & entry.children).length) / all;
    g.fillStyle = groupColour(look, entry.group);
    g.fillRect(at.x - half + i * width, at.y + half - height, width, height);
  });
  g.globalAlpha = 1;
}
