// SPDX-License-Identifier: Apache-2.0
import { button, choice, element, setText } from "./dom";
import type { LinkMode } from "./links";

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

export interface Wishes {
  event(forward: boolean): void;
  barrier(forward: boolean): void;
  mode(mode: LinkMode): void;
}

const SPEEDS = [0.5, 1, 2, 5, 10, 25, 50, 100, 250, 1000];

/** Buttons, slider and keys of the one clock. */
export class Controls {
  readonly root = element("div", { class: "controls", role: "toolbar", "aria-label": "Time" });
  private readonly play: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly number: HTMLInputElement;
  private readonly speed: HTMLSelectElement;

  constructor(
    private readonly clock: Clock,
    private readonly wishes: Wishes,
    networks: boolean,
  ) {
    const { first, last_cycle: last } = clock;
    const range = { min: String(first), max: String(last) };
    const play = { title: "Play or pause (space)", class: "play" };
    this.play = button("Play", () => clock.toggle(), play);
    const time = { type: "range", step: "1", "aria-label": "Cycle", class: "time" };
    this.slider = element("input", { ...range, ...time });
    this.slider.addEventListener("input", () => clock.stop(Number(this.slider.value)));
    const number = { type: "number", class: "cycle", "aria-label": "Cycle, as a number" };
    this.number = element("input", { ...range, ...number });
    this.number.addEventListener("change", () => clock.stop(Math.floor(Number(this.number.value))));
    this.speed = choice(
      { "aria-label": "Speed", class: "speed" },
      SPEEDS.map((speed) => [String(speed), `${speed} cycles/s`]),
      (speed) => (clock.speed = Number(speed)),
    );
    this.speed.value = String(clock.speed);
    const group = (...children: Node[]) => element("span", { class: "set" }, ...children);
    this.root.append(
      group(
        this.play,
        button("−1", () => clock.stop(clock.cycle - 1), { title: "One cycle back (left)" }),
        button("+1", () => clock.stop(clock.cycle + 1), { title: "One cycle on (right)" }),
      ),
      group(
        button("◂ event", () => wishes.event(false), { title: "Last event (p)" }),
        button("event ▸", () => wishes.event(true), { title: "Next event (n)" }),
        ...(networks ? this.barrierButtons() : []),
      ),
      this.slider,
      group(element("label", {}, "cycle ", this.number), this.speed),
    );
    if (networks) this.root.append(group(this.linkModes()));
    document.addEventListener("keydown", (e) => this.key(e));
  }

  private barrierButtons(): HTMLElement[] {
    const go = (forward: boolean) => () => this.wishes.barrier(forward);
    return [
      button("◂ barrier", go(false), { title: "Barrier before (b, or shift and left)" }),
      button("barrier ▸", go(true), { title: "Next barrier (f, or shift and right)" }),
    ];
  }
  private linkModes(): HTMLElement {
    const modes = [
      ["use", "links: use"],
      ["wait", "links: waiting"],
      ["none", "links: plain"],
    ] as const;
    return choice({ "aria-label": "What links show", class: "links" }, modes, (mode) =>
      this.wishes.mode(mode as LinkMode),
    );
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const on = e.target as HTMLElement;
    const typing = on.matches("input[type=text], input[type=number], textarea");
    if (typing || (on.matches("select") && e.key.startsWith("Arrow"))) return;
    if (e.key === " " && on.matches("button, input[type=checkbox], summary")) return;
    const { clock, wishes } = this;
    const actions: Record<string, () => void> = {
      " ": () => clock.toggle(),
      ArrowLeft: () => (e.shiftKey ? wishes.barrier(false) : clock.stop(clock.cycle - 1)),
      ArrowRight: () => (e.shiftKey ? wishes.barrier(true) : clock.stop(clock.cycle + 1)),
      n: () => wishes.event(true),
      p: () => wishes.event(false),
      f: () => wishes.barrier(true),
      b: () => wishes.barrier(false),
      Home: () => clock.stop(clock.first),
      End: () => clock.stop(clock.last_cycle),
      ArrowUp: () => this.faster(1),
      ArrowDown: () => this.faster(-1),
    };
    const action = actions[e.key];
    if (!action) return;
    e.preventDefault();
    action();
  }
  private faster(steps: number): void {
    const at = SPEEDS.indexOf(this.clock.speed) + steps;
    if (at < 0 || at >= SPEEDS.length) return;
    this.clock.speed = SPEEDS[at];
    this.speed.value = String(this.clock.speed);
  }

  show(): void {
    const cycle = String(this.clock.cycle);
    setText(this.play, this.clock.running ? "Pause" : "Play");
    this.slider.value = cycle;
    if (!this.clock.running || !this.number.matches(":focus-visible")) this.number.value = cycle;
  }
}
