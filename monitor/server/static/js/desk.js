// The desk: what waits for the referee as cards, and below it what has been ruled.

import { inLanguage } from "./acts.js";
import { el, keyed, mark, refill, say } from "./dom.js";
import { marginWords, tone } from "./ruling.js";
import { button, twoTaps } from "./sheet.js";
import { ballName, languageNow, t } from "./words.js";

const MOST_ROWS = 12;
const NEAR_MM = 5;

export class Desk {
  constructor(root, { link, act, showClip, openRuling, openRecords }) {
    Object.assign(this, { link, act, showClip, openRuling });
    this.cards = root.querySelector("#cards");
    this.list = el("ol");
    this.title = el("span");
    this.more = button("", openRecords, { kind: "plain" });
    refill(root.querySelector("#journal"), el("h2", null, this.title, this.more), this.list);
  }

  render(state) {
    this.state = state;
    const cards = state.cards.filter((card) => card.kind !== "loss").map((card) => ({ ...card, key: card.id }));
    if (state.spotting) cards.unshift({ ...state.spotting, kind: "spotting", key: "spotting" });
    if (state.restore) cards.unshift({ ...state.restore, kind: "restore", key: "restore" });
    const reasons = (state.health.reasons ?? []).filter((reason) => reason.level !== "green");
    if (reasons.length) cards.push({ kind: "health", key: "health", reasons });
    if (!cards.length) cards.push({ kind: "nothing", key: "nothing" });
    keyed(this.cards, cards, (card) => `${card.key}/${card.shot ?? ""}/${card.point ?? ""}/${card.balls?.map(({ ball }) => ball) ?? ""}/${languageNow()}`, (card) => this.#make(card), (node, card) => this.#renew(node, card));
    say(this.title, t("journal.title"));
    say(this.more, t("journal.all"));
    const later = new Set();
    const rows = state.rulings.slice(0, MOST_ROWS).map((ruling) => {
      const shot = ruling.shot ?? ruling.after_shot;
      const past = later.has(shot);
      later.add(shot);
      return { ruling, past };
    });
    keyed(this.list, rows, ({ ruling, past }) => `${ruling.record}${ruling.changed}${past}${languageNow()}`, (row) => this.#row(row));
  }

  /** Live distances between two snapshots. */
  frame(frame) {
    if (this.state?.restore) this.#distances(frame.balls);
    if (this.state?.spotting) this.#spotDistance(frame.balls);
  }

  #make(card) {
    if (card.kind === "nothing") return el("p", { class: "dim nothing" }, t("desk.nothing"));
    if (card.kind === "health") return el("article", { class: "card health" }, el("div", { class: "title" }, t("card.health")), el("ul"));
    if (card.kind === "spotting") return this.#spotting(card);
    if (card.kind === "restore") return this.#restore(card);
    const evidence = this.#evidence(card);
    return el("article", { class: `card ${card.kind}`, "data-card": card.id },
      el("div", { class: "title" }, t(`card.${card.kind}`), card.article && " ", card.article && el("span", { class: "article" }, card.article), " ", inLanguage(card, "title")),
      el("div", { class: "ask" }, inLanguage(card)),
      card.margin && el("div", { class: "dim" }, marginWords(card.margin)),
      el("div", { class: "row clip" }, evidence && button(t("card.clip"), () => this.showClip(this.#evidence(card) ?? evidence))),
      el("div", { class: "row answers" }, card.answers.map((answer) => this.#answer(card, answer))));
  }

  #answer(card, answer) {
    const text = inLanguage(answer);
    const act = () => this.act(answer.action);
    const props = { "data-answer": answer.id };
    if (card.kind === "loss" && answer.id === "confirm") return twoTaps(text, t("sheet.again"), act, props);
    return button(text, act, { ...props, kind: answer.id === "confirm" ? "primary" : "" });
  }

  #renew(node, card) {
    if (card.kind === "health") {
      node.classList.toggle("red", card.reasons.some((reason) => reason.level === "red"));
      keyed(node.querySelector("ul"), card.reasons, (reason) => reason.id, () => el("li"), (item, reason) => say(item, inLanguage(reason)));
    }
    if (card.kind === "restore") this.#distances(this.link.frame?.balls ?? this.state.table.balls);
    if (card.kind === "spotting") this.#spotDistance(this.link.frame?.balls ?? this.state.table.balls);
    const clip = node.querySelector?.(".clip");
    if (clip && !clip.children.length && this.#evidence(card)) clip.append(button(t("card.clip"), () => this.showClip(this.#evidence(card))));
  }

  #evidence(card) {
    if (card.evidence === null || card.evidence === undefined) return null;
    for (const ruling of this.state.rulings) {
      const found = ruling.evidence.find((item) => item.id === card.evidence);
      if (found) return found;
    }
    return null;
  }

  #spotting(card) {
    this.spotNode = el("span", { class: "now" }, "–");
    return el("article", { class: "card spotting", "data-card": "spotting" },
      el("div", { class: "title" }, t("card.spotting"), " ", el("span", { class: "article" }, "9.9")),
      el("div", { class: "ask" }, inLanguage(card)),
      card.point && el("div", { class: "measure" }, el("span", null, t("card.from_foot_spot")), el("strong", null, offset(card, this.state.table))),
      card.point && el("div", { class: "measure" }, el("span", null, t("card.lies_off", { ball: ballName(card.ball) })), this.spotNode),
      el("div", { class: "row" }, button(t("card.spotted"), () => this.act(card.action), { kind: "primary", "data-answer": "spotted" })));
  }

  #spotDistance(balls = {}) {
    const { spotting } = this.state;
    const now = balls[spotting.ball] ?? spotting.now;
    this.cards.querySelector("[data-card=spotting]")?.classList.toggle("done", Boolean(spotting.done));
    if (this.spotNode && spotting.point) sayDistance(this.spotNode, now && Math.hypot(now[0] - spotting.point[0], now[1] - spotting.point[1]));
  }

  #restore(card) {
    const known = card.balls.some((ball) => ball.last);
    this.ghosts = card.balls.map((ball) => ({ ...ball, node: el("strong", { class: "now" }, "–") }));
    return el("article", { class: "card restore", "data-card": "restore" },
      el("div", { class: "title" }, t(`restore.${card.why}`)),
      el("div", { class: "ask" }, t(known ? "restore.how" : "restore.unknown")),
      this.ghosts.map(({ ball, node }) => el("div", { class: "measure", "data-ball": ball }, el("span", null, ballName(ball)), node)),
      card.action && el("div", { class: "row" }, button(t("card.restored"), () => this.act(card.action), { kind: "primary", "data-answer": "restored" })));
  }

  #distances(balls = {}) {
    for (const ghost of this.ghosts ?? []) {
      const now = balls[ghost.ball] ?? ghost.now;
      sayDistance(ghost.node, now && ghost.last && Math.hypot(now[0] - ghost.last[0], now[1] - ghost.last[1]));
    }
  }

  /** `past`: what was said since about the same shot holds instead. */
  #row({ ruling, past }) {
    const node = el("li", { class: past ? "past" : tone(ruling) }, el("time", null, ruling.shot === null ? "•" : t("journal.shot", { shot: ruling.shot })),
      el("button", { type: "button", class: "plain", onclick: () => this.openRuling(ruling) }, inLanguage(ruling, "sentence")));
    mark(node, "data-record", ruling.record);
    return node;
  }
}

function sayDistance(node, distance_m) {
  const known = typeof distance_m === "number";
  say(node, known ? `${(distance_m * 1000).toFixed(0)} mm` : t("card.not_seen"));
  node.classList.toggle("near", known && distance_m * 1000 <= NEAR_MM);
}

function offset({ point }, table) {
  const x_mm = (point[0] - table.length_m / 4) * 1000;
  if (Math.abs(x_mm) < 0.5) return t("card.on_foot_spot");
  return t(x_mm > 0 ? "card.toward_foot" : "card.toward_head", { mm: Math.abs(x_mm).toFixed(0) });
}
