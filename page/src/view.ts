// SPDX-License-Identifier: Apache-2.0
import type { LinkMode } from "./links";

/** What one run shows, whatever it is a run of. */
export interface View {
  readonly root: HTMLElement;
  readonly first: number;
  readonly last: number;
  draw(time: number, now: number, running: boolean): void;
  recolour(): void;
  setMode(mode: LinkMode): void;
  /** The next or last cycle in which anything happens. */
  event(cycle: number, forward: boolean): number | null;
  /** Likewise with a barrier's first arrival. */
  barrier(cycle: number, forward: boolean): number | null;
}
