// The head of the console: both players with their fouls, the score, and the state of the link.

import { el, mark, refill, say } from "./dom.js";
import { languageNow, t } from "./words.js";

const MOST_FOULS = 3;

export class Head {
  constructor(root, { link, onLink }) {
    this.root = root;
    this.link = link;
    this.players = Object.fromEntries(["A", "B"].map((who) => [who, this.#player(who)]));
    this.lamp = root.querySelector("#link");
    this.lamp?.addEventListener("click", onLink);
  }

  #player(who) {
    const node = this.root.querySelector(`#player-${who}`);
    const name = el("div", { class: "name" });
    const notes = el("div", { class: "notes" });
    const pips = Array.from({ length: MOST_FOULS }, () => el("span", { class: "pip" }));
    const fouls = el("span", { class: "pips", role: "img" }, pips);
    refill(node, el("div", { class: "name-box" }, name, notes), fouls);
    return { node, name, notes, pips, fouls };
  }

  render(state) {
    const { rack, match, score } = state;
    const live = !rack.over;
    for (const [who, parts] of Object.entries(this.players)) {
      const fouls = rack.fouls[who];
      say(parts.name, match.players[who]);
      say(parts.notes, this.#notes(state, who));
      parts.node.classList.toggle("acts", live && rack.at_table === who);
      mark(parts.node, "aria-current", live && rack.at_table === who ? "true" : null);
      parts.pips.forEach((pip, index) => pip.classList.toggle("set", index < fouls));
      mark(parts.fouls, "aria-label", t("head.fouls", { fouls }));
      mark(parts.fouls, "data-fouls", fouls);
    }
    const race = match.race_to ? t("head.race", { racks: match.race_to }) : t("head.rack", { number: rack.number });
    const figures = `${score.A} : ${score.B}`;
    const box = this.root.querySelector("#score");
    if (box.dataset.shown !== figures + race) {
      box.dataset.shown = figures + race;
      refill(box, el("span", { class: "figures" }, figures), el("span", { class: "race" }, race));
    }
  }

  #notes({ rack }, who) {
    const notes = [];
    if (rack.breaker === who) notes.push(t("head.breaker"));
    if (rack.fouls[who] >= 2) notes.push(rack.warned[who] ? t("head.warned") : t("head.not_warned"));
    if (rack.extensions_used?.[who]) notes.push(t("head.extension_used"));
    if (rack.stalemate_turns_left) notes.push(t("head.turns_left", { turns: rack.stalemate_turns_left[who] }));
    return notes.join(" · ");
  }

  /** The lamp: live, lost, and who this page is. */
  lampState(status, role, state) {
    if (!this.lamp) return;
    const level = status === "live" ? (state?.health?.level === "green" ? "" : "waiting") : "lost";
    this.lamp.className = `plain ${level}`;
    const text = status !== "live" ? t("link.lost") : role === "referee" ? t("link.live") : t("link.watching");
    if (this.lamp.dataset.shown === text + level) return;
    this.lamp.dataset.shown = text + level;
    refill(this.lamp, el("span", { class: "lamp" }), el("span", null, text));
    this.lamp.title = languageNow() && t("link.title");
  }
}
