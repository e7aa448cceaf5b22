// SPDX-License-Identifier: Apache-2.0
// What the page says, as text. It knows no screen, so that tests can compare it with results.
import { bitsOf, CONTEXT, Entry, FLAG, NodeContext, PHASES } from "./held";
import { KINDS } from "./messages";
import type { Run } from "./run";

/** a to z, then aa and so on. */
export function letter(group: number): string {
  const last = String.fromCharCode(97 + (group % 26));
  return group < 26 ? last : letter(Math.floor(group / 26) - 1) + last;
}
export function groupName(run: Run, group: number): string {
  const known = run.data.groups[group];
  return known ? `group ${letter(group)} (${known.name})` : `group identifier ${group}`;
}
/** What the network's file calls a switch or node, as it follows its number. */
function label(names: Record<string, string>, id: number): string {
  return names[id] === undefined ? "" : ` "${names[id]}"`;
}
export function switchName(run: Run, sw: number): string {
  return `switch ${sw}${label(run.data.network.switch_names, sw)}`;
}
export function nodeName(run: Run, node: number): string {
  const at = run.nodes[node];
  const name = label(run.data.network.node_names, node);
  return at ? `${at.at}:${at.port}${name} (n${node})` : "a node that has joined";
}
function endName(run: Run, node: boolean, id: number): string {
  return node ? `node ${nodeName(run, id)}` : switchName(run, id);
}
export function portName(run: Run, sw: number, port: number): string {
  const peer = run.peer(sw, port);
  if (!peer) return `port ${port}, which is open`;
  return endName(run, peer.node, peer.id) + (peer.node ? "" : ` (port ${port})`);
}
export function channelName(run: Run, channel: number): string {
  const c = run.channels[channel];
  if (!c) return `channel ${channel}`;
  return `${endName(run, c.fromNode, c.fromId)} to ${endName(run, c.toNode, c.toId)}`;
}

/** The first so many of a list as text, and how many more there are. */
export function listed(names: string[], most = 12): string {
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
}

/** Who is missing at the barrier that a group is in. */
export function whoIsMissing(run: Run, group: number, cycle: number, most = 12): string {
  const barrier = run.members.current(group, cycle);
  const all = run.members.of(group).length;
  const total = run.barriers.filter((b) => b.group === group).length;
  const { missing, arrived, released } = run.members.states(group, barrier, cycle);
  if (missing.length === all && barrier >= total && run.data.violations.length === 0)
    return barrier === 0 ? "has no barrier" : `all ${barrier} barriers are done`;
  const head = `barrier ${barrier}: `;
  if (missing.length === all) return `${head}no member has arrived yet (${all} members)`;
  if (missing.length > 0) {
    const names = missing.map((place) => nodeName(run, run.members.of(group)[place].node));
    return `${head}waits for ${missing.length} of ${all}: ${listed(names, most)}`;
  }
  if (released.length === 0) return `${head}all ${all} have arrived, none is released yet`;
  const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
  return (
    `${head}all ${all} have arrived, ${count(released.length, "is", "are")} released, ` +
    count(arrived.length, "waits", "wait")
  );
}

/** Who came last to a group's barriers, and for how long all others waited then; a line each. */
export function whoWasLast(run: Run, group: number, most = 5): string[] {
  const barriers = run.barriers.filter((b) => b.group === group);
  const rows = new Map<number, { place: number; barriers: number; cycles: number }>();
  for (const { number } of barriers) {
    const last = run.members.lastAlone(group, number);
    if (!last) continue;
    const row = rows.get(last.place) ?? { place: last.place, barriers: 0, cycles: 0 };
    row.barriers++;
    row.cycles += last.cycles;
    rows.set(last.place, row);
  }
  const lines = [...rows.values()]
    .sort((a, b) => b.cycles - a.cycles)
    .map(({ place, barriers: times, cycles }) => {
      const name = nodeName(run, run.members.of(group)[place].node);
      return `${name}: ${times} of ${barriers.length} barriers, ${cycles} cycles`;
    });
  if (lines.length > most) lines.splice(most, Infinity, `and ${lines.length - most} more`);
  return lines.length > 0 ? lines : ["no member alone"];
}

/** Members that have not arrived, in the part of the tree behind a port. */
function missingBehind(
  run: Run,
  sw: number,
  port: number,
  group: number,
  cycle: number,
  seen: Set<number>,
): string[] {
  const peer = run.peer(sw, port);
  if (!peer) return [];
  if (peer.node) {
    const barrier = run.members.current(group, cycle);
    const place = run.members.of(group).findIndex((member) => member.node === peer.id);
    const waits = place >= 0 && run.members.state(group, place, barrier, cycle) === "missing";
    return waits ? [nodeName(run, peer.id)] : [];
  }
  if (seen.has(peer.id)) return [];
  seen.add(peer.id);
  const entry = run.entries.at(peer.id, cycle).find((held) => held.group === group);
  if (!entry) return [];
  return bitsOf(entry.children & ~entry.arrived)
    .filter((p) => p !== peer.port)
    .flatMap((p) => missingBehind(run, peer.id, p, group, cycle, seen));
}

