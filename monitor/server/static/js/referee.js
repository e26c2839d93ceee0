// The referee's console: joins the live link with the parts of the page.

import { Acts, inLanguage } from "./acts.js";
import { followBallSet } from "./ball_set.js";
import { Call } from "./call.js";
import { Desk } from "./desk.js";
import { byId, el, mark, say } from "./dom.js";
import { openCorrection, openShot } from "./facts_sheet.js";
import { openFoul } from "./foul_sheet.js";
import { openFrozen } from "./frozen_sheet.js";
import { Head } from "./head.js";
import { listenToKeys } from "./keyboard.js";
import { Link, tokenKept } from "./link.js";
import { openKeys, openMatch, openToken } from "./match_sheet.js";
import { openClock, openMore } from "./more_sheet.js";
import { newestShot, RulingView } from "./ruling.js";
import { openNotJudged, openRecords, openRuling } from "./ruling_sheet.js";
import { Strip } from "./strip.js";
import { cameraOf, contactsMarked, firstLook, pathsToPockets, shapeNow } from "./table_state.js";
import { TableView } from "./table_view.js";
import { Video } from "./video.js";
import { languageNow, onLanguage, pocketName, speak, t } from "./words.js";

const NOTHING = { paths: {}, events: [] };
const TOAST_MS = 4500;
const TURN = "table-monitor.turn";
const LARGE = "table-monitor.large";
const PHONE = matchMedia("(max-width: 719px)");

await speak();

const link = new Link({ token: tokenKept() });
window.tableLink = link;
const acts = new Acts(link, { told, wantToken: askToken });
/** What changes nothing that can be seen is said to be on record. */
const UNSEEN = new Set(["speed_up_request", "protest", "time_out", "note", "late_foul_call", "call_requested", "placement_check", "interference"]);

async function act(action) {
  const said = await acts.act(action);
  if (said && !said.refused && UNSEEN.has(action.type)) told(t("act.recorded"), false);
  return said;
}

const page = { state: null, ballSet: "standard", turn: Number(localStorage.getItem(TURN)) || 0 };

const sheets = {
  newMatch: () => openMatch({ state: page.state, acts }),
  clock: () => page.state && openClock({ state: page.state, act }),
  records: () => openRecords({ state: page.state }),
  notJudged: () => openNotJudged({ state: page.state }),
  keys: () => openKeys({ keys: KEYS.map(([key, words]) => [key, t(words)]) }),
  why: (ruling) => openRuling({ state: page.state, ruling, correct: sheets.correct }),
  correct: (ruling) => openCorrection({ state: page.state, acts, ruling }),
  foul: () => page.state && openFoul({ state: page.state, act }),
  frozen: () => page.state && openFrozen({ state: page.state, act }),
  shot: () => page.state && openShot({ state: page.state, acts }),
  more: () => page.state && openMore({ state: page.state, act, newMatch: sheets.newMatch, openRecords: sheets.records, openNotJudged: sheets.notJudged, openKeys: sheets.keys }),
};

const table = new TableView(byId("table-host"), {
  onBall: (ball) => call.ball(ball),
  onPocket: (pocket) => call.pocket(pocket),
  words: { table: () => t("table.alt"), pocket: pocketName },
});
const call = new Call(document, { act, told, chose: (ball) => table.update({ chosen: ball }) });
const head = new Head(byId("head"), { link, onLink: () => (link.status === "live" ? askToken() : link.retry()) });
const strip = new Strip(byId("strip"), { link, act, newMatch: sheets.newMatch, openClock: sheets.clock });
const ruling = new RulingView(byId("ruling"), { why: sheets.why, correct: sheets.correct });
const video = new Video(document);
const desk = new Desk(byId("desk"), { link, act, showClip, openRuling: sheets.why, openRecords: sheets.records });

const KEYS = [
  ["1 2 … 0", "keys.balls"], ["Q W E A S D", "keys.pockets"], ["C", "keys.clear"], ["Y", "keys.safety"], ["P", "keys.push_out"],
  ["Z", "keys.frozen"], ["F", "keys.foul"], ["H", "keys.shot"], ["K", "keys.correct"], ["U", "keys.undo"], ["X", "keys.extension"],
  ["T", "keys.pause"], ["N", "keys.next"], ["V", "keys.video"], ["M", "keys.more"], ["?", "keys.help"],
];

