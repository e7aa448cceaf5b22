// SPDX-License-Identifier: Apache-2.0
import { Held, Places } from "./places";

/** Bits of `flags`, as in the data. */
export const CONTEXT = { valid: 1, events: 2, direct: 4 } as const;

/** In the order of the data. */
export const PHASES = [
  "idle",
  "running",
  "failed: the peer that it waits for is silent",
  "draining: it is released and still answers",
] as const;

/** What the network interface of a node holds of one group. Masks have bit e for entry e. */
export interface NodeContext extends Held {
  phase: number;
  /** Low 8 bits of the number of the barrier that it is in, or begins next. */
  number: number;
  entry: number;
  received: number;
  sent: number;
}

/** The contexts of all network interfaces through time. */
export class Contexts extends Places<NodeContext> {
  constructor(rows: number[], nodes: number) {
    super(nodes);
    let cycle = 0;
    for (let i = 0; i < rows.length;) {
      cycle += rows[i];
      const [node, place, flags] = [rows[i + 1], rows[i + 2], rows[i + 3]];
      i += 4;
      let context = {
        place,
        flags,
        group: -1,
        phase: 0,
        number: 0,
        entry: 0,
        received: 0,
        sent: 0,
      };
      if (flags !== 0) {
        const [group, phase, number, entry, received, sent] = rows.slice(i, i + 6);
        context = { place, flags, group, phase, number, entry, received, sent };
        i += 6;
      }
      this.add(node, cycle, context);
    }
  }
}

/** The entries of a mask, ascending. */
export function entriesOf(mask: number): number[] {
  const entries: number[] = [];
  for (let e = 0; e < 32; e++) if ((mask >>> e) & 1) entries.push(e);
  return entries;
}
