// The picture of the camera with four corners to drag, and a loupe while one is dragged.

import { mark, refill, svg } from "./dom.js";
import { t } from "./words.js";

/** Where each corner lies in the picture, clockwise; and what it is called for each head side. */
const PLACES = ["TL", "TR", "BR", "BL"];
export const NAMES = {
  left: { TL: "HL", TR: "FL", BR: "FR", BL: "HR" },
  right: { TL: "FR", TR: "HR", BR: "HL", BL: "FL" },
  top: { TL: "HR", TR: "HL", BR: "FL", BL: "FR" },
  bottom: { TL: "FL", TR: "FR", BR: "HR", BL: "HL" },
};
const HEAD_EDGE = { left: ["TL", "BL"], right: ["TR", "BR"], top: ["TL", "TR"], bottom: ["BL", "BR"] };
const ZOOM = 4;
const STEP_PX = 1;
const WIDE_STEP_PX = 10;

export class Corners {
  constructor(host, { changed }) {
    this.host = host;
    this.changed = changed;
    this.head = "right";
    this.points = null;
    this.outline = null;
  }

  /** Shows a picture of `size` with the corners `corners_px` (by pocket name), if any. */
  show({ source, size, corners_px, head }) {
    this.size = size;
    this.source = source;
    if (head) this.head = head;
    if (corners_px) this.points = placed(corners_px);
    this.points ??= inset(size);
    this.host.style.aspectRatio = `${size[0]} / ${size[1]}`;
    this.#draw();
  }

  setHead(head) {
    this.head = head;
    if (this.size) this.#renew();
  }

  /** The solved outline of the table, drawn over the picture. */
  setOutline(outline_px) {
    this.outline = outline_px;
    if (this.size) this.#renew();
  }

  setPoints(corners_px) {
    this.points = placed(corners_px);
    if (this.size) this.#renew();
  }

  /** The four corners by pocket name. */
  get corners_px() {
    const names = NAMES[this.head];
    return Object.fromEntries(PLACES.map((place) => [names[place], this.points[place].map((n) => Math.round(n * 10) / 10)]));
  }

  #draw() {
    const [w, h] = this.size;
    const unit = w / 100;
    this.area = svg("polygon", { class: "edge" });
    this.line = svg("polygon", { class: "outline" });
    this.headLine = svg("line", { class: "head-end" });
    this.headWord = svg("text", { class: "head-word", "font-size": unit * 2.4, "stroke-width": unit * 0.6, "text-anchor": "middle" });
    this.loupe = svg("g", { class: "loupe" });
    this.handles = Object.fromEntries(PLACES.map((place) => [place, this.#handle(place, unit)]));
    this.image = svg("image", { href: this.source, width: w, height: h });
    this.root = svg("svg", { class: "corners", viewBox: `0 0 ${w} ${h}`, role: "group", "aria-label": t("setup.corners") },
      this.image, this.area, this.line, this.headLine, this.headWord, Object.values(this.handles), this.loupe);
    refill(this.host, this.root);
    this.#renew();
  }

  #handle(place, unit) {
    const node = svg("g", { class: "corner", tabindex: 0, role: "slider", "data-place": place, "aria-valuemin": 0 },
      svg("circle", { class: "touch", r: unit * 5.5 }), svg("circle", { class: "ring", r: unit * 1.7 }),
      svg("path", { class: "cross", d: `M${-unit * 3} 0H${unit * 3}M0 ${-unit * 3}V${unit * 3}` }),
      svg("text", { "font-size": unit * 2, "stroke-width": unit * 0.5, "text-anchor": "middle", y: -unit * 2.4 }));
    node.addEventListener("pointerdown", (event) => this.#grab(event, place));
    node.addEventListener("keydown", (event) => this.#nudge(event, place));
    return node;
  }

  #grab(event, place) {
    event.preventDefault();
    const node = this.handles[place];
    node.setPointerCapture(event.pointerId);
    node.classList.add("dragged");
    node.focus({ preventScroll: true });
    const from = this.#at(event);
    const start = this.points[place];
    const move = (moved) => {
      const to = this.#at(moved);
      this.#put(place, [start[0] + to[0] - from[0], start[1] + to[1] - from[1]]);
      this.#magnify(place);
    };
    const drop = () => {
      node.classList.remove("dragged");
      node.removeEventListener("pointermove", move);
      refill(this.loupe);
      this.changed();
    };
    node.addEventListener("pointermove", move);
    node.addEventListener("pointerup", drop, { once: true });
    node.addEventListener("pointercancel", drop, { once: true });
    this.#magnify(place);
  }

  #nudge(event, place) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? WIDE_STEP_PX : STEP_PX;
    const [x, y] = this.points[place];
    this.#put(place, [x + step[0] * far, y + step[1] * far]);
    this.#magnify(place);
    this.changed();
  }

  #put(place, [x, y]) {
    const [w, h] = this.size;
    this.points[place] = [Math.min(Math.max(x, -w * 0.2), w * 1.2), Math.min(Math.max(y, -h * 0.2), h * 1.2)];
    this.outline = null;
    this.#renew();
  }

