// SPDX-License-Identifier: Apache-2.0
// What a page shows is what the run's own result and data say. MUSTER names the program.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { choose, cycleOf, finished, goTo, rows, text, World } from "./browser.mjs";

const world = new World(process.env.MUSTER);
after(() => world.close());

/** Who has not arrived at the barrier that a group is in, by the rules of runs. */
function missing(data, group, cycle) {
  const members = data.groups[group].members;
  const done = members.map(() => ({ arrived: 0, released: 0 }));
  for (const [at, g, what] of rows(data.members, 3)) {
    if (at > cycle || g !== group) continue;
    done[what >> 1][what & 1 ? "released" : "arrived"]++;
  }
  const barrier = Math.min(...done.map((member) => member.released));
  return {
    barrier,
    nodes: members.filter((_, i) => done[i].arrived <= barrier),
  };
}

test("at every cycle looked at, the page names the members that are missing", async () => {
  const result = world.recorded("a", "--group paper --group random:4 --barriers 4");
  const data = world.data("a");
  const page = await world.show("a");
  for (let cycle = 0; cycle < result.cycles; cycle += 23) {
    assert.equal(await goTo(page, cycle), cycle);
    for (const group of [0, 1]) {
      const { barrier, nodes } = missing(data, group, cycle);
      const words = await text(page, `[data-missing="${group}"]`);
      if (nodes.length > 0 && nodes.length < data.groups[group].members.length) {
        assert.ok(words.startsWith(`barrier ${barrier}: waits for ${nodes.length} of `), words);
        const all = await page.getAttribute(`[data-missing="${group}"]`, "title");
        for (const node of nodes) assert.match(all, new RegExp(`\\(n${node}\\)`));
      } else if (nodes.length === 0) {
        assert.match(words, /all .* have arrived/);
      }
    }
  }
  await finished(page);
});

test("the page names who was last at how many barriers, and for how long", async () => {
  const spread = "--group paper --group random:4 --barriers 30 --spread 200";
  world.recorded("last", spread);
  const data = world.data("last");
  const page = await world.show("last");
  for (const group of [0, 1]) {
    const arrivals = data.groups[group].members.map(() => []);
    for (const [at, g, what] of rows(data.members, 3))
      if (g === group && (what & 1) === 0) arrivals[what >> 1].push(at);
    const kept = arrivals.map(() => ({ barriers: 0, cycles: 0 }));
    for (let barrier = 0; barrier < 30; barrier++) {
      const times = arrivals.map((of) => of[barrier]);
      const [before, last] = [...times].sort((x, y) => x - y).slice(-2);
      if (last === before) continue;
      kept[times.indexOf(last)].barriers++;
      kept[times.indexOf(last)].cycles += last - before;
    }
    const most = Math.max(...kept.map((of) => of.cycles));
    const place = kept.findIndex((of) => of.cycles === most);
    const node = data.groups[group].members[place];
    const words = await text(page, `[data-last="${group}"]`);
    const first = `\\(n${node}\\): ${kept[place].barriers} of 30 barriers, ${most} cycles`;
    assert.match(words, new RegExp(`^[^(]*${first}`));
  }
  await finished(page);
});

test("the list has every barrier of the result, and goes to its first arrival", async () => {
  const result = world.recorded("b", "--group paper --barriers 6");
  const page = await world.show("b");
  const options = await page.locator(".barriers option").allTextContents();
  assert.equal(options.length, result.barriers.length);
  result.barriers.forEach((barrier, i) =>
    assert.ok(options[i].endsWith(`latency ${barrier.latency_cycles}`), options[i]),
  );
  await page.selectOption(".barriers", "3");
  const cycle = await cycleOf(page);
  const arrivals = rows(world.data("b").members, 3).filter(([, , what]) => (what & 1) === 0);
  const first = arrivals.sort((x, y) => x[0] - y[0])[3 * 14][0];
  assert.equal(cycle, first);
  const latency = result.barriers[3].latency_cycles;
  await goTo(page, cycle + 1);
  assert.match(await text(page, ".latency"), new RegExp(`barrier 3, ${latency} cycles`));
  assert.equal(await page.locator(".histogram .marked").count(), 1);
  await finished(page);
});

test("next event and last event go to the cycles in which anything happens", async () => {
  world.recorded("c", "--group random:3 --barriers 1");
  const data = world.data("c");
  const cycles = new Set([0]);
  for (const [at] of rows(data.messages, 5)) cycles.add(at);
  for (const [at] of rows(data.members, 3)) cycles.add(at);
  for (const [at] of rows(data.entries, 12)) cycles.add(at);
  const wanted = [...cycles].filter((c) => c < data.to).sort((x, y) => x - y);
  const page = await world.show("c", "#0");
  const seen = [await cycleOf(page)];
  for (let i = 1; i < wanted.length; i++) {
    await page.keyboard.press("n");
    seen.push(await cycleOf(page));
  }
  assert.deepEqual(seen, wanted);
  await page.keyboard.press("p");
  assert.equal(await cycleOf(page), wanted.at(-2));
  await finished(page);
});

