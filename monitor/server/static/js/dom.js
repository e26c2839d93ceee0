// Small builders for DOM and SVG. Text always goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(node.style, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

/** An HTML element with attributes, `on…` listeners and children. */
export function el(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** An SVG element. */
export function svg(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

// A press is lost when its button is replaced between down and up: what comes meanwhile waits.
const finger = { down: null, waiting: new Map() };
const CLICK_FOLLOWS_MS = 60;

/** Draws `node` anew; a button in it that is under a finger stays until the finger has pressed it. */
export function redraw(node, draw) {
  if (finger.down && node.contains(finger.down)) {
    finger.waiting.set(node, draw);
    return;
  }
  finger.waiting.delete(node);
  draw();
}

/** Replaces what is inside `node`; it may wait for a finger (`redraw`). */
export function refill(node, ...children) {
  redraw(node, () => {
    node.replaceChildren();
    append(node, children);
  });
  return node;
}

function lift() {
  finger.down = null;
  for (const [node, draw] of [...finger.waiting]) redraw(node, draw);
}

addEventListener("pointerdown", (event) => { finger.down = event.target; }, true);
addEventListener("pointercancel", lift, true);
addEventListener("blur", lift);
addEventListener("pointerup", () => {
  const was = finger.down;
  setTimeout(() => finger.down === was && lift(), CLICK_FOLLOWS_MS);
}, true);
addEventListener("click", (event) => {
  if (!event.isTrusted) return;
  // The press's own listeners draw at once; what waited is drawn unless they drew it anew.
  finger.down = null;
  setTimeout(lift);
}, true);

/** Sets text only when it differs, so that screen readers are not told twice. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Sets or removes an attribute only when it differs. */
export function mark(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

/**
 * Keeps one child for each key, in order, and reuses the ones that stand: focus and running
 * clips survive an update. `make(item)` builds a child; `renew(child, item)` brings it up to date.
 */
export function keyed(host, items, keyOf, make, renew) {
  const had = new Map([...host.children].map((child) => [child.dataset.key, child]));
  const wanted = items.map((item) => {
    const key = String(keyOf(item));
    let child = had.get(key);
    if (!child) {
      child = make(item);
      child.dataset.key = key;
    }
    had.delete(key);
    renew?.(child, item);
    return child;
  });
  for (const child of had.values()) child.remove();
  wanted.forEach((child, index) => {
    if (host.children[index] !== child) host.insertBefore(child, host.children[index] ?? null);
  });
}

export const byId = (id) => document.getElementById(id);
