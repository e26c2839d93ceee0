// The table from above, to scale: balls, last paths and contacts, call, ghosts, spotting point.

import { ballParts, byNumber, lookOf, pathColour } from "./balls.js";
import { refill, svg } from "./dom.js";
import { NINE_FOOT, POCKETS, RAIL_MM, shapeOf, turned, unturned } from "./table_shape.js";

const REACH_PX = 30;
const FEWEST_MM = 60;

export class TableView {
  /**
   * `host`: the element to draw in. `onBall(ball)`, `onPocket(pocket)`: taps; without them the
   * drawing is for the eye only. `words`: names for labels, `{table, pocket(name)}`.
   */
  constructor(host, { onBall, onPocket, words }) {
    this.host = host;
    this.words = words;
    this.onBall = onBall;
    this.onPocket = onPocket;
    this.turn = 0;
    this.model = {};
    this.layers = Object.fromEntries(
      ["furniture", "paths", "ghosts", "marks", "balls", "notes", "pockets"].map((name) => [name, svg("g", { class: name })]),
    );
    this.root = svg("svg", { class: "table", role: "group" }, Object.values(this.layers));
    this.root.addEventListener("click", (event) => this.#tapped(event));
    host.append(this.root);
    this.#furnish(NINE_FOOT);
  }

  /** Draws what is given; what is left out stays as it was. */
  update(part) {
    const before = this.model;
    const now = (this.model = { ...before, ...part });
    const table = now.table ?? NINE_FOOT;
    if (table.length_m !== this.table.length_m || table.width_m !== this.table.width_m || now.turn !== before.turn) {
      this.turn = now.turn ?? 0;
      this.#furnish(table);
    }
    this.#paths();
    this.#ghosts();
    this.#marks();
    this.#balls();
    this.#notes();
    this.#pocketStates();
  }

  #at(point_m) {
    return turned([point_m[0] * 1000, point_m[1] * 1000], this.turn);
  }