  #at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  #renew() {
    const text = (points) => points.map((point) => point.join()).join(" ");
    this.area.setAttribute("points", text(PLACES.map((place) => this.points[place])));
    this.line.setAttribute("points", this.outline ? text(this.outline) : "");
    for (const place of PLACES) {
      const [x, y] = this.points[place];
      const node = this.handles[place];
      node.setAttribute("transform", `translate(${x} ${y})`);
      node.querySelector("text").textContent = NAMES[this.head][place];
      mark(node, "aria-label", t("setup.corner", { corner: t(`pocket.${NAMES[this.head][place]}`) }));
      mark(node, "aria-valuetext", `${Math.round(x)}, ${Math.round(y)}`);
      mark(node, "aria-valuenow", Math.round(x));
    }
    const [from, to] = HEAD_EDGE[this.head].map((place) => this.points[place]);
    for (const [name, value] of Object.entries({ x1: from[0], y1: from[1], x2: to[0], y2: to[1] })) this.headLine.setAttribute(name, value);
    const middle = Object.values(this.points).reduce((sum, point) => [sum[0] + point[0] / 4, sum[1] + point[1] / 4], [0, 0]);
    const at = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    this.headWord.setAttribute("x", at[0] + (middle[0] - at[0]) * 0.1);
    this.headWord.setAttribute("y", at[1] + (middle[1] - at[1]) * 0.1);
    this.headWord.textContent = t("setup.head_end");
  }

  /** The surroundings of a corner four times as large, in the picture's far half. */
  #magnify(place) {
    const [w, h] = this.size;
    const [x, y] = this.points[place];
    const side = Math.min(w, h) * 0.42;
    const seen = side / ZOOM;
    const left = x > w / 2 ? w * 0.02 : w * 0.98 - side;
    const top = y > h / 2 ? h * 0.02 : h * 0.98 - side;
    refill(this.loupe,
      svg("svg", { x: left, y: top, width: side, height: side, viewBox: `${x - seen / 2} ${y - seen / 2} ${seen} ${seen}` },
        svg("rect", { x: x - seen, y: y - seen, width: 2 * seen, height: 2 * seen, style: { fill: "#000" } }),
        svg("image", { href: this.source, width: w, height: h }),
        svg("path", { d: `M${x - seen / 2} ${y}H${x + seen / 2}M${x} ${y - seen / 2}V${y + seen / 2}` })),
      svg("rect", { x: left, y: top, width: side, height: side }));
  }
}

/** Corners by pocket name -> by place in the picture. */
function placed(corners_px) {
  const points = Object.values(corners_px);
  const cx = points.reduce((sum, point) => sum + point[0], 0) / points.length;
  const cy = points.reduce((sum, point) => sum + point[1], 0) / points.length;
  const turn = ([x, y]) => Math.atan2(y - cy, x - cx);
  const round = [...points].sort((a, b) => turn(a) - turn(b));
  const first = round.reduce((best, point, index) => (point[0] + point[1] < round[best][0] + round[best][1] ? index : best), 0);
  return Object.fromEntries(PLACES.map((place, index) => [place, [...round[(first + index) % round.length]]]));
}

function inset([w, h]) {
  return { TL: [w * 0.15, h * 0.15], TR: [w * 0.85, h * 0.15], BR: [w * 0.85, h * 0.85], BL: [w * 0.15, h * 0.85] };
}
