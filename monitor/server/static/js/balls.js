// How balls look: one drawing for the diagram, the tray and the sheets.

import { svg } from "./dom.js";

export const OBJECT_BALLS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
export const ALL_BALLS = ["cue", ...OBJECT_BALLS];
export const IVORY = "#f7f3e6";

const STANDARD = {
  cue: [IVORY], 1: ["#f2c314"], 2: ["#2a5fd0"], 3: ["#d8262c"], 4: ["#6a35a0"], 5: ["#f07c1b"],
  6: ["#12793f"], 7: ["#8a2329"], 8: ["#17181a"], 9: ["#f2c314", true], 10: ["#2a5fd0", true],
};
const TV = { ...STANDARD, 4: ["#f08fb4"], 7: ["#b9804a"] };

/** Colour, stripe and ink of a ball of the named set; grey when it is unknown ("u1"). */
export function lookOf(ball, ballSet) {
  const [colour, striped = false] = (ballSet === "tv" ? TV : STANDARD)[ball] ?? ["#8a8f98"];
  const [red, green, blue] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  const light = 0.299 * red + 0.587 * green + 0.114 * blue > 140;
  return { colour, striped, ink: light ? "#111" : "#fff" };
}

/** The colour of a ball's path: lighter than the ball, so that it stands out from the cloth. */
export function pathColour(ball, ballSet) {
  const { colour } = lookOf(ball, ballSet);
  const parts = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  const dark = 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] < 110;
  return dark ? `rgb(${parts.map((part) => Math.round(part + (255 - part) * 0.38)).join(" ")})` : colour;
}

/** Sorts the cue ball first, then by number, then unknown balls. */
export function byNumber(a, b) {
  return rank(a) - rank(b) || String(a).localeCompare(String(b));
}

function rank(ball) {
  if (ball === "cue") return 0;
  return Number.isNaN(Number(ball)) ? 100 : Number(ball);
}

/** The parts of a ball of radius `r` around the origin. `plate`: the number on a white plate. */
export function ballParts(ball, r, ballSet, { plate = false } = {}) {
  const look = lookOf(ball, ballSet);
  const parts = [svg("circle", { r, fill: look.striped ? IVORY : look.colour })];
  if (look.striped) {
    const half = r * 0.56;
    const across = Math.sqrt(r * r - half * half);
    parts.push(svg("path", {
      d: `M${-across} ${-half}H${across}A${r} ${r} 0 0 1 ${across} ${half}H${-across}A${r} ${r} 0 0 1 ${-across} ${-half}Z`,
      fill: look.colour,
    }));
  }
  if (ball === "cue") return parts;
  const label = String(ball);
  if (plate) parts.push(svg("circle", { r: r * 0.52, fill: "#fff" }));
  const size = r * (plate ? (label.length > 1 ? 0.66 : 0.78) : label.length > 1 ? 1.12 : 1.36);
  parts.push(svg("text", {
    "text-anchor": "middle", dy: "0.36em", "font-size": size, "font-weight": 700,
    fill: plate ? "#111" : look.ink,
  }, label));
  return parts;
}

/** A ball as a small picture for buttons; its name stands in the button's label. */
export function ballToken(ball, ballSet) {
  const node = svg("svg", { viewBox: "-31 -31 62 62", class: "ball-token", "aria-hidden": "true" });
  node.append(...ballParts(ball, 29, ballSet, { plate: true }));
  node.append(svg("circle", { r: 29, fill: "none", stroke: "#fff", "stroke-opacity": 0.35, "stroke-width": 2 }));
  return node;
}
