// Facts by hand: a whole stroke (camera off, or one that it missed), or one fact of a ruled stroke.

import { ballToken, OBJECT_BALLS } from "./balls.js";
import { inLanguage } from "./acts.js";
import { el, refill } from "./dom.js";
import { anyOf, button, oneOf, openSheet, pocketChoice, twoTaps } from "./sheet.js";
import { ballName, pocketName, t } from "./words.js";

const NONE = "none";
const PLACEMENTS = ["behind", "on_line", "in_front"];

/** A whole stroke. The call that stands fills in the likely course: one tap for "made as called". */
export function openShot({ state, acts }) {
  const balls = state.rack.balls;
  const { call, kind } = state.next_shot;
  const isBreak = state.rack.phase === "break";
  const first = firstContact(state, balls, state.rack.lowest);
  const after = railBalls(state, balls, t(isBreak ? "facts.rails_break" : "facts.rails_after"), []);
  const before = railBalls(state, balls, t("facts.rails_before"), []);
  const fell = pocketedBalls(state, balls, []);
  const off = ballChoice(state, ["cue", ...balls], t("facts.off_table"), []);
  const moving = ballChoice(state, ["cue", ...balls], t("facts.moving"), []);
  const placement = oneOf(t("facts.placement"), PLACEMENTS.map((name) => [name, t(`placement.${name}`)]), { value: "behind" });
  const shooter = oneOf(t("facts.shooter"), ["A", "B"].map((who) => [who, state.match.players[who]]), { value: state.rack.at_table });
  const post = async (facts) => {
    if (await acts.post("/api/v1/shots", { facts })) sheet.close();
  };
  const send = () => {
    const facts = {
      first_contact: first.value, rails_before_contact: before.values, rails_after_contact: after.values,
      pocketed: fell.value, off_table: off.values, moving_at_start: moving.values,
    };
    if (isBreak) facts.placement = placement.value;
    if (shooter.value !== state.rack.at_table) facts.shooter = shooter.value;
    post(facts);
  };
  const quick = [];
  if (call && kind === "normal" && !isBreak) {
    quick.push(button(t("facts.made", { ball: ballName(call.ball), pocket: pocketName(call.pocket) }),
      () => post({ first_contact: state.rack.lowest, pocketed: [{ ball: call.ball, pocket: call.pocket }] }), { kind: "primary", id: "made" }));
  }
  const rare = el("details", null, el("summary", null, t("facts.rare")), el("div", { class: "stack" }, before.node, off.node, moving.node, shooter.node));
  const sheet = openSheet({
    title: t("facts.shot_title", { number: state.next_shot.number, player: state.match.players[state.rack.at_table] }), name: "facts",
    body: [quick.length > 0 && el("div", { class: "row quick" }, quick), isBreak && placement.node, first.node, after.node, fell.node, rare],
    foot: [button(t("facts.rule"), send, { kind: "primary", id: "shot-send" })],
  });
}

/** Corrects one fact of the stroke of `ruling`; the stroke is ruled again, and all after it. */
export function openCorrection({ state, acts, ruling }) {
  const facts = Object.fromEntries(ruling.facts.map(({ fact, value }) => [fact, value]));
  const balls = ballsBefore(state, ruling, facts);
  const correct = (fact, value) => async () => {
    if (await withLate(acts, { type: "correct_fact", shot: ruling.shot, fact, value: value() })) sheet.close();
  };
  const part = (fact, node, value) => el("section", { class: "fact", "data-fact": fact }, node,
    button(t("facts.change"), correct(fact, value), { kind: "primary", "data-change": fact }));
  const first = firstContact(state, balls, facts.first_contact ?? null);
  const after = railBalls(state, balls, t("facts.rails_after"), facts.rails_after_contact ?? []);
  const before = railBalls(state, balls, t("facts.rails_before"), facts.rails_before_contact ?? []);
  const fell = pocketedBalls(state, balls, facts.pocketed ?? []);
  const off = ballChoice(state, ["cue", ...balls], t("facts.off_table"), facts.off_table ?? []);
  const moving = ballChoice(state, ["cue", ...balls], t("facts.moving"), facts.moving_at_start ?? []);
  const placement = oneOf(t("facts.placement"), PLACEMENTS.map((name) => [name, t(`placement.${name}`)]), { value: facts.placement ?? null });
  const shooter = oneOf(t("facts.shooter"), ["A", "B"].map((who) => [who, state.match.players[who]]), { value: ruling.shooter });
  const tabs = [
    ["first_contact", part("first_contact", first.node, () => first.value)],
    ["pocketed", part("pocketed", fell.node, () => fell.value)],
    ["rails_after_contact", part("rails_after_contact", after.node, () => after.values)],
    ["rails_before_contact", part("rails_before_contact", before.node, () => before.values)],
    ["off_table", part("off_table", off.node, () => off.values)],
    ["moving_at_start", part("moving_at_start", moving.node, () => moving.values)],
    ["shooter", part("shooter", shooter.node, () => shooter.value)],
    ["placement", part("placement", placement.node, () => placement.value)],
    ["call", callPart(state, acts, ruling, balls, () => sheet.close())],
  ];
  const place = el("div");
  const which = oneOf(t("facts.which"), tabs.map(([name]) => [name, t(`fact.${name}`)]), {
    value: "first_contact", onpick: (name) => refill(place, tabs.find(([key]) => key === name)[1]),
  });
  refill(place, tabs[0][1]);
  const sheet = openSheet({
    title: t("facts.correct_title", { shot: ruling.shot }), name: "facts correction",
    body: [el("p", { class: "dim" }, inLanguage(ruling, "sentence")), which.node, place],
    foot: [twoTaps(t("facts.no_stroke"), t("sheet.again"), async () => {
      if (await withLate(acts, { type: "void_shot", shot: ruling.shot })) sheet.close();
    })],
  });
}

