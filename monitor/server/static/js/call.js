// Calling: a ball, then a pocket. A pocket alone means the ball on.

import { ballToken, OBJECT_BALLS } from "./balls.js";
import { el, mark, refill } from "./dom.js";
import { button } from "./sheet.js";
import { startsUnseen } from "./table_state.js";
import { ballName, pocketName, t } from "./words.js";

export class Call {
  constructor(root, { act, told, chose }) {
    this.act = act;
    this.told = told;
    this.chose = chose;
    this.chosen = null;
    this.stateNode = root.querySelector("#call-state");
    this.tray = root.querySelector("#tray");
    this.tray.append(...OBJECT_BALLS.map((ball) =>
      el("button", { type: "button", "data-ball": ball, "aria-pressed": "false", onclick: () => this.ball(ball) })));
  }

  /** A ball was tapped: it waits for its pocket; tapped again it is let go. */
  ball(ball) {
    if (!this.state || ball === "cue" || /^u/.test(ball)) return;
    if (!this.#open()) return;
    if (!this.state.rack.balls.includes(ball)) {
      this.told(t("call.gone", { ball: ballName(ball) }), true);
      return;
    }
    this.#choose(this.chosen === ball ? null : ball);
  }

  /** A pocket was tapped: the call is made. */
  pocket(pocket) {
    if (!this.state || !this.#open()) return;
    const on = startsUnseen(this.state) && !this.state.first ? null : this.state.rack.ball_on;
    const ball = this.chosen ?? on;
    this.#choose(null);
    if (!ball) this.told(t("call.ball_first"), false);
    if (ball) this.act({ type: "call", ball, pocket });
  }

  /** Lets go the ball that waits for its pocket. */
  letGo() {
    if (this.chosen) this.#choose(null);
  }

  /** Takes back what is waiting, else the call that stands. */
  clear() {
    if (this.chosen) this.letGo();
    else if (this.state?.next_shot.call) this.act({ type: "withdraw", what: "call" });
    else if (this.state && this.state.next_shot.kind !== "normal") this.act({ type: "withdraw", what: this.state.next_shot.kind });
  }

  #open() {
    const { rack } = this.state;
    const why = startsUnseen(this.state) ? null : rack.over ? "call.between" : rack.phase === "break" ? "call.not_break" : null;
    if (why) this.told(t(why), false);
    return why === null;
  }

  #choose(ball) {
    this.chosen = ball;
    this.chose(ball);
    this.render(this.state);
  }

  render(state) {
    this.state = state;
    const { rack, next_shot: next } = state;
    if (this.chosen && !rack.balls.includes(this.chosen)) this.chosen = null;
    for (const node of this.tray.children) {
      const { ball } = node.dataset;
      const set = state.ballSet ?? "standard";
      if (node.dataset.set !== set) {
        node.dataset.set = set;
        refill(node, ballToken(ball, set));
      }
      const gone = !rack.balls.includes(ball);
      node.classList.toggle("gone", gone);
      node.classList.toggle("on-ball", ball === rack.ball_on);
      mark(node, "aria-disabled", gone ? "true" : null);
      mark(node, "aria-pressed", String(this.chosen === ball || (!this.chosen && next.call?.ball === ball)));
      mark(node, "aria-label", gone ? t("call.ball_gone", { ball }) : ball === rack.ball_on ? t("call.ball_on", { ball }) : t("ball.number", { ball }));
    }
    const key = JSON.stringify([next, this.chosen, rack.phase, startsUnseen(state), rack.ball_on, t("call.hint")]);
    if (this.shown === key) return;
    this.shown = key;
    refill(this.stateNode, this.#words(state));
  }

  #words(state) {
    const { rack, next_shot: next, ballSet } = state;
    const unseen = startsUnseen(state) && !state.first;
    if (this.chosen) return [ballToken(this.chosen, ballSet), el("span", null, t("call.choose_pocket", { ball: ballName(this.chosen) })), this.#clearer("call.let_go")];
    const words = [];
    if (next.kind !== "normal") words.push(el("span", { class: "chip kind" }, t(`kind.${next.kind}`)), this.#clearer("call.withdraw"));
    else if (next.call) {
      words.push(ballToken(next.call.ball, ballSet),
        el("span", { class: "called" }, t("call.called", { ball: ballName(next.call.ball), pocket: pocketName(next.call.pocket) })),
        this.#clearer("call.withdraw"));
    }
    for (const frozen of next.frozen) words.push(el("span", { class: "chip" }, t("call.frozen", { a: ballName(frozen.a), b: frozenName(frozen.b) })));
    if (words.length) return words;
    const hint = unseen ? "call.ball_first" : rack.over ? "call.between" : rack.phase === "break" ? "call.not_break" : "call.hint";
    return el("span", { class: "hint" }, t(hint, { ball: rack.ball_on ?? "" }));
  }

  #clearer(label) {
    return button("✕", () => this.clear(), { kind: "plain clear", "aria-label": t(label), id: "call-clear" });
  }
}

/** A ball or a cushion by name. */
export function frozenName(thing) {
  return /^[A-Z_]+$/.test(thing) ? t(`cushion.${thing}`) : ballName(thing);
}
