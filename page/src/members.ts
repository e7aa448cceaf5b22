// SPDX-License-Identifier: Apache-2.0
import { countUpTo, indicesOf, rowsOf } from "./series";

export type MemberState = "missing" | "arrived" | "released";

interface Member {
  node: number;
  arrivals: number[];
  releases: number[];
}

/** Arrivals and releases of all members of all groups. */
export class Members {
  private readonly groups: Member[][];
  /** By group: what current() has said last, since many ask for the same cycle. */
  private readonly last: { cycle: number; number: number }[] = [];

  constructor(rows: number[], groups: { members: number[] }[]) {
    this.groups = groups.map((group) =>
      group.members.map((node) => ({ node, arrivals: [], releases: [] })),
    );
    for (const [cycle, group, what] of rowsOf(rows, 3)) {
      const members = this.groups[group];
      const place = what >> 1;
      // A node that has joined the group has a place behind the first members.
      while (members.length <= place) members.push({ node: -1, arrivals: [], releases: [] });
      (what & 1 ? members[place].releases : members[place].arrivals).push(cycle);
    }
  }

  forEach(see: (group: number, cycle: number) => void): void {
    this.groups.forEach((members, group) => {
      for (const member of members) {
        for (const cycle of member.arrivals) see(group, cycle);
        for (const cycle of member.releases) see(group, cycle);
      }
    });
  }

  of(group: number): readonly Member[] {
    return this.groups[group];
  }

  /** Barriers that all members have left by the end of a cycle: the number of the next. */
  current(group: number, cycle: number): number {
    const known = this.last[group];
    if (known?.cycle === cycle) return known.number;
    const least = Math.min(...this.groups[group].map((m) => countUpTo(m.releases, cycle)));
    this.last[group] = { cycle, number: least };
    return least;
  }

  /** What a member does at the barrier that its group is in at this cycle. */
  state(group: number, place: number, barrier: number, cycle: number): MemberState {
    const member = this.groups[group][place];
    if (countUpTo(member.releases, cycle) > barrier) return "released";
    return countUpTo(member.arrivals, cycle) > barrier ? "arrived" : "missing";
  }

  /** Places of the members in each state at the barrier that the group is in. */
  states(group: number, barrier: number, cycle: number): Record<MemberState, number[]> {
    const places: Record<MemberState, number[]> = { missing: [], arrived: [], released: [] };
    this.groups[group].forEach((_, place) =>
      places[this.state(group, place, barrier, cycle)].push(place),
    );
    return places;
  }

  /** Who arrives, or goes on, in exactly this cycle. */
  happening(group: number, cycle: number, released: boolean): number[] {
    return this.groups[group].flatMap((member, place) =>
      indicesOf(released ? member.releases : member.arrivals, cycle).map(() => place),
    );
  }

  /** The member that came last to a barrier, and for how many cycles after the others; undefined if
   * several came then, or one has not come. */
  lastAlone(group: number, barrier: number): { place: number; cycles: number } | undefined {
    const arrivals = this.groups[group].map((member) => member.arrivals[barrier] ?? Infinity);
    const last = Math.max(...arrivals);
    const place = arrivals.indexOf(last);
    const cycles = last - Math.max(...arrivals.filter((_, other) => other !== place));
    return Number.isFinite(last) && cycles > 0 ? { place, cycles } : undefined;
  }

  /** First arrival at a barrier, and the last release from it. */
  times(group: number, barrier: number) {
    const at = (list: "arrivals" | "releases") =>
      this.groups[group].map((member) => member[list][barrier]).filter((c) => c !== undefined);
    return {
      firstArrival: Math.min(...at("arrivals")),
      lastRelease: Math.max(0, ...at("releases")),
    };
  }
}
