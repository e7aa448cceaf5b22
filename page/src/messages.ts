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

/** Barrier messages on channels, ascending by start. */
export class Messages {
  readonly start: Float64Array;
  readonly channel: Uint32Array;
  readonly kind: Uint8Array;
  /** -1: it does not say. */
  readonly group: Int32Array;
  /** 0: it has not arrived. */
  readonly duration: Uint32Array;
  private longest = 1;

  constructor(rows: number[]) {
    const count = rows.length / 5;
    this.start = new Float64Array(count);
    this.channel = new Uint32Array(count);
    this.kind = new Uint8Array(count);
    this.group = new Int32Array(count);
    this.duration = new Uint32Array(count);
    let i = 0;
    for (const [cycle, channel, kind, group, duration] of rowsOf(rows, 5)) {
      this.start[i] = cycle;
      this.channel[i] = channel;
      this.kind[i] = kind;
      this.group[i] = group - 1;
      this.duration[i++] = duration;
      this.longest = Math.max(this.longest, duration);
    }
  }

  forEach(see: (i: number) => void): void {
    for (let i = 0; i < this.start.length; i++) see(i);
  }

  /** Those on their way at a time, which may lie between two cycles. */
  at(time: number): number[] {
    const found: number[] = [];
    for (let i = countUpTo(this.start, time - this.longest); i < this.start.length; i++) {
      if (this.start[i] > time) break;
      if (time < this.start[i] + Math.max(1, this.duration[i])) found.push(i);
    }
    return found;
  }

  /** How far it is on its channel, 0 to 1. One that is lost gets half the way. */
  progress(i: number, time: number): number {
    if (this.duration[i] === 0) return (time - this.start[i]) / 2;
    return (time - this.start[i]) / this.duration[i];
  }

  /** Those whose first flit is on the wires in this cycle. */
  beginning(cycle: number): number[] {
    return indicesOf(this.start, cycle);
  }
}