const ACTIONS = [
  { id: "safety", key: "y", text: () => t("action.safety"), run: safety, on: (s) => s.rack.safety_available && !s.rack.over, pressed: (s) => s.next_shot.kind === "safety" },
  { id: "frozen", key: "z", text: () => t("action.frozen"), run: sheets.frozen, on: (s) => !s.rack.over },
  { id: "foul", key: "f", text: () => t("action.foul"), run: sheets.foul, on: () => true },
  { id: "shot", key: "h", text: () => t("action.shot"), run: sheets.shot, on: (s) => !s.rack.over, main: (s) => ["none", "ended", "failed", "missing"].includes(cameraOf(s)) },
  { id: "fix", key: "k", text: () => t("action.correct"), run: correctLast, on: (s) => newestShot(s) !== null },
  { id: "undo", key: "u", text: () => t("action.undo"), run: undo, on: (s) => s.undo !== null, note: (s) => s.undo && inLanguage(s.undo) },
  { id: "more", key: "m", text: () => t("action.more"), run: sheets.more, on: () => true },
];

for (const action of ACTIONS) {
  action.label = el("span", { class: "label" });
  action.small = el("small", { class: "undo-note" });
  action.node = el("button", { type: "button", id: `act-${action.id}`, onclick: action.run, "aria-keyshortcuts": action.key }, action.label,
    action.note ? action.small : el("kbd", { "aria-hidden": "true" }, action.key.toUpperCase()));
  byId("actions").append(action.node);
}

byId("waiting").addEventListener("click", () => byId("desk").scrollIntoView({ block: "start" }));
/** What waits is told only while it is out of sight. */
new IntersectionObserver(([{ isIntersecting }]) => byId("waiting").classList.toggle("seen", isIntersecting), { rootMargin: "0px 0px -160px 0px" }).observe(byId("cards"));

function renderWaiting({ cards, spotting, restore }) {
  const count = cards.length + Number(Boolean(spotting)) + Number(Boolean(restore));
  byId("waiting").hidden = count === 0;
  byId("waiting").textContent = t("desk.waiting", { count });
}

function renderActions(state) {
  for (const action of ACTIONS) {
    action.label.textContent = action.text(state);
    action.node.disabled = !state || !action.on(state);
    action.node.classList.toggle("main", Boolean(state && action.main?.(state)));
    if (action.pressed) mark(action.node, "aria-pressed", String(Boolean(state && action.pressed(state))));
    if (action.note) {
      say(action.small, (state && action.note(state)) || "");
      action.small.hidden = !action.small.textContent;
    }
  }
}

function safety() {
  if (!page.state?.rack.safety_available) return;
  act(page.state.next_shot.kind === "safety" ? { type: "withdraw", what: "safety" } : { type: "safety" });
}

function undo() {
  const { undo: last } = page.state ?? {};
  if (last) act({ type: "undo", record: last.record });
}

function correctLast() {
  const last = page.state && newestShot(page.state);
  if (last) sheets.correct(last);
}

listenToKeys({
  ball: (ball) => call.ball(ball),
  pocket: (pocket) => call.pocket(pocket),
  turn: () => page.turn,
  acts: {
    c: () => call.clear(), y: safety, z: sheets.frozen, f: sheets.foul, h: () => !page.state?.rack.over && sheets.shot(), k: correctLast, u: undo, m: sheets.more, "?": sheets.keys,
    p: () => byId("push-out")?.click(), n: () => byId("next-rack")?.click(), v: () => video.show("live"), escape: () => call.letGo(),
    x: () => page.state?.clock.on && act({ type: "extension", by: page.state.rack.at_table }),
    t: () => page.state?.clock.on && act({ type: page.state.clock.paused ? "clock_resume" : "clock_pause" }),
  },
});

byId("language").addEventListener("click", () => speak(languageNow() === "cs" ? "en" : "cs"));
byId("keys").addEventListener("click", sheets.keys);
byId("turn").addEventListener("click", () => {
  page.turn = (page.turn + 180) % 360;
  localStorage.setItem(TURN, page.turn);
  render();
});
byId("enlarge").addEventListener("click", () => setLarge(!document.body.classList.contains("large")));
PHONE.addEventListener("change", () => render());