/** The stroke after it was played already: asked once more, then changed all the same. */
async function withLate(acts, action) {
  const said = await acts.post("/api/v1/actions", action, { quiet: true });
  if (!said || said.ok !== false) return said;
  if (said.error !== "locked") {
    acts.told(inLanguage(said, "sentence") || t("act.failed", { status: said.error }), true);
    return null;
  }
  return (await asked(t("facts.late"))) ? acts.post("/api/v1/actions", { ...action, late: true }) : null;
}

function asked(text) {
  return new Promise((done) => {
    const dialog = el("dialog", { class: "ask" }, el("div", { class: "sheet-body" }, el("p", null, text)),
      el("div", { class: "sheet-foot" }, button(t("sheet.cancel"), () => dialog.close("")), button(t("sheet.yes"), () => dialog.close("yes"), { kind: "primary", id: "ask-yes" })));
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function callPart(state, acts, ruling, balls, close) {
  const was = (ruling.declared ?? []).findLast((item) => item.type === "call") ?? null;
  const ball = oneOf(t("call.ball"), balls.map((name) => [name, ballToken(name, state.ballSet), ballName(name)]), { value: was?.ball ?? null, pick: true });
  const pocket = pocketChoice(t("call.pocket"), { value: was?.pocket ?? null });
  return el("section", { class: "fact", "data-fact": "call" }, ball.node, pocket.node,
    button(t("facts.change"), async () => {
      if (!ball.value || !pocket.value) return;
      const body = { type: "correct_call", shot: ruling.shot, to: { ball: ball.value, pocket: pocket.value } };
      if (was) body.from = { ball: was.ball, pocket: was.pocket };
      if (await withLate(acts, body)) close();
    }, { kind: "primary", "data-change": "call" }));
}

/** The balls that were on the table when the stroke began, as far as it is known; else all. */
function ballsBefore(state, ruling, facts) {
  const earlier = state.rulings.slice(state.rulings.indexOf(ruling) + 1).find((other) => other.row?.balls_after);
  const named = [facts.first_contact ?? [], (facts.pocketed ?? []).map((item) => item.ball), facts.off_table ?? []].flat();
  const all = new Set([...(earlier?.row.balls_after ?? OBJECT_BALLS), ...named]);
  return OBJECT_BALLS.filter((ball) => all.has(ball));
}

function firstContact(state, balls, value) {
  const several = Array.isArray(value) ? value : null;
  const choices = [...balls.map((ball) => [ball, ballToken(ball, state.ballSet), ballName(ball)]), [NONE, t("facts.no_ball")]];
  const one = oneOf(t("facts.first"), choices, { value: several ? null : (value ?? NONE), pick: true, onpick: () => (split = null) });
  let split = several;
  const note = several && el("p", { class: "dim" }, t("facts.together", { balls: several.join(", ") }));
  return { node: el("div", null, one.node, note), get value() { return split ?? (one.value === NONE ? null : one.value); } };
}

function ballChoice(state, balls, legend, values) {
  return anyOf(legend, balls.map((ball) => [ball, ballToken(ball, state.ballSet), ballName(ball)]), { values, pick: true });
}

const railBalls = (state, balls, legend, values) => ballChoice(state, ["cue", ...balls], legend, values);

/** Balls that fell, each with its pocket. */
function pocketedBalls(state, balls, value) {
  const now = new Map(value.map(({ ball, pocket }) => [ball, pocket]));
  const rows = el("div", { class: "fell" });
  const renew = () => refill(rows, [...now.keys()].map((ball) => {
    const choice = pocketChoice(null, { value: now.get(ball), onpick: (pocket) => now.set(ball, pocket) });
    return el("div", { class: "fell-row", "data-fell": ball }, ballToken(ball, state.ballSet), choice.node);
  }));
  const which = anyOf(t("facts.pocketed"), ["cue", ...balls].map((ball) => [ball, ballToken(ball, state.ballSet), ballName(ball)]), {
    values: [...now.keys()], pick: true,
    onpick: (values) => {
      for (const ball of [...now.keys()]) if (!values.includes(ball)) now.delete(ball);
      for (const ball of values) if (!now.has(ball)) now.set(ball, state.next_shot.call?.ball === ball ? state.next_shot.call.pocket : null);
      renew();
    },
  });
  renew();
  return {
    node: el("div", null, which.node, rows),
    get value() { return [...now].map(([ball, pocket]) => ({ ball, pocket })); },
  };
}
