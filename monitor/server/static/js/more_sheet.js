// Everything a referee needs seldom: position, clock, stalemate, rack and match, notes.

import { inLanguage } from "./acts.js";
import { ballToken } from "./balls.js";
import { el } from "./dom.js";
import { openUnsporting } from "./foul_sheet.js";
import { anyOf, button, group, oneOf, openSheet, pocketChoice, twoTaps } from "./sheet.js";
import { ballName, languageNow, speak, t } from "./words.js";

const FOULS = ["6.4", "6.6", "6.7", "6.8", "6.12", "6.13", "6.16"];

const players = (state) => ["A", "B"].map((who) => [who, state.match.players[who]]);
const tokens = (state, balls) => balls.map((ball) => [ball, ballToken(ball, state.ballSet), ballName(ball)]);

/** The sheet of sheets. */
export function openMore({ state, act, newMatch, openRecords, openNotJudged, openKeys }) {
  const go = (open) => () => { sheet.close(); open(); };
  const now = (action) => async () => { if (await act(action)) sheet.close(); };
  const name = (who) => state.match.players[who];
  const twice = (text, action) => twoTaps(text, t("sheet.again"), now(action));
  const sheet = openSheet({
    title: t("more.title"), name: "more",
    body: [
      group(t("more.position"), [
        twice(t("more.replay"), { type: "replay" }),
        button(t("more.interference"), go(() => openBall({ state, act, kind: "interference" }))),
        button(t("more.restore"), go(() => openRestore({ state, act }))),
        button(t("more.fell"), go(() => openBall({ state, act, kind: "ball_fell_by_itself" }))),
        button(t("more.set_state"), go(() => openSetState({ state, act }))),
        twice(t("more.cannot_restore"), { type: "cannot_restore" }),
      ]),
      state.rack.phase === "break" && group(t("more.placement"), ["behind", "in_front"].map((result) =>
        button(t(`placement.${result}`), now({ type: "placement_check", result })))),
      group(t("more.pace"), [
        button(t("more.clock"), go(() => openClock({ state, act })), { id: "more-clock" }),
        button(t("more.time_out"), now({ type: "time_out" })),
        button(t("more.protest"), now({ type: "protest" })),
        button(t("foul.unsporting"), go(() => openUnsporting({ state, act }))),
        button(t("more.call_requested"), now({ type: "call_requested" })),
      ]),
      group(t("more.stalemate"), [
        button(t("more.announce"), now({ type: "stalemate_announce" }), { disabled: Boolean(state.rack.stalemate_turns_left) }),
        ...["A", "B"].map((who) => button(t("more.agrees", { player: name(who) }), now({ type: "stalemate_agree", by: who }), { disabled: state.rack.stalemate_agreed?.includes(who) })),
        twice(t("more.declare"), { type: "stalemate_declare" }),
      ]),
      group(t("more.rack"), [
        button(t("strip.next_rack"), now({ type: "next_rack" }), { disabled: !state.rack.over }),
        twice(t("more.rerack"), { type: "rerack" }),
        button(t("more.concede"), go(() => openConcede({ state, act }))),
        button(t("more.lag"), go(() => openLag({ state, act }))),
        button(t("more.new_match"), go(newMatch), { id: "more-new-match" }),
      ]),
      group(t("more.calls"), [
        button(state.redo ? t("more.redo_what", { what: inLanguage(state.redo) }) : t("more.redo"), now({ type: "redo", record: state.redo?.record }), { disabled: !state.redo, id: "redo" }),
        button(t("more.withdraw_foul"), go(() => openRule({ state, act, type: "withdraw_foul" }))),
        button(t("more.late_claim"), go(() => openRule({ state, act, type: "late_foul_call" }))),
        button(t("more.note"), go(() => openNote({ act }))),
      ]),
      group(t("more.records"), [
        button(t("journal.all"), go(openRecords)),
        button(t("more.not_judged"), go(openNotJudged)),
        button(t("keys.title"), go(openKeys)),
        button(languageNow() === "cs" ? "English" : "Česky", go(() => speak(languageNow() === "cs" ? "en" : "cs")), { lang: languageNow() === "cs" ? "en" : "cs" }),
        el("a", { class: "button", href: "/setup" }, t("setup.title")),
      ]),
    ],
  });
}

/** The shot clock: speed-up request, clock for both, extension, pause, time out. */
export function openClock({ state, act }) {
  const { clock, rack } = state;
  const now = (action) => async () => { if (await act(action)) sheet.close(); };
  const name = (who) => state.match.players[who];
  const limit = el("input", { type: "number", min: 5, max: 600, value: clock.limit_s || 35, "aria-label": t("clock.limit") });
  const each = (legend, type, disabled = () => false) => group(legend, ["A", "B"].map((who) =>
    button(name(who), now({ type, by: who }), { disabled: disabled(who), "data-act": `${type}-${who}` })));
  const sheet = openSheet({
    title: t("clock.title"), name: "clock",
    body: clock.on ? [
      group(t("clock.running"), [
        button(t(clock.paused ? "clock.resume" : "clock.pause"), now({ type: clock.paused ? "clock_resume" : "clock_pause" })),
        button(t("clock.restart"), now({ type: "clock_restart" })),
        button(t("clock.end"), now({ type: "clock_off" })),
      ]),
      each(t("clock.extension", { seconds: clock.extension_s }), "extension", (who) => (rack.extensions_used?.[who] ?? 0) > 0),
      each(t("clock.expired"), "time_expired"),
    ] : [
      each(t("clock.speed_up"), "speed_up_request"),
      group(t("clock.both"), [el("label", { class: "inline" }, t("clock.limit"), limit),
        button(t("clock.start"), now0(() => ({ type: "clock_on", limit_s: Number(limit.value) || 35 })), { kind: "primary", id: "clock-on" })]),
    ],
  });
  function now0(make) {
    return async () => { if (await act(make())) sheet.close(); };
  }
}

