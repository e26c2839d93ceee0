// The overlay of a stream: score, ball on, clock, last ruling, on nothing. It only reads.
// ?parts=score,ball,clock,ruling  ?size=100 (percent)  ?at=bottom|top  ?side=centre|left|right
// ?hold=12 (seconds that a ruling stays; 0: always)  ?theme=dark|light  ?lang=en|cs

import { inLanguage } from "./acts.js";
import { followBallSet } from "./ball_set.js";
import { ballToken } from "./balls.js";
import { leftNow, showTime } from "./clock.js";
import { byId, el, refill, say } from "./dom.js";
import { Link } from "./link.js";
import { cameraOf } from "./table_state.js";
import { speak, t } from "./words.js";

const PARTS = ["score", "ball", "clock", "ruling"];
const asked = new URLSearchParams(location.search);
const wanted = new Set((asked.get("parts") ?? PARTS.join(",")).split(",").filter((part) => PARTS.includes(part)));
const size = Math.min(400, Math.max(25, Number(asked.get("size")) || 100));
const hold_s = asked.has("hold") ? Math.max(0, Number(asked.get("hold")) || 0) : 12;

document.body.style.fontSize = `${(size * 22) / 100}px`;
for (const [name, known] of [["at", ["top"]], ["side", ["left", "right"]], ["theme", ["light"]]]) {
  if (known.includes(asked.get(name))) document.body.classList.add(asked.get(name));
}
await speak();

const link = new Link();
let ballSet = "standard";
let shownRuling = null;
let hideAt = null;

const sides = Object.fromEntries(["A", "B"].map((who) => {
  const name = el("span", { class: "name" });
  const racks = el("span", { class: "racks" });
  return [who, { name, racks, node: el("span", { class: `side ${who}` }, who === "A" ? [name, racks] : [racks, name]) }];
}));
const race = el("span", { class: "race" });
refill(byId("score"), sides.A.node, race, sides.B.node);

link.on("state", () => render()).on("status", () => render());
const follow = followBallSet((name) => {
  ballSet = name;
  render();
});
link.open();
setInterval(tick, 100);

function show(part, is) {
  byId(part).hidden = !is || !wanted.has(part);
}

function render() {
  const state = link.state;
  // A link that is lost shows nothing rather than an old score.
  byId("bar").hidden = !state || link.status !== "live";
  if (!state) return;
  const { match, score, rack, rulings } = state;
  void follow(cameraOf(state));
  for (const [who, parts] of Object.entries(sides)) {
    say(parts.name, match.players[who]);
    say(parts.racks, String(score[who]));
    parts.node.classList.toggle("acts", !rack.over && rack.at_table === who);
  }
  say(race, match.race_to ? t("head.race", { racks: match.race_to }) : "");
  show("score", true);
  show("ball", Boolean(rack.ball_on));
  if (rack.ball_on) refill(byId("ball"), ballToken(rack.ball_on, ballSet));
  const newest = rulings.find((ruling) => ruling.sentence);
  const key = newest ? `${state.match.id}:${newest.record}` : null;
  if (key !== shownRuling) {
    // What was ruled on before the page was opened is no news.
    hideAt = shownRuling === null && hold_s ? performance.now() : performance.now() + hold_s * 1000;
    shownRuling = key;
  }
  if (newest) {
    say(byId("ruling"), inLanguage({ text: newest.sentence, text_cs: newest.sentence_cs }));
    byId("ruling").classList.toggle("foul", newest.legal === false);
  }
  if (shownRuling === null) shownRuling = "none";
  tick();
}

function tick() {
  const state = link.state;
  if (!state) return;
  const on = leftNow(state.clock, link.matchTime()) !== null;
  show("clock", on);
  if (on) showTime(byId("clock"), state.clock, link.matchTime());
  const fresh = hold_s === 0 || (hideAt !== null && performance.now() < hideAt);
  show("ruling", fresh && shownRuling !== null && shownRuling !== "none");
}
