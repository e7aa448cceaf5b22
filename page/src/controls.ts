// SPDX-License-Identifier: Apache-2.0
import type { Clock } from "./clock";
import { element, setText } from "./dom";
import type { LinkMode } from "./links";

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
    this.play = this.button("Play", "Play or pause (space)", () => clock.toggle());
    this.play.classList.add("play");
    this.slider = element("input", {
      type: "range",
      min: String(first),
      max: String(last),
      step: "1",
      "aria-label": "Cycle",
      class: "time",
    });
    this.slider.addEventListener("input", () => clock.stop(Number(this.slider.value)));
    this.number = element("input", {
      type: "number",
      min: String(first),
      max: String(last),
      class: "cycle",
      "aria-label": "Cycle, as a number",
    });
    this.number.addEventListener("change", () => clock.stop(Math.floor(Number(this.number.value))));
    this.speed = element("select", { "aria-label": "Speed", class: "speed" });
    for (const speed of SPEEDS)
      this.speed.append(element("option", { value: String(speed) }, `${speed} cycles/s`));
    this.speed.value = String(clock.speed);
    this.speed.addEventListener("change", () => (clock.speed = Number(this.speed.value)));
    const group = (...children: Node[]) => element("span", { class: "set" }, ...children);
    this.root.append(
      group(
        this.play,
        this.button("−1", "One cycle back (left)", () => clock.stop(clock.cycle - 1)),
        this.button("+1", "One cycle on (right)", () => clock.stop(clock.cycle + 1)),
      ),
      group(
        this.button("◂ event", "Last event (p)", () => wishes.event(false)),
        this.button("event ▸", "Next event (n)", () => wishes.event(true)),
        ...(networks ? this.barrierButtons() : []),
      ),
      this.slider,
      group(element("label", {}, "cycle ", this.number), this.speed),
    );
    if (networks) this.root.append(group(this.linkModes()));
    document.addEventListener("keydown", (e) => this.key(e));
  }

  private button(text: string, title: string, act: () => void): HTMLButtonElement {
    const made = element("button", { type: "button", title }, text);
    made.addEventListener("click", act);
    return made;
  }
  private barrierButtons(): HTMLElement[] {
    const go = (forward: boolean) => () => this.wishes.barrier(forward);
    return [
      this.button("◂ barrier", "Barrier before (b, or shift and left)", go(false)),
      this.button("barrier ▸", "Next barrier (f, or shift and right)", go(true)),
    ];
  }
  private linkModes(): HTMLElement {
    const made = element("select", { "aria-label": "What links show", class: "links" });
    const modes: [LinkMode, string][] = [
      ["use", "links: use"],
      ["wait", "links: waiting"],
      ["none", "links: plain"],
    ];
    for (const [mode, text] of modes) made.append(element("option", { value: mode }, text));
    made.addEventListener("change", () => this.wishes.mode(made.value as LinkMode));
    return made;
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
    if (document.activeElement !== this.number || !this.number.matches(":focus-visible"))
      this.number.value = cycle;
    else if (!this.clock.running) this.number.value = cycle;
  }
}
