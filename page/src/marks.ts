// SPDX-License-Identifier: Apache-2.0
// What happens to channels, links and blocks beside messages.
import { countUpTo, indicesOf, rowsOf } from "./series";

/** In the order of the data. */
const enum Mark {
  Cut,
  Uncut,
  Resent,
  EndDown,
  LinkDead,
  SwitchDead,
  NodeDead,
  SwitchReset,
}

/** How long a frame that was sent again is shown, cycles. */
const SHOWN = 16;

/** Names of what marks are at. */
interface Namer {
  channel(id: number): string;
  ofSwitch(id: number): string;
  ofNode(id: number): string;
}

/** A mark as text. */
const WORDS: Record<Mark, (id: number, name: Namer) => string> = {
  [Mark.Cut]: (id, name) =>
    `channel ${id & 3} of ${name.channel(id >> 2)} is cut for barrier messages`,
  [Mark.Uncut]: (id, name) =>
    `channel ${id & 3} of ${name.channel(id >> 2)} is handed back to data`,
  [Mark.Resent]: (id, name) => `${name.channel(id)}: frames are sent again`,
  [Mark.EndDown]: (id, name) => `${name.channel(id)}: the link end has gone down`,
  [Mark.LinkDead]: (id, name) => `the link ${name.channel(2 * id)} is dead`,
  [Mark.SwitchDead]: (id, name) => `${name.ofSwitch(id)} is dead`,
  [Mark.NodeDead]: (id, name) => `node ${name.ofNode(id)} is dead`,
  [Mark.SwitchReset]: (id, name) => `${name.ofSwitch(id)} is reset`,
};

interface Cut {
  channel: number;
  vc: number;
  begin: number;
  end: number;
}

export class Marks {
  private readonly cycles: number[] = [];
  private readonly marks: { what: Mark; id: number }[] = [];
  private readonly cuts: Cut[] = [];

  constructor(rows: number[]) {
    const open = new Map<number, Cut>();
    for (const [cycle, what, id] of rowsOf(rows, 3)) {
      this.cycles.push(cycle);
      this.marks.push({ what, id });
      if (what === Mark.Cut) {
        const cut = { channel: id >> 2, vc: id & 3, begin: cycle, end: Infinity };
        this.cuts.push(cut);
        open.set(id, cut);
      } else if (what === Mark.Uncut) {
        const cut = open.get(id);
        if (cut) cut.end = cycle;
        open.delete(id);
      }
    }
  }

  forEach(see: (cycle: number) => void): void {
    this.cycles.forEach(see);
  }

  /** Channels of data that are cut for barrier messages. */
  cutAt(cycle: number): { channel: number; vc: number }[] {
    return this.cuts.filter((cut) => cut.begin <= cycle && cycle < cut.end);
  }

  /** Channels on which a frame has been sent again lately. */
  resentAt(cycle: number): number[] {
    return this.idsOf(Mark.Resent, cycle - SHOWN, cycle);
  }

  /** Of marks after one cycle and up to another one. */
  private idsOf(kind: Mark, after: number, until: number): number[] {
    const [from, to] = [after, until].map((cycle) => countUpTo(this.cycles, cycle));
    const marks = this.marks.slice(from, to).filter(({ what }) => what === kind);
    return marks.map(({ id }) => id);
  }
  private everSince(kind: Mark, cycle: number): Set<number> {
    return new Set(this.idsOf(kind, -Infinity, cycle));
  }
  /** Halves of channels of links that are dead. */
  deadLinks(cycle: number): Set<number> {
    const dead = this.everSince(Mark.LinkDead, cycle);
    for (const channel of this.everSince(Mark.EndDown, cycle)) dead.add(channel >> 1);
    return dead;
  }
  deadSwitches(cycle: number): Set<number> {
    return this.everSince(Mark.SwitchDead, cycle);
  }
  deadNodes(cycle: number): Set<number> {
    return this.everSince(Mark.NodeDead, cycle);
  }

  /** What happens in exactly this cycle, as text. */
  words(cycle: number, name: Namer): string[] {
    const marks = indicesOf(this.cycles, cycle).map((i) => this.marks[i]);
    return marks.map(({ what, id }) => WORDS[what](id, name));
  }
}
