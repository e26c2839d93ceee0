// The set-up page: where the table lies in the picture, how its balls look, and what to check.

import { Acts, inLanguage } from "./acts.js";
import { Corners } from "./corners.js";
import { byId, el, refill, say } from "./dom.js";
import { keepToken, tokenKept } from "./link.js";
import { openToken } from "./match_sheet.js";
import { button, oneOf } from "./sheet.js";
import { languageNow, onLanguage, speak, t } from "./words.js";

const HEADS = ["left", "right", "top", "bottom"];
const SIZES = ["9ft", "8ft", "7ft"];
const BUSY = { calibrating: "setup.calibrating", using: "setup.using" };
const TOAST_MS = 5000;
const MARKS = { green: "✓", amber: "!", red: "✕" };

await speak();

const who = { token: tokenKept() };
const acts = new Acts(who, { told, wantToken: askToken });
const page = { setup: null, proposal: null, busy: null, enrolled: null, head: null, size: null, message: null };
const corners = new Corners(byId("picture-host"), { changed: () => setProposal(null) });

byId("language").addEventListener("click", () => speak(languageNow() === "cs" ? "en" : "cs"));
byId("refresh").addEventListener("click", () => load(true));
onLanguage(() => render());

async function load(again = false) {
  const answer = await fetch("/api/v1/setup").catch(() => null);
  if (!answer?.ok) {
    told(t("act.unreachable"), true);
    return;
  }
  take(await answer.json(), again);
}

const BARE = { ball_sets: [], notes: [], checks: [], picture: false, calibrated: false };

function take(told, picture) {
  const first = page.setup === null;
  const setup = (page.setup = { ...BARE, ...told });
  document.body.classList.toggle("no-camera", !setup.source);
  page.head ??= setup.head;
  page.size ??= setup.table?.size ?? "9ft";
  if (setup.picture && (first || picture)) {
    corners.show({ source: `/api/v1/setup/picture.jpg?${Date.now()}`, size: setup.image_size, corners_px: first ? setup.corners_px : null, head: page.head ?? "right" });
    if (first) corners.setOutline(setup.outline_px ?? null);
  } else if (!setup.picture) refill(byId("picture-host"), el("p", { class: "empty" }, t("setup.no_picture")));
  render();
}

function setProposal(proposal) {
  page.proposal = proposal;
  if (!proposal) page.message = null;
  renderCamera();
}

async function solve(path, body) {
  await working("calibrating", async () => {
    const said = await acts.post(path, body, { quiet: true, numbered: false });
    if (!said?.ok) {
      page.message = [inLanguage(said ?? {}, "sentence") || t("setup.failed"), "bad"];
      page.proposal = null;
      return;
    }
    page.proposal = said;
    page.head = said.head ?? page.head;
    corners.setHead(page.head);
    corners.setPoints(said.corners_px);
    corners.setOutline(said.outline_px ?? null);
    page.message = [t("setup.solved", { mm: said.error_mm.rms.toFixed(1) }), "good"];
  });
}

const automatic = () => solve("/api/v1/setup/calibrate", { table: page.size, head: page.head });
const fromCorners = () => solve("/api/v1/setup/corners", { corners_px: corners.corners_px, head: corners.head, table: page.size });

async function use() {
  await working("using", async () => {
    const said = await acts.post("/api/v1/setup/use", {}, { numbered: false });
    if (!said) return;
    page.proposal = null;
    page.message = [t("setup.in_use"), "good"];
    take(said, false);
  });
}

async function enroll(name) {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(name)) {
    told(t("setup.bad_name"), true);
    return;
  }
  await working("enrolling", async () => {
    const said = await acts.post("/api/v1/setup/enroll", { name }, { quiet: true, numbered: false });
    page.enrolled = said?.ok ? { ...said, name } : { ok: false, sentence: inLanguage(said ?? {}, "sentence") || t("setup.failed") };
  });
  await load();
}

async function useSet(name) {
  const said = await acts.post("/api/v1/setup/ball-set", { name }, { numbered: false });
  if (said) await load();
}

async function working(what, work) {
  page.busy = what;
  render();
  try {
    await work();
  } finally {
    page.busy = null;
    render();
  }
}

function render() {
  say(byId("language"), languageNow() === "cs" ? "English" : "Česky");
  document.title = t("setup.title");
  if (!page.setup) return;
  say(byId("source"), page.setup.source ?? "");
  renderCamera();
  renderBalls();
  renderChecks();
}