function openBall({ state, act, kind }) {
  const fell = kind === "ball_fell_by_itself";
  const ball = oneOf(t("more.which_ball"), tokens(state, fell ? state.rack.balls : ["cue", ...state.rack.balls]), { pick: true });
  const pocket = pocketChoice(t("call.pocket"));
  const send = async () => {
    const body = { type: kind };
    if (ball.value) body.ball = ball.value;
    if (fell && pocket.value) body.pocket = pocket.value;
    if (fell && !ball.value) return;
    if (await act(body)) sheet.close();
  };
  const sheet = openSheet({ title: t(fell ? "more.fell" : "more.interference"), body: [ball.node, fell && pocket.node], foot: [button(t("sheet.enter"), send, { kind: "primary" })] });
}

function openRestore({ state, act }) {
  const balls = anyOf(t("more.which_balls"), tokens(state, ["cue", ...state.rack.balls]), { pick: true });
  const sheet = openSheet({
    title: t("more.restore"), body: [el("p", { class: "dim" }, t("restore.how")), balls.node],
    foot: [button(t("sheet.enter"), async () => { if (await act({ type: "restore", balls: balls.values })) sheet.close(); }, { kind: "primary" })],
  });
}

/** The rack as the referee says it is. */
export function openSetState({ state, act }) {
  const { rack } = state;
  const balls = anyOf(t("state.balls"), tokens(state, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]), { values: rack.balls, pick: true });
  const who = oneOf(t("state.at_table"), players(state), { value: rack.at_table });
  const phase = oneOf(t("state.phase"), ["break", "second_shot", "normal"].map((name) => [name, t(`phase.${name}`)]), { value: rack.phase });
  const hand = oneOf(t("state.cue_ball"), [["in_place", "in_place"], ["anywhere", "in_hand_anywhere"], ["behind_head_string", "behind_head_string"]].map(([value, name]) => [value, t(`cue_ball.${name}`)]),
    { value: rack.cue_ball === "in_hand_anywhere" ? "anywhere" : rack.cue_ball });
  const fouls = Object.fromEntries(players(state).map(([side, name]) => [side, oneOf(t("state.fouls", { player: name }), [0, 1, 2].map((n) => [n, String(n)]), { value: rack.fouls[side], pick: true })]));
  const sheet = openSheet({
    title: t("more.set_state"), name: "set-state",
    body: [el("p", { class: "dim" }, t("state.how")), balls.node, who.node, phase.node, hand.node, el("div", { class: "two" }, fouls.A.node, fouls.B.node)],
    foot: [button(t("sheet.enter"), async () => {
      const body = {
        type: "set_state", balls_on_table: balls.values, at_table: who.value, phase: phase.value,
        cue_ball_in_hand: hand.value === "in_place" ? null : hand.value, fouls: { A: fouls.A.value, B: fouls.B.value },
      };
      if (await act(body)) sheet.close();
    }, { kind: "primary" })],
  });
}

function openConcede({ state, act }) {
  const who = oneOf(t("more.who_concedes"), players(state), { onpick: () => renew() });
  const scope = oneOf(t("more.what_conceded"), ["rack", "match"].map((name) => [name, t(`scope.${name}`)]), { value: "rack", onpick: () => renew() });
  const foot = el("div");
  const renew = () => {
    const text = who.value ? t(`concede.${scope.value}`, { player: state.match.players[who.value] }) : t("more.concede");
    foot.replaceChildren(who.value ? twoTaps(text, t("sheet.again"), async () => {
      if (await act({ type: "concede", by: who.value, scope: scope.value })) sheet.close();
    }, { id: "concede-send" }) : button(text, () => {}, { disabled: true }));
  };
  const sheet = openSheet({ title: t("more.concede"), body: [who.node, scope.node], foot: [foot] });
  renew();
}

function openLag({ state, act }) {
  const sheet = openSheet({
    title: t("more.lag"), body: [group(t("more.lag_won"), players(state).map(([who, name]) => button(name, async () => {
      if (await act({ type: "lag_won", by: who })) sheet.close();
    }))), button(t("more.lag_again"), async () => {
      if (await act({ type: "lag", A: { good: false }, B: { good: false } })) sheet.close();
    })],
  });
}

function openRule({ state, act, type }) {
  const rule = oneOf(t("more.which_foul"), ["6.1", "6.2", "6.3", ...FOULS, "6.5", "6.9"].map((number) => [number, `${number} ${t(`foul.${number}`)}`]));
  const by = oneOf(t("foul.by"), players(state), { value: state.rack.at_table });
  const sheet = openSheet({
    title: t(type === "withdraw_foul" ? "more.withdraw_foul" : "more.late_claim"), body: [rule.node, type === "late_foul_call" && by.node],
    foot: [button(t("sheet.enter"), async () => {
      if (!rule.value) return;
      const body = { type, rule: rule.value };
      if (type === "late_foul_call") body.by = by.value;
      if (await act(body)) sheet.close();
    }, { kind: "primary" })],
  });
}

function openNote({ act }) {
  const text = el("textarea", { maxlength: 500, "aria-label": t("more.note") });
  const sheet = openSheet({
    title: t("more.note"), body: [text],
    foot: [button(t("sheet.enter"), async () => { if (text.value.trim() && (await act({ type: "note", text: text.value.trim() }))) sheet.close(); }, { kind: "primary" })],
  });
}
