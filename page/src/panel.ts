// SPDX-License-Identifier: Apache-2.0
// What stands beside the drawing of one run: who is missing, what a switch holds, what happens.
import { button, CommandBox, element, items, quoted, setText } from "./dom";
import type { Picked } from "./draw";
import { Histogram } from "./histogram";
import { KINDS } from "./messages";
import type { Barrier, Run } from "./run";
import { sample } from "./legend";
import {
  contextWords,
  entryWords,
  groupName,
  happenings,
  HeldWords,
  letter,
  nodeName,
  portName,
  switchName,
  whoIsMissing,
  whoWasLast,
} from "./words";

/** Barriers in the list, and lines of what happens, at most. */
const LISTED = 5000;
const LINES = 14;

/** A title and its lines. */
function heldElements({ title, lines }: HeldWords): HTMLElement[] {
  return [element("p", { class: "entry" }, title), element("ul", {}, ...items(lines))];
}

export class Panel {
  readonly root = element("section", { class: "panel" });
  private readonly hidden = new Set<number>();
  private readonly missing: HTMLElement[] = [];
  private readonly counts = element("p", { class: "counts" });
  private readonly now = element("ul", { class: "now" });
  private readonly pickedBox = element("div", { class: "picked", "aria-live": "polite" });
  private readonly list = element("select", { class: "barriers", size: "7" });
  private readonly histogram: Histogram;
  private readonly wave = new CommandBox("the waveform at this cycle");
  private readonly time = element("b", { class: "at" });
  private readonly latency = element("p", { class: "latency" });

  constructor(
    private readonly run: Run,
    go: (cycle: number) => void,
    private readonly changed: () => void,
  ) {
    const { data } = run;
    this.histogram = new Histogram(run.barriers, `Barriers by latency: ${run.barriers.length}`);
    this.list.setAttribute("aria-label", "Barriers");
    this.fillList();
    this.list.addEventListener("change", () => {
      const barrier = run.barriers[Number(this.list.value)];
      if (barrier) go(barrier.firstArrival);
    });
    this.root.append(
      element("h3", {}, "Who is missing in cycle ", this.time),
      this.groupRows(),
      this.counts,
      element("h3", {}, "Who was last, while all others waited"),
      element("div", { class: "groups" }, ...this.lastRows()),
      element("h3", {}, "A switch or node"),
      this.pickedBox,
      element("h3", {}, "In this cycle"),
      this.now,
      element("h3", {}, "Latency"),
      this.latency,
      this.histogram.root,
      this.list,
      element("h3", {}, "Waveform at this cycle"),
      ...(data.wave.length > 0
        ? [this.wave.root]
        : [element("p", {}, "The switches of this run have no RTL.")]),
      element("h3", {}, "Command of this run"),
      new CommandBox("the command of this run", data.command).root,
    );
    if (data.deaths.length > 0)
      this.root.prepend(
        element("h3", {}, "What died"),
        element("ul", { class: "deaths" }, ...items(data.deaths)),
      );
    if (data.violations.length > 0)
      this.root.prepend(
        element("p", { class: "violation" }, "The run was ended: " + data.violations.join("; ")),
      );
  }

  shown = (group: number): boolean => !this.hidden.has(group);
  private setShown(group: number, on: boolean): void {
    if (on) this.hidden.delete(group);
    else this.hidden.add(group);
  }

  private groupRows(): HTMLElement {
    const rows = element("div", { class: "groups" });
    this.run.data.groups.forEach((_, group) => {
      const box = element("input", { type: "checkbox", "data-group": String(group) });
      box.checked = true;
      box.addEventListener("change", () => {
        this.setShown(group, box.checked);
        this.changed();
      });
      const text = element("span", { "data-missing": String(group) });
      this.missing.push(text);
      const label = element("label", {}, box, sample(group), ` ${groupName(this.run, group)}`);
      rows.append(element("p", {}, label, ": ", text));
    });
    if (this.missing.length > 1) {
      const set = (on: boolean) => () => {
        rows.querySelectorAll<HTMLInputElement>("input").forEach((box, group) => {
          box.checked = on;
          this.setShown(group, on);
        });
        this.changed();
      };
      const buttons = [button("All groups", set(true)), button("None", set(false))];
      rows.prepend(element("p", { class: "buttons" }, ...buttons));
    }
    return rows;
  }

  private lastRows(): HTMLElement[] {
    return this.run.data.groups.flatMap((_, group) => [
      element("p", {}, sample(group), ` ${groupName(this.run, group)}`),
      element("ul", { "data-last": String(group) }, ...items(whoWasLast(this.run, group))),
    ]);
  }

  private fillList(): void {
    const several = this.run.data.groups.length > 1;
    const { from, to } = this.run.data;
    const order = this.run.barriers.map((b, i) => [b, i] as const);
    order.sort(([a], [b]) => a.firstArrival - b.firstArrival);
    for (const [b, i] of order.slice(0, LISTED)) {
      const of = several ? `group ${letter(b.group)}, ` : "";
      const text =
        `${of}barrier ${b.number}: cycles ${b.firstArrival} to ${b.lastRelease}, ` +
        (b.failed ? "failed" : `latency ${b.latency}`);
      const option = element("option", { value: String(i) }, text);
      option.disabled = b.firstArrival < from || b.firstArrival >= to;
      this.list.append(option);
    }
  }

  show(cycle: number, picked: Picked | null): void {
    const { run } = this;
    setText(this.time, String(cycle));
    run.data.groups.forEach((_, group) => {
      const shown = this.shown(group);
      setText(this.missing[group], shown ? whoIsMissing(run, group, cycle) : "not shown");
      this.missing[group].title = shown ? whoIsMissing(run, group, cycle, Infinity) : "";
    });
    this.showCounts(cycle);
    this.showNow(cycle);
    this.showPicked(cycle, picked);
    this.showBarriers(cycle);
    if (run.data.wave.length > 0) this.wave.set(this.waveCommand(cycle, picked));
  }