const heading = (number, key) => el("h2", null, el("span", { class: "number" }, String(number)), t(key));

function renderCamera() {
  const { setup, proposal, busy } = page;
  if (!setup) return;
  const errors = proposal?.error_mm ?? setup.error_mm;
  const head = oneOf(t("setup.head"), HEADS.map((side) => [side, t(`setup.head_${side}`)]), {
    value: page.head, onpick: (side) => { page.head = side; corners.setHead(side); setProposal(null); },
  });
  const size = oneOf(t("setup.size"), SIZES.map((name) => [name, t(`setup.${name}`)]), { value: page.size, onpick: (name) => { page.size = name; setProposal(null); } });
  const message = BUSY[busy] ? [t(BUSY[busy]), ""] : page.message ?? [setup.calibrated ? t("setup.calibrated") : (languageNow() === "en" && setup.problem) || t("setup.not_calibrated"), setup.calibrated ? "" : "bad"];
  refill(byId("camera"), heading(1, "setup.camera"), size.node, head.node,
    el("div", { class: "row" },
      button(t("setup.automatic"), automatic, { id: "automatic", disabled: Boolean(busy) || !setup.picture }),
      button(t("setup.from_corners"), fromCorners, { id: "from-corners", disabled: Boolean(busy) || !setup.picture })),
    el("p", { class: `result ${message[1]}`, role: "status" }, message[0]),
    errors && el("dl", { class: "errors" }, Object.entries(errors).map(([rail, mm]) => el("div", null, el("dt", null, rail === "rms" ? t("setup.rms") : t(`cushion.${rail}`)), el("dd", null, `${Number(mm).toFixed(1)} mm`)))),
    (proposal?.notes ?? setup.notes ?? []).map((note) => el("p", { class: "dim" }, note)),
    button(t("setup.use"), use, { kind: "primary", id: "use", disabled: !proposal || Boolean(busy) }));
}

function renderBalls() {
  const { setup, busy, enrolled } = page;
  const typed = byId("set-name")?.value ?? "";
  const name = el("input", { type: "text", id: "set-name", maxlength: 32, placeholder: t("setup.set_name"), "aria-label": t("setup.set_name"), value: typed });
  const sets = oneOf(t("setup.ball_set"), setup.ball_sets.map((set) => [set, set]), { value: setup.ball_set, onpick: useSet });
  refill(byId("balls"), heading(2, "setup.balls"), sets.node,
    el("p", { class: "dim" }, t("setup.enroll_how")), name,
    button(t("setup.enroll"), () => enroll(name.value.trim()), { id: "enroll", disabled: Boolean(busy) || !setup.picture }),
    el("p", { class: `result ${enrolled ? (enrolled.ok ? "good" : "bad") : ""}`, role: "status" },
      busy === "enrolling" ? t("setup.enrolling") : enrolled ? (enrolled.ok ? t("setup.enrolled", { count: enrolled.balls.length }) : enrolled.sentence) : null),
    enrolled?.ok && el("div", { class: "enrolled" }, el("img", { src: `/api/v1/setup/enrolled.jpg?${enrolled.name}`, alt: t("setup.enrolled_alt") }),
      setup.ball_set !== enrolled.name && button(t("setup.use_set", { name: enrolled.name }), () => useSet(enrolled.name), { kind: "primary" })));
}

function renderChecks() {
  refill(byId("checks"), heading(3, "setup.checks"), el("ul", { class: "checks" }, page.setup.checks.map((check) => el("li", { class: check.level, "data-check": check.id },
    el("span", { class: "lamp", role: "img", "aria-label": t(`setup.level_${check.level}`) }, MARKS[check.level]), el("span", null, inLanguage(check)),
    check.todo && el("span", { class: "todo" }, inLanguage(check, "todo"))))),
    button(t("setup.check_again"), () => load(), { id: "check-again" }));
}

function askToken(said) {
  if (document.querySelector("dialog.token")) return;
  openToken({ use: (token) => { keepToken(token); who.token = token; }, wrong: said?.error === "wrong_token" });
}

function told(text, bad) {
  const toast = el("div", { class: `toast${bad ? " bad" : ""}` }, text);
  byId("toasts").append(toast);
  setTimeout(() => toast.remove(), TOAST_MS);
}

load();
