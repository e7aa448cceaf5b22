// SPDX-License-Identifier: Apache-2.0
/** Light and dark. The style sheet has these as variables, drawings by colours(). */
const COLOURS = {
  back: ["#ffffff", "#12151a"],
  panel: ["#f5f6f8", "#1b2027"],
  ink: ["#16191d", "#e8ebef"],
  soft: ["#4d5661", "#aab4c0"],
  faint: ["#a3acb6", "#66707c"],
  edge: ["#cfd5db", "#343c46"],
  link: ["#c3cad1", "#3d4651"],
  wait: ["#c2410c", "#fb923c"],
  pad: ["#8e24aa", "#d68cf0"],
  missing: ["#b91c1c", "#f87171"],
  arrived: ["#1d4ed8", "#7aa8ff"],
  released: ["#15803d", "#4ade80"],
  dead: ["#c00000", "#ff6b6b"],
  accent: ["#1d4ed8", "#7aa8ff"],
};
/** Of links and buffers, by their use. */
const USE = {
  light: ["#a9c6e8", "#7faadb", "#5189c7", "#2c68ad", "#123f7a"],
  dark: ["#2f5478", "#3f74a6", "#5a97cf", "#86bdec", "#c4e1ff"],
};
const GROUPS = {
  light: ["#0072b2", "#d55e00", "#009e73", "#aa4499", "#997700", "#444f9a"],
  dark: ["#56b4e9", "#f08a3c", "#3fc79a", "#dd88cc", "#e6c34d", "#a5aef0"],
};
export type Colour = keyof typeof COLOURS;
export type Colours = Record<Colour, string> & { use: string[]; groups: string[] };

export const USE_CLASSES = USE.light.length;
export const GROUP_COLOURS = GROUPS.light.length;
let theme: "light" | "dark" = "light";

export function colours(): Colours {
  const side = Number(theme === "dark");
  const named = Object.entries(COLOURS).map(([name, pair]) => [name, pair[side]]);
  const found = Object.fromEntries(named) as Record<Colour, string>;
  return { ...found, use: USE[theme], groups: GROUPS[theme] };
}

/** Light or dark: what the system says until the button is pressed. Calls `changed` whenever
 * colours are others. */
export function themeSwitch(button: HTMLButtonElement, changed: () => void): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = false;
  const set = (dark: boolean) => {
    const { style } = document.documentElement;
    style.colorScheme = theme = dark ? "dark" : "light";
    for (const [name, pair] of Object.entries(COLOURS))
      style.setProperty(`--${name}`, pair[Number(dark)]);
    button.textContent = dark ? "Light" : "Dark";
    button.title = `Show in ${dark ? "light" : "dark"} colours`;
    changed();
  };
  button.addEventListener("click", () => {
    chosen = true;
    set(theme === "light");
  });
  system.addEventListener("change", () => {
    if (!chosen) set(system.matches);
  });
  set(system.matches);
}
