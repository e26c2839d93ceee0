// The ruling in one sentence, with the facts it rests on. A fact that is tapped can be corrected.

import { inLanguage } from "./acts.js";
import { el, refill } from "./dom.js";
import { button } from "./sheet.js";
import { languageNow, t } from "./words.js";

const MOST_FACTS = 5;
/** Longer sentences are set smaller, so that they fit into their place. */
const LONG = 98;

/** The ruling to show: the newest. */
export const newestRuling = (state) => state.rulings[0] ?? null;

/** The newest ruling that is about a stroke. */
export const newestShot = (state) => state.rulings.find((ruling) => ruling.shot !== null) ?? null;

/** "legal", "foul" or "open", for colour; never colour alone: the words say it too. */
export function tone(ruling) {
  if (!ruling) return "";
  if (ruling.provisional) return "open";
  return ruling.legal === false ? "foul" : ruling.legal ? "legal" : "";
}

export class RulingView {
  constructor(root, { why, correct }) {
    this.root = root;
    this.why = why;
    this.correct = correct;
    this.words = root.querySelector("#ruling-words");
    this.facts = root.querySelector("#ruling-facts");
  }

  render(state) {
    const ruling = newestRuling(state);
    const shot = newestShot(state);
    const key = JSON.stringify([ruling, shot?.record, state.shot.locked, languageNow()]);
    if (this.shown === key) return;
    this.shown = key;
    this.root.className = `panel ${tone(ruling)}`;
    this.root.classList.toggle("long", inLanguage(ruling, "sentence").length + (ruling?.provisional ? 12 : 0) > LONG);
    if (!ruling) {
      refill(this.words, el("span", { class: "dim" }, t("ruling.none")));
      refill(this.facts);
      return;
    }
    refill(this.words, ruling.provisional && el("span", { class: "chip open" }, t("ruling.provisional")), ruling.provisional && " ",
      ruling.changed && el("span", { class: "chip" }, t("ruling.changed")), ruling.changed && " ", inLanguage(ruling, "sentence"));
    const about = ruling.shot === null ? null : ruling;
    refill(this.facts,
      el("div", { class: "facts" }, about ? factWords(about) : t("ruling.said")),
      about && button(t("ruling.correct"), () => this.correct(about), { id: "correct" }),
      button(t("ruling.why"), () => this.why(ruling), { id: "why" }));
  }
}

/** The facts in one line: "first contact: 3 · rails: 3, 5". */
export function factWords(ruling) {
  const sure = (fact) => (fact.sure || fact.fact !== "first_contact" ? inLanguage(fact) : `${inLanguage(fact)} ?`);
  const telling = ({ fact, value }) => fact === "rails_after_contact" || !Array.isArray(value) || value.length > 0;
  return ruling.facts.filter(telling).slice(0, MOST_FACTS).map(sure).join(" · ") || t("ruling.no_facts");
}

/** A margin as people say it: "margin 3.1 mm", or how sure it is: "70 % sure". */
export function marginWords(margin) {
  const share = /^p ([\d.]+)$/.exec(margin);
  return share ? t("card.sure", { percent: Math.round(Number(share[1]) * 100) }) : t("card.margin", { margin });
}

/** What a piece of evidence shows, with the margin in mm or ms that the fact has. */
export function evidenceWords(ruling, evidence) {
  const fact = ruling?.facts.find((one) => one.evidence === evidence.id);
  const finding = fact ? null : ruling?.findings.find((one) => one.margin && ruling.evidence[0]?.id === evidence.id);
  const margin = fact?.margin ?? finding?.margin;
  const words = fact ? inLanguage(fact) : inLanguage(evidence);
  return margin ? `${words} · ${marginWords(margin)}` : words;
}
