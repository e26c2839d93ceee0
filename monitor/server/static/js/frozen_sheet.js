// Frozen balls: declared by a person before the stroke, never by the camera.

import { ballToken } from "./balls.js";
import { el } from "./dom.js";
import { button, oneOf, openSheet } from "./sheet.js";
import { CUSHIONS } from "./table_shape.js";
import { ballName, t } from "./words.js";

export function openFrozen({ state, act }) {
  const names = ["cue", ...state.rack.balls];
  const token = (ball) => [ball, ballToken(ball, state.ballSet), ballName(ball)];
  const renew = () => {
    send.disabled = !a.value || !(b.value ?? cushion.value) || a.value === b.value;
  };
  const a = oneOf(t("frozen.ball"), names.map(token), { value: "cue", onpick: () => renew(), pick: true });
  const b = oneOf(t("frozen.to_ball"), state.rack.balls.map(token), { pick: true, onpick: () => { clear(cushion); other = "ball"; renew(); } });
  const cushion = oneOf(t("frozen.to_cushion"), CUSHIONS.map((name) => [name, t(`cushion.${name}`)]), { onpick: () => { clear(b); other = "cushion"; renew(); } });
  let other = null;
  const by = oneOf(t("frozen.by"), ["referee", "opponent", "shooter"].map((who) => [who, t(`declarer.${who}`)]), { value: "referee" });
  const send = button(t("frozen.declare"), async () => {
    if (await act({ type: "frozen", a: a.value, b: other === "ball" ? b.value : cushion.value, by: by.value })) sheet.close();
  }, { kind: "primary", id: "frozen-send", disabled: true });
  const near = closePairs(state);
  const hints = near.length > 0 && el("p", { class: "dim" }, t("frozen.near", {
    pairs: near.map(({ a: one, b: two, gap_mm }) => `${ballName(one)} – ${ballName(two)} (${gap_mm.toFixed(0)} mm)`).join(", "),
  }));
  const sheet = openSheet({ title: t("frozen.title"), name: "frozen", body: [el("p", { class: "dim" }, t("frozen.how")), hints, a.node, b.node, cushion.node, by.node], foot: [send] });
}

function clear(choice) {
  choice.node.querySelectorAll("[aria-pressed]").forEach((node) => node.setAttribute("aria-pressed", "false"));
}

const NEAR_MM = 6;

/** Pairs that lie close together: where to look, not what is so. */
function closePairs({ table }) {
  const balls = Object.entries(table.balls ?? {}).filter(([name]) => !/^u/.test(name));
  const pairs = [];
  balls.forEach(([a, at], index) => {
    for (const [b, to] of balls.slice(index + 1)) {
      const gap_mm = (Math.hypot(at[0] - to[0], at[1] - to[1]) - 2 * table.ball_radius_m) * 1000;
      if (gap_mm < NEAR_MM && (a === "cue" || b === "cue")) pairs.push({ a, b, gap_mm: Math.max(0, gap_mm) });
    }
  });
  return pairs;
}
