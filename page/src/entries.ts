// SPDX-License-Identifier: Apache-2.0
import { countUpTo } from "./search";

/** Bits of `flags`, as in the data. */
export const FLAG = {
  sent: 1,
  root: 2,
  claimed: 4,
  failed: 8,
  suspect: 16,
  byName: 32,
  valid: 64,
} as const;

/** What a switch holds of one group. Masks have bit p for port p. */
export interface Entry {
  place: number;
  flags: number;
  group: number;
  parent: number;
  children: number;
  arrived: number;
  serve: number;
}

interface History {
  cycles: number[];
  entries: Entry[];
}

/** Barrier registers and status entries of all switches through time. */
export class Entries {
  private readonly histories: Map<number, History>[];

  constructor(rows: number[], switches: number) {
    this.histories = Array.from({ length: switches }, () => new Map<number, History>());
    let cycle = 0;
    for (let i = 0; i < rows.length;) {
      cycle += rows[i];
      const [sw, place, flags] = [rows[i + 1], rows[i + 2], rows[i + 3]];
      i += 4;
      const entry: Entry = {
        place,
        flags,
        group: -1,
        parent: 0,
        children: 0,
        arrived: 0,
        serve: 0,
      };
      if (flags !== 0) {
        entry.group = rows[i];
        entry.parent = rows[i + 1];
        entry.children = rows[i + 2];
        entry.arrived = rows[i + 3];
        entry.serve = rows[i + 4];
        i += 5;
      }
      let history = this.histories[sw].get(place);
      if (!history) this.histories[sw].set(place, (history = { cycles: [], entries: [] }));
      history.cycles.push(cycle);
      history.entries.push(entry);
    }
  }

  forEach(see: (group: number, cycle: number) => void): void {
    for (const places of this.histories)
      for (const history of places.values())
        history.cycles.forEach((cycle, i) => see(history.entries[i].group, cycle));
  }

  /** In use at a cycle, ascending by place. */
  at(sw: number, cycle: number): Entry[] {
    const found: Entry[] = [];
    for (const history of this.histories[sw].values()) {
      const count = countUpTo(history.cycles, cycle);
      if (count > 0 && history.entries[count - 1].flags !== 0)
        found.push(history.entries[count - 1]);
    }
    return found.sort((a, b) => a.place - b.place);
  }

  ofGroup(sw: number, group: number, cycle: number): Entry | undefined {
    return this.at(sw, cycle).find((entry) => entry.group === group);
  }
}

/** The ports of a mask, ascending. */
export function portsOf(mask: number): number[] {
  const ports: number[] = [];
  for (let p = 0; p < 16; p++) if ((mask >> p) & 1) ports.push(p);
  return ports;
}