  private showCounts(cycle: number): void {
    const counts = new Array<number>(KINDS.length).fill(0);
    for (const { group, kind } of this.run.messages.at(cycle))
      if (group < 0 || this.shown(group)) counts[kind]++;
    const parts = counts.flatMap((n, kind) =>
      n === 0 ? [] : [`${n} ${n === 1 ? KINDS[kind].name : KINDS[kind].plural}`],
    );
    const cuts = this.run.marks.cutAt(cycle).length;
    if (cuts > 0) parts.push(`${cuts} ${cuts === 1 ? "channel" : "channels"} cut`);
    setText(this.counts, `On the wires: ${parts.join(", ") || "no barrier message"}.`);
  }

  private showNow(cycle: number): void {
    const lines = happenings(this.run, cycle, this.shown);
    const shown = lines.slice(0, LINES);
    if (lines.length > LINES) shown.push(`and ${lines.length - LINES} more`);
    if (shown.length === 0) shown.push("nothing of these groups");
    this.now.replaceChildren(...items(shown));
  }

  private showPicked(cycle: number, picked: Picked | null): void {
    const hint = "Click one in the drawing, or name it: ";
    if (!picked)
      this.pickedBox.replaceChildren(element("p", { class: "hint" }, hint, this.chooser()));
    else if (picked.node) this.pickedBox.replaceChildren(...this.nodeWords(picked.id, cycle));
    else this.pickedBox.replaceChildren(...this.switchWords(picked.id, cycle));
  }
  pick: (picked: Picked | null) => void = () => {};
  private chooser(): HTMLElement {
    const about = { placeholder: "sw3, n8", "aria-label": "Switch or node" };
    const input = element("input", { type: "text", size: "6", ...about });
    input.addEventListener("change", () => {
      const match = /^(sw|n)?(\d+)$/.exec(input.value.trim());
      if (!match) return;
      const node = match[1] === "n";
      const id = Number(match[2]);
      if (id < (node ? this.run.nodes : this.run.switches).length) this.pick({ node, id });
    });
    return input;
  }

  private switchWords(sw: number, cycle: number): HTMLElement[] {
    const { run } = this;
    const dead = run.marks.deadSwitches(cycle).has(sw) ? ", which is dead" : "";
    const who = `S${switchName(run, sw).slice(1)}${dead}`;
    const made: HTMLElement[] = [element("p", { class: "who" }, who)];
    const entries = run.entries.at(sw, cycle).filter((entry) => this.shown(entry.group));
    for (const entry of entries) made.push(...heldElements(entryWords(run, sw, entry, cycle)));
    if (entries.length === 0)
      made.push(element("p", {}, "It holds nothing of these groups that the page can show."));
    const ports = run.ports(sw).map((port) => `${port}: ${portName(run, sw, port)}`);
    made.push(element("p", { class: "ports" }, `Ports: ${ports.join("; ")}`));
    return made;
  }

  private nodeWords(node: number, cycle: number): HTMLElement[] {
    const { run } = this;
    const at = run.nodes[node];
    const dead = run.marks.deadNodes(cycle).has(node) ? ", dead" : "";
    const port = `port ${at.port} of ${switchName(run, at.at)}`;
    const who = `Node ${nodeName(run, node)}, at ${port}${dead}`;
    const made: HTMLElement[] = [element("p", { class: "who" }, who)];
    const lines: string[] = [];
    run.data.groups.forEach((_, group) => {
      const place = run.members.of(group).findIndex((member) => member.node === node);
      if (place < 0) return;
      const barrier = run.members.current(group, cycle);
      const state = run.members.state(group, place, barrier, cycle);
      const text = {
        missing: `has not arrived at barrier ${barrier}`,
        arrived: `has arrived at barrier ${barrier} and waits`,
        released: `has been released from barrier ${barrier}`,
      }[state];
      lines.push(`${groupName(run, group)}: ${text}`);
    });
    if (lines.length === 0) lines.push("It is in no group.");
    made.push(element("ul", {}, ...items(lines)));
    for (const context of run.contexts.at(node, cycle))
      if (this.shown(context.group)) made.push(...heldElements(contextWords(run, context)));
    return made;
  }

  private showBarriers(cycle: number): void {
    const here: Barrier[] = [];
    this.run.data.groups.forEach((_, group) => {
      const barrier = this.shown(group) ? this.run.barrierAt(group, cycle) : undefined;
      if (barrier) here.push(barrier);
    });
    this.histogram.mark(here.filter((b) => !b.failed).map((b) => b.latency));
    const several = this.run.data.groups.length > 1;
    const of = (b: Barrier) => (several ? `group ${letter(b.group)}: ` : "");
    const end = (b: Barrier) => (b.failed ? "failed" : `${b.latency} cycles`);
    const text = here.slice(0, 6).map((b) => `${of(b)}barrier ${b.number}, ${end(b)}`);
    setText(this.latency, text.length > 0 ? `Under the cursor: ${text.join("; ")}.` : "");
    const first = here[0] ? String(this.run.barriers.indexOf(here[0])) : "";
    if (this.list.value !== first && document.activeElement !== this.list) this.list.value = first;
  }

  private waveCommand(cycle: number, picked: Picked | null): string {
    const words = [...this.run.data.wave, "--wave-at", String(cycle)];
    if (picked && picked.node === this.run.data.wave_nodes)
      words.push("--wave-only", `${picked.node ? "n" : "sw"}${picked.id}`);
    return `${words.map(quoted).join(" ")} && gtkwave barrier.gtkw`;
  }
}
