// SPDX-License-Identifier: Apache-2.0
// picture.mjs MUSTER FOLDER: a barrier of Figure 1 as the page shows it, an image a cycle.
import { join } from "node:path";
import { goTo, World } from "../tests/page/browser.mjs";

const [, , muster, folder] = process.argv;
const world = new World(muster);
try {
  const { cycles } = world.recorded("run", "--group paper --barriers 1 --spread 12");
  const viewport = { width: 940, height: 520 };
  const page = await world.show("run", "#0", { viewport });
  for (let cycle = 0; cycle < cycles; ++cycle) {
    await goTo(page, cycle);
    await page.screenshot({
      path: join(folder, `${1000 + cycle}.png`),
      clip: { x: 0, y: 105, width: 940, height: 375 },
    });
  }
} finally {
  await world.close();
}
