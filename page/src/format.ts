// SPDX-License-Identifier: Apache-2.0
// The data of a page as they are written: docs/reference/formats.md, The page.

interface Common {
  schema: string;
  title: string;
  command: string;
  version: string;
  seed: number;
  /** Cycles that are recorded. */
  from: number;
  to: number;
}

/** A network of switches: one run. */
export interface NetworkData extends Common {
  kind: "network";
  engine: string;
  scheme: string;
  clock_ns: number;
  cycles: number;
  violations: string[];
  deaths: string[];
  wave: string[];
  wave_nodes: boolean;
  network: {
    drawn: string;
    switches: [number, number, number][];
    nodes: [number, number, number, number, number][];
    links: [number, number, number, number, number][];
    /** By number, of those that have a name in the network's file. */
    switch_names: Record<string, string>;
    node_names: Record<string, string>;
  };
  groups: { name: string; members: number[] }[];
  barriers: [number, number, number, number][];
  use: { window: number; flits: string[]; waits: string[]; pads: string[] };
  messages: number[];
  members: number[];
  entries: number[];
  contexts: number[];
  marks: number[];
}

/** An Extra Stage Cube: one session. */
export interface EscData extends Common {
  kind: "esc";
  policy: string;
  pes: number;
  box: number;
  depth: number;
  /** By column; `digits` is the digit of a link's number that its boxes exchange. */
  stages: number[];
  digits: number[];
  /** Coordinators of the groups. */
  hot: number[];
  /** The first cycle of the active session, and its length. */
  active: number;
  length: number;
  /** Rows [cycles since the last, stage index * pes + link, packets]. */
  occupancy: number[];
}

export type PageData = NetworkData | EscData;

const SCHEMA = "muster-page-2";

/** What one data element of the page holds. Throws if it is none. */
export async function decode(base64: string): Promise<PageData> {
  const bytes = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const data = JSON.parse(await new Response(stream).text()) as PageData;
  if (data.schema !== SCHEMA) throw new Error(`the data are ${data.schema}, not ${SCHEMA}`);
  return data;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Uint8Array(128);
for (let i = 0; i < DIGITS.length; i++) VALUES[DIGITS.charCodeAt(i)] = i;

/** The count that a digit of `use` says; 0 where zeros were left out. */
export function countAt(digits: string, window: number): number {
  return window < digits.length ? VALUES[digits.charCodeAt(window)] : 0;
}
