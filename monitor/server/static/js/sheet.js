// What opens over the page: a dialog with a title, a body that scrolls, and its buttons.

import { el } from "./dom.js";
import { POCKETS } from "./table_shape.js";
import { pocketName, t } from "./words.js";

/**
 * Opens a sheet. `body`: nodes; `foot`: buttons. The answer has `close()`; a click beside the
 * sheet and Escape close it too. Focus goes back to where it was.
 */
export function openSheet({ title, body, foot = [], name = "", closed }) {
  document.querySelector("dialog.sheet")?.remove();
  const before = document.activeElement;
  const heading = el("h2", { id: "sheet-title" }, title);
  const closer = el("button", { type: "button", class: "plain", "aria-label": t("sheet.close"), onclick: () => sheet.close() }, "✕");
  const content = el("div", { class: "sheet-body" }, body);
  const footer = el("div", { class: "sheet-foot", hidden: foot.length === 0 }, foot);
  const dialog = el("dialog", { class: `sheet ${name}`, "aria-labelledby": "sheet-title" },
    el("div", { class: "sheet-head" }, heading, closer), content, footer);
  dialog.addEventListener("click", (event) => event.target === dialog && sheet.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed?.();
    if (before?.isConnected) before.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  const sheet = { dialog, content, footer, close: () => dialog.close(), retitle: (text) => (heading.textContent = text) };
  dialog.showModal();
  return sheet;
}

export const sheetIsOpen = () => document.querySelector("dialog[open]") !== null;

/** A button. `kind`: "primary", "danger", "plain" or nothing. */
export function button(text, onclick, { kind = "", ...props } = {}) {
  return el("button", { type: "button", class: kind, onclick, ...props }, text);
}

const ARMED_MS = 4000;

/** A button for what ends something: the first tap asks, the second does it. */
export function twoTaps(text, askText, act, props = {}) {
  const node = button(text, () => {
    if (node.classList.contains("armed")) {
      disarm();
      act();
      return;
    }
    node.classList.add("armed");
    node.textContent = askText.replace("{what}", text);
    timer = setTimeout(disarm, ARMED_MS);
  }, { kind: "danger", ...props });
  let timer = 0;
  const disarm = () => {
    clearTimeout(timer);
    node.classList.remove("armed");
    node.textContent = text;
  };
  return node;
}

/**
 * One of several: buttons of which one is pressed. `choices`: [value, content, label?].
 * `onpick(value)` is told; `value` null: none yet.
 */
export function oneOf(legend, choices, { value = null, onpick, pick = false, kind = "" } = {}) {
  let now = value;
  const nodes = choices.map(([choice, content, label]) =>
    el("button", {
      type: "button", class: pick ? "pick" : "", "data-value": String(choice), "aria-label": label,
      "aria-pressed": String(choice === now),
      onclick: () => set(choice),
    }, content));
  const set = (choice) => {
    now = choice;
    nodes.forEach((node, index) => node.setAttribute("aria-pressed", String(choices[index][0] === choice)));
    onpick?.(choice);
  };
  return { node: group(legend, nodes, kind), get value() { return now; }, set };
}

/** Any of several: buttons that are pressed or not. */
export function anyOf(legend, choices, { values = [], onpick, pick = false } = {}) {
  const now = new Set(values);
  const nodes = choices.map(([choice, content, label]) => {
    const node = el("button", {
      type: "button", class: pick ? "pick" : "", "data-value": String(choice), "aria-label": label,
      "aria-pressed": String(now.has(choice)),
      onclick: () => {
        if (!now.delete(choice)) now.add(choice);
        node.setAttribute("aria-pressed", String(now.has(choice)));
        onpick?.([...now]);
      },
    }, content);
    return node;
  });
  return { node: group(legend, nodes), get values() { return choices.map(([choice]) => choice).filter((choice) => now.has(choice)); } };
}

/** The six pockets as they lie on the diagram, head end on the left. */
export function pocketChoice(legend, options = {}) {
  return oneOf(legend, POCKETS.map((name) => [name, pocketName(name)]), { ...options, kind: "pockets" });
}

/** Things that belong together under a legend. */
export function group(legend, nodes, kind = "") {
  return el("fieldset", { class: `group ${kind}` }, legend && el("legend", null, legend), el("div", { class: "row" }, nodes));
}
