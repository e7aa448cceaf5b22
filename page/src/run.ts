// SPDX-License-Identifier: Apache-2.0
// One run of barriers on a network, and what is known of it at any cycle. It knows no screen.
import type { NetworkData } from "./format";
import { Entry, ENTRY, ENTRY_MASKS, NODE_CONTEXT, NodeContext, Places } from "./held";
import { Marks } from "./marks";
import { Members } from "./members";
import { Messages } from "./messages";
import { first, nearest } from "./series";

export interface Point {
  x: number;
  y: number;
}

/** One direction of a link, as the channels of a layout are numbered. */
export interface Channel {
  from: Point;
  to: Point;
  /** A switch, or a node if `fromNode`. */
  fromId: number;
  toId: number;
  fromNode: boolean;
  toNode: boolean;
}

/** What is plugged into a port of a switch. */
export interface Peer {
  node: boolean;
  id: number;
  port: number;
}

export interface Barrier {
  group: number;
  number: number;
  latency: number;
  failed: boolean;
  firstArrival: number;
  lastRelease: number;
}

export class Run {
  readonly switches: Point[];
  readonly nodes: (Point & { at: number; port: number })[];
  readonly channels: Channel[] = [];
  readonly messages: Messages;
  readonly members: Members;
  readonly entries: Places<Entry>;
  readonly contexts: Places<NodeContext>;
  readonly marks: Marks;
  readonly barriers: Barrier[];
  /** Cycles in which anything happens, ascending, by group; the last list is of no group. */
  readonly events: Float64Array[];
  private readonly peers: Map<number, Peer>[];

  constructor(readonly data: NetworkData) {
    const { network } = data;
    this.switches = network.switches.map(([x, y]) => ({ x: x / 100, y: y / 100 }));
    this.nodes = network.nodes.map(([x, y, at, port]) => ({ x: x / 100, y: y / 100, at, port }));
    this.peers = network.switches.map(() => new Map<number, Peer>());
    for (const [a, aPort, b, bPort] of network.links) {
      this.peers[a].set(aPort, { node: false, id: b, port: bPort });
      this.peers[b].set(bPort, { node: false, id: a, port: aPort });
      this.addLink(this.switches[a], a, false, this.switches[b], b);
    }
    this.nodes.forEach((node, n) => {
      this.peers[node.at].set(node.port, { node: true, id: n, port: 0 });
      this.addLink(node, n, true, this.switches[node.at], node.at);
    });
    this.messages = new Messages(data.messages);
    this.members = new Members(data.members, data.groups);
    this.entries = new Places<Entry>(data.entries, network.switches.length, ENTRY, ENTRY_MASKS);
    this.contexts = new Places<NodeContext>(data.contexts, network.nodes.length, NODE_CONTEXT);
    this.marks = new Marks(data.marks);
    this.barriers = data.barriers.map(([group, number, latency, failed]) => ({
      group,
      number,
      latency,
      failed: failed !== 0,
      ...this.members.times(group, number),
    }));
    this.events = this.findEvents();
  }

  /** Both directions of a link, whose first end is a node or not. */
  private addLink(a: Point, aId: number, node: boolean, b: Point, bId: number): void {
    this.channels.push(
      { from: a, to: b, fromId: aId, toId: bId, fromNode: node, toNode: false },
      { from: b, to: a, fromId: bId, toId: aId, fromNode: false, toNode: node },
    );
  }

  private findEvents(): Float64Array[] {
    const { from, to, groups } = this.data;
    const lists = Array.from({ length: groups.length + 1 }, () => new Set<number>());
    const add = (group: number, cycle: number) => {
      if (cycle >= from && cycle < to) (lists[group] ?? lists[groups.length]).add(cycle);
    };
    for (const { group, start } of this.messages.all) add(group, start);
    this.members.forEach((group, cycle) => add(group, cycle));
    this.entries.forEach((group, cycle) => add(group, cycle));
    this.marks.forEach((cycle) => add(-1, cycle));
    return lists.map((set) => Float64Array.from(set).sort());
  }

  peer(sw: number, port: number): Peer | undefined {
    return this.peers[sw].get(port);
  }
  /** The ports of a switch that have a peer, ascending. */
  ports(sw: number): number[] {
    return [...this.peers[sw].keys()].sort((a, b) => a - b);
  }

  /** The first cycle after `cycle`, or the last before, in which these groups have an event. */
  event(cycle: number, forward: boolean, shown: (group: number) => boolean): number | null {
    return first(
      forward,
      this.events.map((list, group) =>
        group === this.data.groups.length || shown(group) ? nearest(list, cycle, forward) : null,
      ),
    );
  }

  /** The barrier of a group that a cycle belongs to: the first that not all had left before it. */
  barrierAt(group: number, cycle: number): Barrier | undefined {
    const number = this.members.current(group, cycle - 1);
    return this.barriers.find((b) => b.group === group && b.number === number);
  }
}
