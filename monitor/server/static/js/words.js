// One catalogue of words for each language; every text of the pages comes from it.

const LANGUAGES = ["en", "cs"];
const KEPT = "table-monitor.language";

let catalogue = {};
let language = "en";
const listeners = new Set();

/** The language in use: "en" or "cs". */
export function languageNow() {
  return language;
}

/** Reads the catalogue of `wanted` (else the one kept from last time, else the browser's). */
export async function speak(wanted) {
  const first = wanted ?? new URLSearchParams(location.search).get("lang") ?? kept() ?? navigator.language.slice(0, 2);
  const name = LANGUAGES.includes(first) ? first : "en";
  const answer = await fetch(new URL(`../lang/${name}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no words for ${name}`);
  catalogue = await answer.json();
  language = name;
  document.documentElement.lang = name;
  if (wanted) localStorage.setItem(KEPT, name);
  translate(document);
  for (const listener of listeners) listener(name);
}

function kept() {
  return localStorage.getItem(KEPT);
}

/** Calls `listener` after each change of language. */
export function onLanguage(listener) {
  listeners.add(listener);
}

/** The text for `key` with `{names}` filled in. A key that is missing shows itself. */
export function t(key, values = {}) {
  const text = catalogue[key];
  if (text === undefined) {
    console.error(`no words for "${key}" in ${language}`);
    return key;
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** True when the catalogue has `key`. */
export function has(key) {
  return key in catalogue;
}

/** The text for a count: `key.one`, `key.few` (2 to 4, Czech), `key.many`. */
export function counted(key, count) {
  const form = new Intl.PluralRules(language).select(count);
  const name = form === "one" || form === "few" ? `${key}.${form}` : `${key}.many`;
  return t(has(name) ? name : `${key}.many`, { count });
}

/** Fills every element that carries `data-t` (text), `data-t-label` or `data-t-title`. */
export function translate(root) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-t-label]")) node.setAttribute("aria-label", t(node.dataset.tLabel));
  for (const node of root.querySelectorAll("[data-t-title]")) node.title = t(node.dataset.tTitle);
  for (const node of root.querySelectorAll("[data-t-hint]")) node.placeholder = t(node.dataset.tHint);
}

export const ballName = (ball) =>
  ball === "cue" ? t("ball.cue") : /^u\d+$/.test(ball) ? t("ball.unknown", { name: ball }) : t("ball.number", { ball });

export const pocketName = (pocket) => t(`pocket.${pocket}`);
