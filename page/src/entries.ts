// SPDX-License-Identifier: Apache-2.0
import { Held, Places } from "./places";

/** Bits of `flags`, as in the data. */
export const FLAG = {
  sent: 1,
  root: 2,
  claimed: 4,
  failed: 8,
  suspect: 16,
  byName: 32,
  valid: 64,
  memory: 128,
} as const;

/** What a switch holds of one group. Masks have bit p for port p. */
export interface Entry extends Held {
  parent: number;
  children: number;
  arrived: number;
  serve: number;
}

/** Barrier registers, groups in memory and status entries of all switches through time. */
export class Entries extends Places<Entry> {
  constructor(rows: number[], switches: number) {
    super(switches);
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
      this.add(sw, cycle, entry);
    }
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
