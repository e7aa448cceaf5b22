// SPDX-License-Identifier: Apache-2.0
// What switches and network interfaces hold of groups, through time.
import { countUpTo } from "./series";

/** What stands in a place of a switch or node: nothing if its flags are 0. */
export interface Held {
  place: number;
  flags: number;
  group: number;
}

interface History<T> {
  cycles: number[];
  held: T[];
}

/** What the places of some owners, switches or nodes, hold through time. */
export class Places<T extends Held> {
  private readonly histories: Map<number, History<T>>[];

  /** Rows [cycles since the last, owner, place, flags, and unless these are 0 `fields` and both
   * words of each of `masks`, low bits first]. */
  constructor(
    rows: number[],
    owners: number,
    fields: readonly (keyof T)[],
    masks: readonly (keyof T)[] = [],
  ) {
    this.histories = Array.from({ length: owners }, () => new Map<number, History<T>>());
    let cycle = 0;
    for (let i = 0; i < rows.length;) {
      cycle += rows[i];
      const [owner, place, flags] = rows.slice(i + 1, i + 4);
      i += 4;
      const next = () => (flags === 0 ? 0 : rows[i++]);
      const numbers = fields.map((name) => [name, next()] as const);
      const sets = masks.map((name) => [name, BigInt(next()) | (BigInt(next()) << 32n)] as const);
      const held = {
        place,
        flags,
        ...Object.fromEntries<number | bigint>([...numbers, ...sets]),
      } as T;
      if (flags === 0) held.group = -1;
      let history = this.histories[owner].get(place);
      if (!history) this.histories[owner].set(place, (history = { cycles: [], held: [] }));
      history.cycles.push(cycle);
      history.held.push(held);
    }
  }

  forEach(see: (group: number, cycle: number) => void): void {
    for (const places of this.histories)
      for (const history of places.values())
        history.cycles.forEach((cycle, i) => see(history.held[i].group, cycle));
  }

  /** In use at a cycle, ascending by place. */
  at(owner: number, cycle: number): T[] {
    const found: T[] = [];
    for (const history of this.histories[owner].values()) {
      const count = countUpTo(history.cycles, cycle);
      if (count > 0 && history.held[count - 1].flags !== 0) found.push(history.held[count - 1]);
    }
    return found.sort((a, b) => a.place - b.place);
  }
}

/** Bits of an entry's `flags`, as in the data. */
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

/** A barrier register, group in memory or status entry of a switch. Masks have bit p for port p. */
export interface Entry extends Held {
  parent: number;
  children: bigint;
  arrived: bigint;
  serve: bigint;
}
export const ENTRY = ["group", "parent"] as const;
export const ENTRY_MASKS = ["children", "arrived", "serve"] as const;

/** Bits of a context's `flags`, as in the data. */
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
export const NODE_CONTEXT = ["group", "phase", "number", "entry", "received", "sent"] as const;

/** The numbers of the bits of a mask, ascending. */
export function bitsOf(mask: bigint): number[] {
  const bits: number[] = [];
  for (let bit = 0; mask !== 0n; bit++, mask >>= 1n) if (mask & 1n) bits.push(bit);
  return bits;
}
