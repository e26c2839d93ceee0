// A foul that a person calls: which article, who, meant or not; and unsporting conduct.

import { ballToken } from "./balls.js";
import { el } from "./dom.js";
import { newestShot } from "./ruling.js";
import { anyOf, button, oneOf, openSheet, twoTaps } from "./sheet.js";
import { ballName, t } from "./words.js";

/** Fouls that no camera calls by itself, then those it rules on. */
const BY_PERSON = ["6.4", "6.6", "6.7", "6.8", "6.12", "6.13", "6.16"];
const BY_CAMERA = ["6.1", "6.2", "6.3", "6.5", "6.9", "6.10", "6.15", "9.3b"];
const ENDS_RACK = new Set(["serious_foul", "loss_of_rack", "loss_of_set", "loss_of_match", "disqualification"]);
const PENALTIES = ["warning", "standard_foul", "serious_foul", "loss_of_rack", "loss_of_set", "loss_of_match", "disqualification"];
const ITEMS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Who is meant most probably: the player of the stroke just played, else the one at the table. */
export function likelyOffender(state) {
  if (state.shot.phase === "ruled" || state.shot.phase === "settling") return newestShot(state)?.shooter ?? state.rack.at_table;
  return state.rack.at_table;
}

const players = (state) => ["A", "B"].map((who) => [who, state.match.players[who]]);
const article = (number) => [number, el("span", { class: "foul-label" }, el("span", { class: "article" }, number), " ", t(`foul.${number}`))];

export function openFoul({ state, act }) {
  let rule = null;
  const call = async () => {
    const body = { type: "foul", rule, by: who.value };
    if (meant.value === "meant") body.intentional = true;
    const [ball] = balls.values;
    if (ball && ["6.6", "6.2", "6.5", "6.9", "6.16"].includes(rule)) body.ball = ball;
    if (await act(body)) sheet.close();
  };
  const foot = el("div", { class: "row" });
  const renew = () => {
    const text = rule === null ? t("foul.call") : t("foul.call_on", { article: rule, player: state.match.players[who.value] });
    // Meant, it is 6.17 and costs the rack: what ends something takes two taps.
    foot.replaceChildren(rule !== null && meant.value === "meant" ? twoTaps(`${text} → 6.17`, t("sheet.again"), call, { id: "foul-send" })
      : button(text, call, { kind: "primary", id: "foul-send", disabled: rule === null }));
    ballRow.hidden = !["6.6", "6.16"].includes(rule);
  };
  const pick = (value, other) => {
    rule = value;
    other.node.querySelectorAll("[aria-pressed]").forEach((node) => node.setAttribute("aria-pressed", "false"));
    renew();
  };
  const person = oneOf(t("foul.person"), BY_PERSON.map(article), { onpick: (value) => pick(value, camera) });
  const camera = oneOf(t("foul.camera"), BY_CAMERA.map(article), { onpick: (value) => pick(value, person) });
  const who = oneOf(t("foul.by"), players(state), { value: likelyOffender(state), onpick: () => renew() });
  const meant = oneOf(t("foul.intent"), [["accident", t("foul.accident")], ["meant", t("foul.meant")]], { value: "accident", onpick: () => renew() });
  const balls = anyOf(t("foul.ball"), ["cue", ...state.rack.balls].map((ball) => [ball, ballToken(ball, state.ballSet), ballName(ball)]), { pick: true });
  const ballRow = el("div", { hidden: true }, balls.node);
  const sheet = openSheet({
    title: t("foul.title"), name: "foul",
    body: [person.node, el("div", { class: "two" }, who.node, meant.node), ballRow, camera.node],
    foot: [button(t("foul.unsporting"), () => { sheet.close(); openUnsporting({ state, act }); }), foot],
  });
  renew();
}

/** 6.17: what was done, and what it costs. What ends the rack needs two taps. */
export function openUnsporting({ state, act }) {
  const who = oneOf(t("foul.by"), players(state), { value: likelyOffender(state), onpick: () => renew() });
  const item = oneOf(t("unsporting.item"), ITEMS.map((letter) => [letter, `${letter}) ${t(`unsporting.${letter}`)}`]), {});
  const penalty = oneOf(t("unsporting.penalty"), PENALTIES.map((name) => [name, t(`penalty.${name}`)]), { onpick: () => renew() });
  const note = el("input", { type: "text", maxlength: 200, "aria-label": t("more.note"), placeholder: t("more.note") });
  const foot = el("div", { class: "row" });
  const give = async () => {
    const body = { type: "unsporting", by: who.value, penalty: penalty.value };
    if (item.value) body.item = item.value;
    if (note.value.trim()) body.note = note.value.trim();
    if (await act(body)) sheet.close();
  };
  const renew = () => {
    const text = penalty.value ? t("unsporting.give", { penalty: t(`penalty.${penalty.value}`), player: state.match.players[who.value] }) : t("unsporting.choose");
    foot.replaceChildren(ENDS_RACK.has(penalty.value) ? twoTaps(text, t("sheet.again"), give, { id: "unsporting-send" })
      : button(text, give, { kind: "primary", id: "unsporting-send", disabled: !penalty.value }));
  };
  const sheet = openSheet({ title: t("unsporting.title"), name: "unsporting", body: [who.node, item.node, penalty.node, note], foot: [foot] });
  renew();
}