test("keys and buttons step, jump to both ends, and play", async () => {
  const page = await world.show("b", "#50");
  assert.equal(await cycleOf(page), 50);
  for (const [key, cycle] of [
    ["ArrowRight", 51],
    ["ArrowLeft", 50],
    ["Home", 0],
    ["End", world.data("b").to - 1],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await cycleOf(page), cycle, key);
  }
  await page.keyboard.press("Home");
  await page.keyboard.press("f");
  assert.ok((await cycleOf(page)) > 0);
  await page.keyboard.press("Home");
  assert.equal(await cycleOf(page), 0);
  await page.keyboard.press(" ");
  await page.waitForFunction(() => Number(document.documentElement.dataset.cycle) >= 5);
  assert.equal(await text(page, ".play"), "Pause");
  await page.keyboard.press(" ");
  const stopped = await cycleOf(page);
  await page.waitForTimeout(200);
  assert.equal(await cycleOf(page), stopped);
  await finished(page);
});

test("a group that is not shown has no words, no messages and no events", async () => {
  const page = await world.show("a", "#60");
  await page.uncheck('[data-group="0"]');
  await page.uncheck('[data-group="1"]');
  await cycleOf(page);
  assert.equal(await text(page, '[data-missing="1"]'), "not shown");
  await page.keyboard.press("n");
  assert.equal(await cycleOf(page), 60);
  await page.check('[data-group="0"]');
  await page.keyboard.press("n");
  assert.ok((await cycleOf(page)) > 60);
  await finished(page);
});

test("two runs stand side by side on one clock", async () => {
  world.recorded("d", "--group paper --barriers 6 --scheme star");
  world.run("view", "b.html", "d.html", "--out", "e.html");
  const page = await world.show("e", "#40");
  assert.equal(await page.locator("article").count(), 2);
  for (const name of ["b", "d"]) {
    const at = page.locator("article").nth(name === "b" ? 0 : 1);
    const { barrier, nodes } = missing(world.data(name), 0, 40);
    const words = await at.locator("[data-missing]").textContent();
    assert.ok(words.startsWith(`barrier ${barrier}: waits for ${nodes.length} of 14`), words);
  }
  await finished(page);
});

test("an Extra Stage Cube shows how full its stages are", async () => {
  const options = "--pes 16 --mean 300 --rate 0.6 --sessions 1 --page g.html";
  world.run("esc", ...options.split(" "));
  const data = world.data("g");
  const cycle = data.active + 10;
  const held = new Map();
  for (const [at, place, packets] of rows(data.occupancy, 3))
    if (at <= cycle) held.set(place, packets);
  const page = await world.show("g", `#${cycle}`);
  await cycleOf(page);
  const lines = await page.locator(".now li").allTextContents();
  assert.equal(lines.length, data.stages.length);
  data.stages.forEach((stage, column) => {
    let packets = 0;
    for (const [place, count] of held)
      if (Math.floor(place / data.pes) === column) packets += count;
    assert.ok(lines[column].startsWith(`stage ${stage}: ${packets} packets, `), lines[column]);
  });
  await finished(page);
});

// The text of the page about switches and nodes at a cycle.
test("a switch shows its register decoded, as the data have it", async () => {
  world.recorded("b", "--group paper --barriers 6");
  const data = world.data("b");
  const page = await world.show("b");
  // Switch 3 is the root; the first cycle in which a member has arrived there, and not all.
  const entry = rows(data.entries, 12).find((row) => row[1] === 3 && row[8] !== 0);
  await choose(page, "sw3");
  await goTo(page, entry[0]);
  const lines = await page.locator(".picked li").allTextContents();
  const names = (mask) =>
    data.network.nodes
      .map(([, , sw, port], n) => ({ sw, port, n }))
      .filter(({ sw, port }) => sw === 3 && (mask >> port) & 1)
      .map(({ n }) => `(n${n})`);
  const arrived = lines.find((line) => line.startsWith("has arrived: "));
  for (const name of names(entry[8])) assert.ok(arrived.includes(name), arrived);
  assert.ok(lines.includes("reduction sent: no"), lines.join("|"));
  assert.match(await text(page, ".picked .entry"), /group a \(paper\), register 0: valid/);
  assert.match(lines.at(-1), /^It waits for .*Missing there: /);
  const wave = await text(page, ".panel .command code");
  assert.match(wave, new RegExp(`--wave-at ${entry[0]} --wave-only sw3 && gtkwave`));
  await finished(page);
});

