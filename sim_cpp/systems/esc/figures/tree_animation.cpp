// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/figures/tree_animation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::esc {
namespace {

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Saturation tree</title>
<style>
body { font: 14px sans-serif; margin: 1em; background: white; color: black }
.trees { display: flex; gap: 2em } h2 { font-size: 15px; margin: .3em 0 }
canvas { border: 1px solid #999 } input[type=range] { width: 30em; vertical-align: middle }
</style></head><body>
<h1 style="font-size:18px">Saturation tree: packets in every output buffer</h1>
<p>N = 256, n = 4, S = 12, gamma = 0.5, sigma = 10, hot spot 0 (top). A column is a stage, a row an
output link; packets go from left to right. White is empty, blue half full, dark red full.</p>
<p><button id="play">pause</button> <input id="time" type="range" min="0" value="0">
cycle <b id="cycle"></b> of the active session</p><div class="trees" id="trees"></div>
<script>
"use strict";
)";

// Occupancies are letters, 'A' for none, stage after stage and link after link in each frame.
constexpr const char* kTail = R"(
const slider = document.getElementById("time"), play = document.getElementById("play");
const W = 70, H = 2.5, GAP = 14;
slider.max = Math.max(...trees.map(t => t.frames.length)) - 1;
function colour(share) {
  if (share >= 1) return "#67000d";
  const c = Math.round(255 * (1 - share));
  return `rgb(${c},${Math.round(255 - 120 * share)},255)`;
}
for (const t of trees) {
  const box = document.createElement("div");
  box.innerHTML = `<h2>${t.title}</h2>`;
  t.canvas = document.createElement("canvas");
  t.canvas.width = t.stages * (W + GAP) + GAP;
  t.canvas.height = t.links * H + 24;
  box.append(t.canvas);
  document.getElementById("trees").append(box);
}
function draw(f) {
  for (const t of trees) {
    const g = t.canvas.getContext("2d"), frame = t.frames[Math.min(f, t.frames.length - 1)];
    g.fillStyle = "white";
    g.fillRect(0, 0, t.canvas.width, t.canvas.height);
    for (let s = 0; s < t.stages; s++) {
      const x = GAP + s * (W + GAP);
      g.fillStyle = "black";
      g.fillText("stage " + (t.stages - 1 - s), x, 12);
      for (let l = 0; l < t.links; l++) {
        g.fillStyle = colour((frame.charCodeAt(s * t.links + l) - 65) / t.depth);
        g.fillRect(x, 20 + l * H, W, H);
      }
    }
  }
  document.getElementById("cycle").textContent = f + trees[0].first;
  slider.value = f;
}
let running = true;
play.onclick = () => { running = !running; play.textContent = running ? "pause" : "play"; };
slider.oninput = () => { running = false; play.textContent = "play"; draw(+slider.value); };
setInterval(() => { if (running) draw((+slider.value + 1) % (+slider.max + 1)); }, 50);
draw(0);
</script></body></html>
)";

}  // namespace

std::string tree_animation(const std::vector<AnimatedTree>& trees) {
  std::string page = kHead;
  page += "const trees = [";
  for (const AnimatedTree& t : trees) {
    const esc::Cube cube(t.spec->pes, t.spec->box.size);
    const unsigned first = t.spec->stages().first(cube), last = t.spec->stages().last();
    page += fmt::format("{{title: '{}', stages: {}, links: {}, depth: {}, first: {}, frames: [\n",
                        t.title, first - last + 1, cube.pes(), t.spec->box.depth, t.first);
    for (std::size_t f = 0; f < t.frames; ++f) {
      page += '"';
      for (unsigned stage = first + 1; stage-- > last;)
        for (std::uint32_t link = 0; link < cube.pes(); ++link)
          page += static_cast<char>('A' + t.occupancy->packets(f, stage, link));
      page += "\",\n";
    }
    page += "]},\n";
  }
  return page + "];" + kTail;
}

}  // namespace muster::esc
