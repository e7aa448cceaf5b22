// SPDX-License-Identifier: Apache-2.0
// Colours of the drawings, from the style sheet, so that light and dark are in one place.

const NAMES = [
  "back",
  "ink",
  "faint",
  "link",
  "wait",
  "pad",
  "missing",
  "arrived",
  "released",
  "dead",
] as const;
export type Colour = (typeof NAMES)[number];
export type Colours = Record<Colour, string> & { use: string[]; groups: string[] };

export const USE_CLASSES = 5;
export const GROUP_COLOURS = 6;

export function colours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const list = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => value(`${name}-${i}`));
  const named = Object.fromEntries(NAMES.map((name) => [name, value(name)]));
  return {
    ...(named as Record<Colour, string>),
    use: list("use", USE_CLASSES),
    groups: list("group", GROUP_COLOURS),
  };
}

/** Light or dark: what the system says until the button is pressed. Calls `changed` whenever
 * colours are others. */
export function themeSwitch(button: HTMLButtonElement, changed: () => void): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = false;
  const set = (dark: boolean) => {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    button.textContent = dark ? "Light" : "Dark";
    button.title = `Show in ${dark ? "light" : "dark"} colours`;
    changed();
  };
  button.addEventListener("click", () => {
    chosen = true;
    set(document.documentElement.dataset.theme !== "dark");
  });
  system.addEventListener("change", () => {
    if (!chosen) set(system.matches);
  });
  set(system.matches);
}
