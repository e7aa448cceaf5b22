// SPDX-License-Identifier: Apache-2.0
import { countUpTo } from "./search";

/** What stands in a place: nothing if its flags are 0. */
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

  constructor(owners: number) {
    this.histories = Array.from({ length: owners }, () => new Map<number, History<T>>());
  }

  /** From this cycle on, which is not before the last. */
  protected add(owner: number, cycle: number, held: T): void {
    let history = this.histories[owner].get(held.place);
    if (!history) this.histories[owner].set(held.place, (history = { cycles: [], held: [] }));
    history.cycles.push(cycle);
    history.held.push(held);
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