test("a switch of 64 ports shows what has arrived at its upper ports", async () => {
  world.run(..."topo gen clos --ports 64 --leaves 1 --out crossbar.json".split(" "));
  world.recorded("wide", "--group n2,n40,n63 --barriers 1 --spread 100", "crossbar.json");
  // Ports 63..32 of the children, and of those that have arrived; n2 is behind the parent.
  const entry = rows(world.data("wide").entries, 12).find((row) => row[9] !== 0);
  const behind = (mask) => [40, 63].filter((port) => (mask >>> (port - 32)) & 1);
  assert.deepEqual(behind(entry[7]), [40, 63]);
  const page = await world.show("wide");
  await choose(page, "sw0");
  await goTo(page, entry[0]);
  const lines = await page.locator(".picked li").allTextContents();
  const shown = (word) => {
    const line = lines.find((text) => text.startsWith(word));
    return [...line.matchAll(/\(n(\d+)\)/g)].map((match) => Number(match[1]));
  };
  assert.deepEqual(shown("expects: "), [40, 63]);
  assert.deepEqual(shown("has arrived: "), behind(entry[9]));
  await finished(page);
});

test("a node shows the context of its NIC, as the data have it", async () => {
  for (const chained of [false, true]) {
    world.recorded(
      "n",
      `--group paper --group n8,n9 --barriers 2 --scheme nic-dissemination` +
        (chained ? " --chained" : ""),
    );
    const data = world.data("n");
    const node = data.groups[0].members[5];
    const own = rows(data.contexts, 10).filter((row) => row[1] === node && row[4] === 0);
    assert.ok(own.length > 4);
    const page = await world.show("n");
    await choose(page, `n${node}`);
    for (const [at, , place, , , phase, number, entry, come, gone] of own) {
      await goTo(page, at);
      const title = await text(page, ".picked .entry");
      const name = ["idle", "running"][phase];
      assert.equal(title, `group a (paper), context ${place}: ${name}`);
      const lines = await page.locator(".picked ul").nth(1).locator("li").allTextContents();
      assert.equal(lines[0], `barrier ${number}, modulo 256`);
      assert.ok(lines[1].startsWith(`at ${chained ? "event" : "entry"} ${entry}`), lines[1]);
      const masks = lines
        .slice(2)
        .map((line) => (line.match(/\d+/g) ?? []).reduce((mask, e) => mask + 2 ** e, 0));
      assert.deepEqual(masks, chained ? [] : [come, gone]);
    }
    await finished(page);
  }
});

test("preempted channels and the kinds of messages are counted in the text", async () => {
  world.recorded("f", "--group paper --barriers 3 --scheme bsr-2 --load 0.6 --warmup 200");
  const data = world.data("f");
  const marks = rows(data.marks, 3).filter(([, what]) => what < 2);
  assert.ok(marks.length > 0);
  const page = await world.show("f", `#${marks[0][0]}`);
  await cycleOf(page);
  const cut = marks.filter(([at, what]) => at === marks[0][0] && what === 0).length;
  assert.match(await text(page, ".counts"), new RegExp(`${cut} channels? cut`));
  assert.match(await text(page, ".now"), /channel \d of .* is cut for barrier messages/);
  await finished(page);
});

test("the page opens at the first arrival, behind the cycles of data alone", async () => {
  world.recorded("w", "--group paper --barriers 2 --load 0.2");
  const first = rows(world.data("w").members, 3)[0][0];
  assert.ok(first >= 2000);
  const page = await world.show("w");
  assert.equal(await cycleOf(page), first);
  await page.keyboard.press("Home");
  assert.equal(await cycleOf(page), 0);
  await finished(page);
  // Recorded from a later cycle on, it opens at that.
  world.recorded("v", "--group paper --barriers 2 --page-from 30");
  const later = await world.show("v");
  assert.equal(await cycleOf(later), 30);
  await finished(later);
});

test("what died and what became of it stands beside the drawing", async () => {
  world.recorded("d", "--group paper --barriers 9 --link-retry --retry --kill-switch sw8@300");
  const data = world.data("d");
  const page = await world.show("d");
  const lines = await page.locator(".deaths li").allTextContents();
  assert.deepEqual(lines, data.deaths);
  assert.match(lines[0], /sw8/);
  // What is written on the drawing, and in what font.
  await page.evaluate(() => {
    const { prototype } = CanvasRenderingContext2D;
    const fill = prototype.fillText;
    window.written = [];
    prototype.fillText = function (text, ...where) {
      window.written.push(`${text} ${this.font}`);
      return fill.call(this, text, ...where);
    };
  });
  const beside = "8 bold 12px sans-serif"; // the cross, which covers the number in the box
  const written = async (cycle) => {
    await page.evaluate(() => (window.written = []));
    await goTo(page, cycle);
    return page.evaluate(() => window.written);
  };
  assert.ok(!(await written(299)).includes(beside));
  assert.ok((await written(400)).includes(beside));
  await finished(page);
  const alive = await world.show("w");
  assert.equal(await alive.locator(".deaths").count(), 0);
  await finished(alive);
});