function setLarge(large) {
  document.body.classList.toggle("large", large);
  mark(byId("enlarge"), "aria-pressed", String(large));
  localStorage.setItem(LARGE, large ? "yes" : "no");
  render();
}

/** On a phone the large table stands upright, head end below. */
function turnNow() {
  return PHONE.matches && document.body.classList.contains("large") ? page.turn + 90 : page.turn;
}

onLanguage(() => {
  table.retitle();
  render();
});

link.on("state", (state) => {
  page.state = state;
  render();
}).on("frame", (frame) => {
  if (!page.state) return;
  drawBalls(frame.balls, frame.moving);
  desk.frame(frame);
  if (page.state.match.opening === "seen" && page.state.rulings.length === 0 && String(Object.keys(frame.balls).sort()) !== page.seen) {
    page.seen = String(Object.keys(frame.balls).sort());
    render();
  }
  if (page.state.rack.phase === "break" && page.state.shot.phase !== "moving") say(byId("table-state"), behindLine(page.state, frame.balls));
}).on("status", () => {
  document.body.classList.toggle("unlinked", link.status !== "live");
  render();
});

let frameSeq = null;

const follow = followBallSet((name) => {
  page.ballSet = name;
  render();
});

function render() {
  byId("language").textContent = languageNow() === "cs" ? "English" : "Česky";
  byId("language").lang = languageNow() === "cs" ? "en" : "cs";
  head.lampState(link.status, link.role, page.state);
  renderActions(page.state);
  if (!page.state) {
    strip.waiting();
    return;
  }
  const state = { ...firstLook(link.state, link.frame?.balls ?? link.state.table.balls), ballSet: page.ballSet };
  page.state = state;
  document.title = t("page.referee", { A: state.match.players.A, B: state.match.players.B });
  head.render(state);
  strip.render(state, link.status);
  call.render(state);
  ruling.render(state);
  video.render(state);
  desk.render(state);
  renderWaiting(state);
  drawTable(state);
  follow(cameraOf(state));
}

function drawTable(state) {
  const running = state.shot.phase === "moving";
  const shown = running || !state.paths ? NOTHING : state.paths;
  if (frameSeq !== state.table.t_s) {
    frameSeq = state.table.t_s;
    if (!link.frame || link.frame.t_s < state.table.t_s) drawBalls(state.table.balls, []);
  }
  const ghosts = {};
  for (const { ball, last } of state.restore?.balls ?? []) if (last) ghosts[ball] = last;
  table.update({
    table: shapeNow(state.table), ballSet: page.ballSet, ballOn: state.rack.ball_on, call: state.next_shot.call, turn: turnNow(),
    paths: pathsToPockets(shown, state.table.pockets), contacts: contactsMarked(shown), ghosts, spot: state.spotting?.point ?? null,
  });
  const known = Object.keys(link.frame?.balls ?? state.table.balls ?? {}).length > 0;
  const unknown = cameraOf(state) === "none" ? "" : t("table.unknown");
  say(byId("table-state"), running ? t("table.moving") : known ? behindLine(state, link.frame?.balls ?? state.table.balls) : unknown);
}

/** On the break: how far the cue ball lies behind the head string, for the referee alone. */
function behindLine({ rack, table: { length_m } }, balls) {
  if (rack.phase !== "break" || !balls.cue) return "";
  const behind_mm = Math.round((-length_m / 4 - balls.cue[0]) * 1000);
  return t(behind_mm > 0 ? "table.behind" : "table.in_front", { mm: Math.abs(behind_mm) });
}

function drawBalls(balls, moving) {
  table.update({ balls, moving });
}

/** A card's clip; on a phone it is brought into sight. */
function showClip(evidence) {
  video.showEvidence(evidence);
  if (PHONE.matches) byId("video").scrollIntoView({ block: "center" });
}

function askToken(said) {
  if (document.querySelector("dialog.token")) return;
  openToken({ use: (token) => link.useToken(token), wrong: said?.error === "wrong_token" });
}

function told(text, bad) {
  const toast = el("div", { class: `toast${bad ? " bad" : ""}` }, text);
  byId("toasts").append(toast);
  setTimeout(() => toast.remove(), TOAST_MS);
  while (byId("toasts").children.length > 3) byId("toasts").firstChild.remove();
}

setLarge(localStorage.getItem(LARGE) === "yes");
link.open();