  #furnish(table) {
    this.table = table;
    const shape = (this.shape = shapeOf(table));
    const to = (point) => turned(point, this.turn);
    const upright = this.turn === 90 || this.turn === 270;
    const [w, h] = upright ? [shape.b, shape.a] : [shape.a, shape.b];
    const [W, H] = [w + RAIL_MM, h + RAIL_MM];
    this.root.setAttribute("viewBox", `${-W} ${-H} ${2 * W} ${2 * H}`);
    this.root.setAttribute("aria-label", this.words.table());
    const string = [to([shape.headString, shape.b]), to([shape.headString, -shape.b])];
    const spot = to(shape.footSpot);
    refill(
      this.layers.furniture,
      svg("rect", { class: "rail", x: -W, y: -H, width: 2 * W, height: 2 * H, rx: 46 }),
      svg("rect", { class: "cushion", x: -w - 42, y: -h - 42, width: 2 * (w + 42), height: 2 * (h + 42), rx: 10 }),
      svg("rect", { class: "cloth", x: -w, y: -h, width: 2 * w, height: 2 * h }),
      shape.noses.map((ends) => {
        const [[x1, y1], [x2, y2]] = ends.map(to);
        return svg("line", { class: "nose", x1, y1, x2, y2 });
      }),
      svg("line", { class: "string", x1: string[0][0], y1: string[0][1], x2: string[1][0], y2: string[1][1] }),
      svg("circle", { class: "spot", cx: spot[0], cy: spot[1], r: 11 }),
      shape.sights.map((sight) => {
        const [cx, cy] = to(sight);
        return svg("circle", { class: "sight", cx, cy, r: 8 });
      }),
    );
    this.pocketNodes = {};
    refill(this.layers.pockets, POCKETS.map((name) => this.#pocket(name)));
    this.#describePockets();
  }

  #pocket(name) {
    const { at, r } = this.shape.pockets[name];
    const [x, y] = turned(at, this.turn);
    const node = svg("g", { class: "pocket", "data-pocket": name, transform: `translate(${x} ${y})` },
      svg("circle", { class: "hole", r }),
      svg("circle", { class: "ring", r: r + 22 }),
      svg("g", { class: "chosen" }));
    if (this.onPocket) {
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", "0");
      node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        this.onPocket(name);
      });
    }
    this.pocketNodes[name] = node;
    return node;
  }

  #describePockets() {
    if (!this.onPocket) return;
    for (const [name, node] of Object.entries(this.pocketNodes)) node.setAttribute("aria-label", this.words.pocket(name));
  }

  /** Names again, after the language changed. */
  retitle() {
    this.root.setAttribute("aria-label", this.words.table());
    this.#describePockets();
    this.#notes();
  }

  #balls() {
    const { balls = {}, ballSet, ballOn, chosen, moving = [] } = this.model;
    const layer = this.layers.balls;
    const r = this.shape.ballRadius;
    const had = new Map([...layer.children].map((node) => [node.dataset.ball, node]));
    const sizes = readableSizes(balls, this.shape.ballRadius * 2 / 1000);
    for (const [ball, point] of Object.entries(balls).sort(([a], [b]) => byNumber(b, a))) {
      let node = had.get(ball);
      if (!node || node.dataset.set !== String(ballSet) || node.dataset.r !== String(r)) {
        node?.remove();
        node = svg("g", { "data-ball": ball, "data-set": String(ballSet), "data-r": String(r) },
          svg("circle", { class: "halo", r: r + 20 }),
          svg("circle", { class: "rim", r: r + 4 }),
          ballParts(ball, r, ballSet));
        layer.append(node);
      }
      had.delete(ball);
      const [x, y] = this.#at(point);
      const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${sizes[ball].toFixed(2)})`;
      if (node.getAttribute("transform") !== transform) node.setAttribute("transform", transform);
      const kind = ["ball", ball === ballOn && "on", ball === chosen && "chosen", moving.includes(ball) && "moving"].filter(Boolean).join(" ");
      if (node.getAttribute("class") !== kind) node.setAttribute("class", kind);
    }
    for (const node of had.values()) node.remove();
  }

  #paths() {
    if (!this.#changed("paths", "turn", "ballSet", "table")) return;
    const { paths = {}, ballSet } = this.model;
    refill(this.layers.paths, Object.entries(paths).sort(([a], [b]) => byNumber(b, a)).map(([ball, points]) => {
      if (points.length < 2) return null;
      const text = points.map((point) => this.#at(point).map((n) => n.toFixed(0)).join(",")).join(" ");
      const look = lookOf(ball, ballSet);
      return [
        svg("polyline", { class: "casing", points: text }),
        svg("polyline", { class: `path${look.striped ? " striped" : ""}`, stroke: pathColour(ball, ballSet), points: text, "data-ball": ball }),
      ];
    }));
  }

  #marks() {
    if (!this.#changed("contacts", "turn", "table")) return;
    const { contacts = [] } = this.model;
    refill(this.layers.marks, contacts.map((contact) => {
      if (!contact.at) return null;
      const [cx, cy] = this.#at(contact.at);
      const kind = `mark ${contact.kind}${contact.first ? " first" : ""}`;
      if (!contact.first) return svg("circle", { class: kind, cx, cy, r: 13 });
      return svg("g", { class: kind, transform: `translate(${cx} ${cy})` },
        svg("circle", { r: 52 }), svg("circle", { class: "point", r: 10 }));
    }));
  }

  #ghosts() {
    const { ghosts = {}, balls = {}, ballSet } = this.model;
    const r = this.shape.ballRadius;
    refill(this.layers.ghosts, Object.entries(ghosts).map(([ball, point]) => {
      const [x, y] = this.#at(point);
      const now = balls[ball] && this.#at(balls[ball]);
      return [
        now && svg("line", { class: "ghost-line", x1: now[0], y1: now[1], x2: x, y2: y }),
        svg("g", { class: "ghost", transform: `translate(${x} ${y})` },
          ballParts(ball, r, ballSet), svg("circle", { class: "ghost-rim", r: r + 10 })),
      ];
    }));
  }

  #notes() {
    const { call, spot, balls = {}, line } = this.model;
    const notes = [];
    if (call?.pocket) {
      const [x2, y2] = turned(this.shape.pockets[call.pocket].at, this.turn);
      const from = balls[call.ball] && this.#at(balls[call.ball]);
      if (from) notes.push(svg("line", { class: "call-line", x1: from[0], y1: from[1], x2, y2 }));
    }
    if (spot) {
      const [x, y] = this.#at(spot);
      notes.push(svg("g", { class: "spot-here", transform: `translate(${x} ${y})` },
        svg("circle", { r: this.shape.ballRadius }),
        svg("path", { d: "M-75 0H75M0 -75V75" })));
    }
    if (line) {
      const [x, y] = this.#at(line.at);
      notes.push(svg("text", { class: "note", x, y, "text-anchor": "middle" }, line.text));
    }
    refill(this.layers.notes, notes);
  }

  #pocketStates() {
    const { call, chosen, ballSet } = this.model;
    for (const [name, node] of Object.entries(this.pocketNodes)) {
      const called = call?.pocket === name;
      node.classList.toggle("called", called);
      node.classList.toggle("wanted", Boolean(chosen));
      const holder = node.querySelector(".chosen");
      const key = called ? `${call.ball}/${ballSet}` : "";
      if (holder.dataset.key === key) continue;
      holder.dataset.key = key;
      refill(holder, called ? ballParts(call.ball, this.shape.ballRadius * 1.5, ballSet) : null);
    }
  }

  #changed(...names) {
    const key = names.join();
    this.seen ??= {};
    const now = names.map((name) => this.model[name]);
    const same = this.seen[key]?.every((value, i) => value === now[i]);
    this.seen[key] = now;
    return !same;
  }

  /** A finger is wide: the nearest ball or pocket within reach is meant. */
  #tapped(event) {
    if (!this.onBall && !this.onPocket) return;
    const matrix = this.root.getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [x, y] = unturned([point.x, point.y], this.turn);
    const reach = Math.max(FEWEST_MM, REACH_PX / matrix.a);
    let best = null;
    const offer = (distance, act) => {
      if (!best || distance < best.distance) best = { distance, act };
    };
    for (const name of POCKETS) {
      const { at, r } = this.shape.pockets[name];
      const distance = Math.hypot(at[0] - x, at[1] - y);
      if (distance < Math.max(reach, r + 50)) offer(distance * 0.8, () => this.onPocket?.(name));
    }
    for (const [ball, at] of Object.entries(this.model.balls ?? {})) {
      const distance = Math.hypot(at[0] * 1000 - x, at[1] * 1000 - y);
      if (distance < reach) offer(distance, () => this.onBall?.(ball));
    }
    best?.act();
  }
}

const LARGEST = 1.5;

/** How much larger than true each ball is drawn: to be read at arm's length, but none over another. */
export function readableSizes(balls, diameter_m) {
  const all = Object.entries(balls);
  return Object.fromEntries(all.map(([ball, [x, y]]) => {
    const gaps = all.filter(([other]) => other !== ball).map(([, [u, v]]) => Math.hypot(x - u, y - v));
    return [ball, Math.min(LARGEST, Math.max(1, Math.min(...gaps) / diameter_m))];
  }));
}
