// SPDX-License-Identifier: Apache-2.0

/** The one time of the page, and how it passes. */
export class Clock {
  time: number;
  running = false;
  /** Cycles a second. */
  speed = 10;
  private last = 0;

  constructor(
    readonly first: number,
    readonly last_cycle: number,
    private readonly changed: () => void,
  ) {
    this.time = first;
  }

  get cycle(): number {
    return Math.floor(this.time);
  }

  go(time: number): void {
    this.time = Math.min(this.last_cycle, Math.max(this.first, time));
    this.changed();
  }
  /** A whole cycle, standing. */
  stop(at = this.cycle): void {
    this.running = false;
    this.go(at);
  }
  toggle(): void {
    if (!this.running && this.cycle >= this.last_cycle) this.time = this.first;
    this.running = !this.running;
    this.last = 0;
    if (!this.running) this.time = this.cycle;
    this.changed();
  }

  /** A frame of the browser, at its time in milliseconds. */
  frame(now: number): void {
    if (!this.running) return;
    // A tab that was hidden goes on where it was.
    const passed = this.last === 0 ? 0 : Math.min(250, now - this.last);
    this.last = now;
    const time = this.time + (passed / 1000) * this.speed;
    if (time >= this.last_cycle) return this.stop(this.last_cycle);
    this.go(time);
  }
}
