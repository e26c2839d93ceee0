// The spectators' page: score, table, the last ruling. It only reads.

import { inLanguage } from "./acts.js";
import { followBallSet } from "./ball_set.js";
import { ballToken, OBJECT_BALLS } from "./balls.js";
import { byId, el, mark, refill, say } from "./dom.js";
import { Link } from "./link.js";
import { tone } from "./ruling.js";
import { TableView } from "./table_view.js";
import { cameraOf, contactsMarked, firstLook, pathsToPockets, shapeNow } from "./table_state.js";
import { languageNow, onLanguage, pocketName, speak, t } from "./words.js";

await speak();

const link = new Link();
let state = null;
let ballSet = "standard";
const upright = matchMedia("(max-width: 719px) and (orientation: portrait)");
const table = new TableView(byId("table-host"), { words: { table: () => t("spectators.table"), pocket: pocketName } });

const sides = Object.fromEntries(["A", "B"].map((who) => {
  const name = el("div", { class: "name" });
  const pips = [0, 1, 2].map(() => el("span", { class: "pip" }));
  const fouls = el("span", { class: "pips", role: "img" }, pips);
  const note = el("span");
  const node = refill(byId(`side-${who}`), name, el("div", { class: "notes" }, fouls, note));
  return [who, { node, name, pips, fouls, note }];
}));

link.on("state", (now) => {
  state = now;
  render();
}).on("frame", (frame) => table.update({ balls: frame.balls, moving: frame.moving })).on("status", (status) => {
  document.body.classList.toggle("unlinked", status !== "live");
  render();
});
onLanguage(() => {
  table.retitle();
  render();
});
upright.addEventListener("change", () => render());
byId("language").addEventListener("click", () => speak(languageNow() === "cs" ? "en" : "cs"));

const follow = followBallSet((name) => {
  ballSet = name;
  render();
});

function render() {
  say(byId("language"), languageNow() === "cs" ? "English" : "Česky");
  byId("language").lang = languageNow() === "cs" ? "en" : "cs";
  say(byId("link"), link.status === "live" ? t("link.live") : t("spectators.lost"));
  if (!link.state) return;
  state = firstLook(link.state, link.frame?.balls ?? link.state.table.balls);
  const { rack, match, score } = state;
  document.title = t("page.spectators", match.players);
  for (const [who, parts] of Object.entries(sides)) {
    say(parts.name, match.players[who]);
    parts.node.classList.toggle("acts", !rack.over && rack.at_table === who);
    parts.pips.forEach((pip, index) => pip.classList.toggle("set", index < rack.fouls[who]));
    mark(parts.fouls, "aria-label", t("head.fouls", { fouls: rack.fouls[who] }));
    say(parts.note, rack.breaker === who ? t("head.breaker") : "");
  }
  refill(byId("total"), el("span", { class: "figures" }, `${score.A} : ${score.B}`),
    el("span", { class: "race" }, match.race_to ? t("head.race", { racks: match.race_to }) : t("head.rack", { number: rack.number })));
  const [kind, words] = nowWords();
  byId("now").className = kind;
  say(byId("now"), words);
  const last = state.rulings[0];
  byId("said").className = tone(last);
  refill(byId("said"), el("span", null, last?.provisional && el("span", { class: "chip" }, t("ruling.provisional")), last?.provisional && " ", last ? inLanguage(last, "sentence") : ""));
  const left = byId("left");
  mark(left, "aria-label", t("spectators.left", { balls: rack.balls.join(", ") }));
  refill(left, OBJECT_BALLS.map((ball) => {
    const token = ballToken(ball, ballSet);
    if (!rack.balls.includes(ball)) token.classList.add("gone");
    if (ball === rack.ball_on) token.classList.add("on");
    return token;
  }));
  const running = state.shot.phase === "moving";
  const shown = running || !state.paths ? { paths: {}, events: [] } : state.paths;
  const part = { turn: upright.matches ? 90 : 0, table: shapeNow(state.table), ballSet, ballOn: rack.ball_on, call: state.next_shot.call, paths: pathsToPockets(shown, state.table.pockets), contacts: contactsMarked(shown), spot: state.spotting?.point ?? null };
  if (!link.frame || link.frame.t_s < state.table.t_s) part.balls = state.table.balls;
  table.update(part);
  follow(cameraOf(state));
}

function nowWords() {
  const { rack, match, decision, shot, next_shot: next } = state;
  const player = match.players[rack.at_table];
  if (rack.over) {
    const winner = rack.match_winner ?? rack.winner;
    return ["over", winner ? t(rack.match_over ? "strip.wins_match" : "strip.wins_rack", { player: match.players[winner] }) : t("strip.rack_over")];
  }
  if (shot.phase === "moving") return ["", "\u00a0"];
  if (decision) return ["decide", inLanguage(decision)];
  if (rack.phase === "break") return ["", t("strip.breaks", { player })];
  if (rack.cue_ball !== "in_place") return ["hand", t("strip.in_hand", { player })];
  const extra = next.kind !== "normal" ? ` · ${t(`kind.${next.kind}`)}` : next.call ? ` · ${next.call.ball} → ${pocketName(next.call.pocket)}` : "";
  return ["", t("strip.plays", { player }) + extra];
}

render();
link.open();
