// SPDX-License-Identifier: Apache-2.0
import { countUpTo, indicesOf, rowsOf } from "./series";

/** Kinds of messages, in the order of the data. */
export const KINDS = [
  { name: "reduction", plural: "reductions", shape: "up" },
  { name: "distribution", plural: "distributions", shape: "down" },
  { name: "acknowledgement", plural: "acknowledgements", shape: "ring" },
  { name: "tree building", plural: "tree building", shape: "star" },
  { name: "set-up packet", plural: "set-up packets", shape: "square" },
  { name: "spill message", plural: "spill messages", shape: "hexagon" },
  { name: "step", plural: "steps", shape: "diamond" },
  { name: "request to repeat", plural: "requests to repeat", shape: "cross" },
] as const;
export type Shape = (typeof KINDS)[number]["shape"];

/** A barrier message on a channel. */
export interface Message {
  start: number;
  channel: number;
  kind: number;
  /** -1: it does not say. */
  group: number;
  /** 0: it has not arrived. */
  duration: number;
}

export class Messages {
  /** Ascending by start. */
  readonly all: Message[];
  private readonly starts: number[];
  private readonly longest: number;

  constructor(rows: number[]) {
    this.all = Array.from(rowsOf(rows, 5), ([start, channel, kind, group, duration]) => {
      return { start, channel, kind, group: group - 1, duration };
    });
    this.starts = this.all.map(({ start }) => start);
    this.longest = this.all.reduce((most, { duration }) => Math.max(most, duration), 1);
  }

  /** Those on their way at a time, which may lie between two cycles. */
  at(time: number): Message[] {
    const [from, to] = [time - this.longest, time].map((end) => countUpTo(this.starts, end));
    const begun = this.all.slice(from, to);
    return begun.filter(({ start, duration }) => time < start + Math.max(1, duration));
  }

  /** Those whose first flit is on the wires in this cycle. */
  beginning(cycle: number): Message[] {
    return indicesOf(this.starts, cycle).map((i) => this.all[i]);
  }
}

/** How far a message is on its channel, 0 to 1. One that is lost gets half the way. */
export function progress({ start, duration }: Message, time: number): number {
  return (time - start) / (duration || 2);
}
