// SPDX-License-Identifier: Apache-2.0

type Child = Node | string;

/** An element with attributes and children; text is never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function button(
  text: string,
  act: () => void,
  attributes: Record<string, string> = {},
): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

/** A list to choose from, of values with their texts. */
export function choice(
  attributes: Record<string, string>,
  options: readonly (readonly [string, string])[],
  chosen: (value: string) => void,
): HTMLSelectElement {
  const made = element("select", attributes);
  for (const [value, text] of options) made.append(element("option", { value }, text));
  made.addEventListener("change", () => chosen(made.value));
  return made;
}

/** Items of a list. */
export function items(lines: string[]): HTMLElement[] {
  return lines.map((line) => element("li", {}, line));
}

export function svg(
  name: string,
  attributes: Record<string, string | number>,
  ...children: Child[]
): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** Sets a text if it is another: what reads the page aloud is not told the same again. */
export function setText(of: Element, text: string): void {
  if (of.textContent !== text) of.textContent = text;
}

/** A command in a box with a button that copies it. */
export class CommandBox {
  readonly root: HTMLElement;
  private readonly text = element("code");

  constructor(label: string, command = "") {
    this.text.textContent = command;
    const copying = button("Copy", () => {
      void copy(this.text.textContent ?? "").then((done) => {
        copying.textContent = done ? "Copied" : "Select and copy";
        setTimeout(() => (copying.textContent = "Copy"), 1500);
      });
    });
    this.root = element("div", { class: "command", title: label }, this.text, copying);
  }

  set(text: string): void {
    setText(this.text, text);
  }
}

/** Pages from disk may be refused the clipboard; then by selection. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element("textarea", { class: "offscreen" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** A word of a command for a shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