function parentName(run: Run, sw: number, entry: Entry): string {
  if (entry.flags & FLAG.byName) {
    if (entry.flags & FLAG.root) return "none: the center is here";
    const nodes = run.nodes.length;
    const { parent } = entry;
    return endName(run, parent < nodes, parent < nodes ? parent : parent - nodes);
  }
  if (entry.flags & FLAG.root) return "none: the root switch answers itself";
  return portName(run, sw, entry.parent);
}

/** What a switch or a node holds of a group. */
export interface HeldWords {
  title: string;
  lines: string[];
}

/** A register or entry of a switch, line by line. */
export function entryWords(run: Run, sw: number, entry: Entry, cycle: number): HeldWords {
  const names = (mask: bigint) => {
    const list = bitsOf(mask).map((port) => portName(run, sw, port));
    return list.length === 0 ? "none" : listed(list, 16);
  };
  const kind = entry.flags & FLAG.memory ? "place" : "register";
  const what = entry.flags & FLAG.byName ? "entry" : kind;
  const states = [
    entry.flags & FLAG.valid ? "valid" : "not valid",
    ...(entry.flags & FLAG.claimed ? ["claimed"] : []),
    ...(entry.flags & FLAG.failed ? ["its barrier has failed"] : []),
    ...(entry.flags & FLAG.suspect ? ["suspect: under way for too long"] : []),
  ];
  const waits = entry.children & ~entry.arrived;
  const lines = [
    `parent: ${parentName(run, sw, entry)}`,
    `expects: ${names(entry.children)}`,
    `has arrived: ${names(entry.arrived)}`,
    `reduction sent: ${entry.flags & FLAG.sent ? "yes" : "no"}`,
    `still to serve: ${names(entry.serve)}`,
  ];
  if (entry.serve !== 0n) {
    lines.push(`It hands the distribution on to ${names(entry.serve)}.`);
  } else if (entry.flags & FLAG.sent) {
    lines.push(`It waits for the distribution from ${parentName(run, sw, entry)}.`);
  } else if (waits !== 0n) {
    const behind = bitsOf(waits).flatMap((port) =>
      missingBehind(run, sw, port, entry.group, cycle, new Set([sw])),
    );
    lines.push(
      `It waits for ${names(waits)}.` +
        (behind.length > 0
          ? ` Missing there: ${listed(behind)}.`
          : " Their messages are under way."),
    );
  }
  const title = `${groupName(run, entry.group)}, ${what} ${entry.place}: ${states.join(", ")}`;
  return { title, lines };
}

/** A context of a network interface, line by line. */
export function contextWords(run: Run, context: NodeContext): HeldWords {
  const entries = (mask: number) => {
    const list = bitsOf(BigInt(mask));
    return list.length === 0
      ? "none"
      : `of ${list.length > 1 ? "entries" : "entry"} ${list.join(", ")}`;
  };
  const lines = [`barrier ${context.number}, modulo 256`];
  if (context.flags & CONTEXT.events) {
    lines.push(`at event ${context.entry}; remote writes count events, no list is walked`);
  } else {
    const [come, gone] = [context.received, context.sent].map((m) => (m >>> context.entry) & 1);
    const standing = context.phase === 1 && !come && !gone;
    lines.push(
      `at entry ${context.entry} of its list` +
        (standing ? ", whose message has neither come nor gone" : ""),
      `messages that have come: ${entries(context.received)}`,
      `messages that have gone: ${entries(context.sent)}`,
    );
    if (context.flags & CONTEXT.direct) lines.push("its messages are acknowledged");
  }
  const phase = PHASES[context.phase];
  return { title: `${groupName(run, context.group)}, context ${context.place}: ${phase}`, lines };
}

/** What happens in a cycle, of the groups that are shown. */
export function happenings(run: Run, cycle: number, shown: (group: number) => boolean): string[] {
  const lines: string[] = run.marks.words(cycle, {
    channel: (id) => channelName(run, id),
    ofSwitch: (id) => switchName(run, id),
    ofNode: (id) => nodeName(run, id),
  });
  run.data.groups.forEach((_, group) => {
    if (!shown(group)) return;
    for (const released of [false, true]) {
      const places = run.members.happening(group, cycle, released);
      if (places.length === 0) continue;
      const names = places.map((place) => nodeName(run, run.members.of(group)[place].node));
      const verbs = released ? ["is released", "are released"] : ["arrives", "arrive"];
      lines.push(`${groupName(run, group)}: ${listed(names)} ${verbs[Number(names.length > 1)]}`);
    }
  });
  for (const { group, kind, channel, duration } of run.messages.beginning(cycle)) {
    if (group >= 0 && !shown(group)) continue;
    const of = group >= 0 ? ` of group ${letter(group)}` : "";
    const lost = duration === 0 ? ", which does not arrive" : "";
    lines.push(`${KINDS[kind].name}${of}: ${channelName(run, channel)}${lost}`);
  }
  return lines;
}
