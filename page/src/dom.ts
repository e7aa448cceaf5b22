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

export function svg(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
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

  constructor(label: string) {
    const button = element("button", { type: "button" }, "Copy");
    button.addEventListener("click", () => {
      void copy(this.text.textContent ?? "").then((done) => {
        button.textContent = done ? "Copied" : "Select and copy";
        setTimeout(() => (button.textContent = "Copy"), 1500);
      });
    });
    this.root = element("div", { class: "command", title: label }, this.text, button);
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
