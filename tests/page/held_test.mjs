// SPDX-License-Identifier: Apache-2.0
// The text of the page about switches and nodes at a cycle is what its data say. MUSTER names
// the program.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { choose, cycleOf, goTo, rows, text, World } from "./browser.mjs";

const world = new World(process.env.MUSTER);
after(() => world.close());

test("a switch shows its register decoded, as the data have it", async () => {
  world.recorded("b", "figure1.json", "--group", "paper", "--barriers", "6");
  const data = world.data("b");
  const page = await world.show("b");
  // Switch 3 is the root; the first cycle in which a member has arrived there, and not all.
  const entry = rows(data.entries, 9).find(
    (row) => row[1] === 3 && row[7] !== 0,
  );
  await choose(page, "sw3");
  await goTo(page, entry[0]);
  const lines = await page.locator(".picked li").allTextContents();
  const names = (mask) =>
    data.network.nodes
      .map(([, , sw, port], n) => ({ sw, port, n }))
      .filter(({ sw, port }) => sw === 3 && (mask >> port) & 1)
      .map(({ n }) => `(n${n})`);
  const arrived = lines.find((line) => line.startsWith("has arrived: "));
  for (const name of names(entry[7]))
    assert.ok(arrived.includes(name), arrived);
  assert.ok(lines.includes("reduction sent: no"), lines.join("|"));
  assert.match(
    await text(page, ".picked .entry"),
    /group a \(paper\), register 0: valid/,
  );
  assert.match(lines.at(-1), /^It waits for .*Missing there: /);
  const wave = await text(page, ".panel .command code");
  assert.match(
    wave,
    new RegExp(`--wave-at ${entry[0]} --wave-only sw3 && gtkwave`),
  );
  await page.close();
});

test("a switch with block RAM shows each group in it", async () => {
  world.recorded(
    "m",
    "figure1.json",
    "--group",
    "paper",
    "--group",
    "all",
    "--barriers",
    "3",
    "--many",
  );
  const data = world.data("m");
  const page = await world.show("m");
  await choose(page, "sw3");
  // Both groups are there from the start; later children have arrived, and the reduction has gone.
  const held = new Map();
  let sent = 0;
  for (const [at, sw, place, flags, group, , , arrived] of rows(
    data.entries,
    9,
  )) {
    if (sw !== 3) continue;
    assert.equal(flags & 128, 128);
    held.set(place, { at, group, flags, arrived });
    if (!(flags & 1) || sent > 3) continue;
    sent++;
    await goTo(page, at);
    const titles = await page.locator(".picked .entry").allTextContents();
    assert.equal(titles.length, 2);
    assert.match(titles[0], /^group a \(paper\), place 0: valid/);
    assert.match(titles[1], /^group b \(all\), place 1: valid/);
    const lines = await page
      .locator(".picked ul")
      .nth(place)
      .locator("li")
      .allTextContents();
    assert.ok(lines.includes("reduction sent: yes"), lines.join("|"));
  }
  assert.equal(held.size, 2);
  assert.ok(sent > 0);
  assert.deepEqual(page.said, []);
  await page.close();
});

test("a node shows the context of its NIC, as the data have it", async () => {
  for (const chained of [false, true]) {
    world.recorded(
      "n",
      "figure1.json",
      "--group",
      "paper",
      "--group",
      "n8,n9",
      "--barriers",
      "2",
      "--scheme",
      "nic-dissemination",
      ...(chained ? ["--chained"] : []),
    );
    const data = world.data("n");
    const node = data.groups[0].members[5];
    const own = rows(data.contexts, 10).filter(
      (row) => row[1] === node && row[4] === 0,
    );
    assert.ok(own.length > 4);
    const page = await world.show("n");
    await choose(page, `n${node}`);
    for (const [at, , place, , , phase, number, entry, come, gone] of own) {
      await goTo(page, at);
      const title = await text(page, ".picked .entry");
      const name = ["idle", "running"][phase];
      assert.equal(title, `group a (paper), context ${place}: ${name}`);
      const lines = await page
        .locator(".picked ul")
        .nth(1)
        .locator("li")
        .allTextContents();
      assert.equal(lines[0], `barrier ${number}, modulo 256`);
      assert.ok(
        lines[1].startsWith(`at ${chained ? "event" : "entry"} ${entry}`),
        lines[1],
      );
      const masks = lines
        .slice(2)
        .map((line) =>
          (line.match(/\d+/g) ?? []).reduce((mask, e) => mask + 2 ** e, 0),
        );
      assert.deepEqual(masks, chained ? [] : [come, gone]);
    }
    assert.deepEqual(page.said, []);
    await page.close();
  }
});

test("preempted channels and the kinds of messages are counted in the text", async () => {
  world.recorded(
    "f",
    "figure1.json",
    "--group",
    "paper",
    "--barriers",
    "3",
    "--scheme",
    "bsr-2",
    "--load",
    "0.6",
    "--warmup",
    "200",
  );
  const data = world.data("f");
  const marks = rows(data.marks, 3).filter(([, what]) => what < 2);
  assert.ok(marks.length > 0);
  const page = await world.show("f", `#${marks[0][0]}`);
  await cycleOf(page);
  const cut = marks.filter(
    ([at, what]) => at === marks[0][0] && what === 0,
  ).length;
  assert.match(await text(page, ".counts"), new RegExp(`${cut} channels? cut`));
  assert.match(
    await text(page, ".now"),
    /channel \d of .* is cut for barrier messages/,
  );
  assert.deepEqual(page.said, []);
  await page.close();
});
