// The strip under the head: the one thing that the referee must know or do now.

import { inLanguage } from "./acts.js";
import { showTime } from "./clock.js";
import { el, mark, redraw, refill, say } from "./dom.js";
import { button, twoTaps } from "./sheet.js";
import { cameraOf, startsUnseen } from "./table_state.js";
import { counted, languageNow, t } from "./words.js";

const LIP_S = 5;

export class Strip {
  constructor(root, { link, act, newMatch, openClock }) {
    this.root = root;
    this.link = link;
    this.act = act;
    this.newMatch = newMatch;
    this.openClock = openClock;
    this.words = root.querySelector("#strip-words");
    this.actions = root.querySelector("#strip-actions");
    this.clock = root.querySelector("#clock");
    this.time = el("button", { type: "button", class: "plain time", onclick: openClock });
    this.pause = el("button", { type: "button", onclick: () => this.#pause() });
    this.more = el("button", { type: "button", id: "extend", onclick: () => this.#extend() });
    refill(this.clock, this.time, this.more, this.pause);
    setInterval(() => this.#tick(), 100);
  }

  render(state, status) {
    this.state = state;
    this.status = status;
    const shown = this.#choose(state, status);
    this.root.className = shown.kind;
    this.#show(shown);
    const clock = state.clock;
    this.pause.hidden = !clock.on;
    const used = (state.rack.extensions_used?.[state.rack.at_table] ?? 0) > 0;
    this.more.hidden = !clock.on;
    this.more.disabled = used || state.rack.over;
    say(this.more, `+${Math.round(clock.extension_s)}`);
    mark(this.more, "aria-label", t("clock.extend", { player: state.match.players[state.rack.at_table], seconds: Math.round(clock.extension_s) }));
    const paused = clock.paused || !clock.running;
    if (this.pause.dataset.paused !== String(paused)) {
      this.pause.dataset.paused = String(paused);
      this.pause.textContent = paused ? "▶" : "❚❚";
      this.pause.setAttribute("aria-label", t(paused ? "clock.resume" : "clock.pause"));
    }
    this.#tick();
  }

  /** Before the first word from the server. */
  waiting() {
    this.root.className = "";
    this.#show({ text: t("strip.connecting"), small: "", key: "waiting" });
  }

  #show({ text, small, buttons = [], key, counting = false }) {
    const shown = JSON.stringify([text, small, key]);
    if (this.shown === shown) return;
    this.shown = shown;
    refill(this.words, text, counting && el("span", { "data-until": "" }, LIP_S.toFixed(1)), el("small", null, small || "\u00a0"));
    redraw(this.actions, () => {
      // New buttons come in a new place: none of the old ones moves under a finger.
      const fresh = refill(this.actions.cloneNode(false), buttons);
      this.actions.replaceWith(fresh);
      this.actions = fresh;
    });
  }

  #pause() {
    const { clock } = this.state;
    this.act({ type: clock.paused || !clock.running ? "clock_resume" : "clock_pause" });
  }

  #extend() {
    this.act({ type: "extension", by: this.state.rack.at_table });
  }

  #tick() {
    if (!this.state) return;
    showTime(this.time, this.state.clock, this.link.matchTime());
    const { shot } = this.state;
    const lip = this.words.querySelector("[data-until]");
    if (lip && shot.provisional_until_s !== null) {
      const left = Math.max(0, shot.provisional_until_s - (this.link.matchTime() ?? 0));
      lip.textContent = left.toFixed(1);
    }
  }

  /** What to show, the most urgent first. */
  #choose(state, status) {
    const name = (who) => state.match.players[who];
    if (status !== "live") return this.#lost();
    const loss = state.cards.find((card) => card.kind === "loss");
    if (loss) return { kind: "lost", key: loss.id, text: inLanguage(loss), small: inLanguage(loss, "title"), buttons: loss.answers.map((answer) => this.#answer(answer)) };
    const prompt = state.prompts[0];
    if (prompt) {
      return { kind: "warn", key: prompt.id, text: inLanguage(prompt), small: t("strip.warn_small"),
        buttons: [button(t("strip.warned"), () => this.act(prompt.action), { id: "warned" })] };
    }
    if (state.decision) return this.#decision(state.decision);
    if (state.rack.over) return this.#over(state, name);
    return this.#play(state, name);
  }

  #answer(answer) {
    const text = inLanguage(answer);
    return answer.id === "confirm" ? twoTaps(text, t("sheet.again"), () => this.act(answer.action)) : button(text, () => this.act(answer.action));
  }

  #lost() {
    const since = new Date(this.link.lostAt ?? Date.now()).toLocaleTimeString(languageNow());
    return { kind: "lost", key: "link", text: t("strip.lost"), small: t("strip.lost_small", { since }),
      buttons: [button(t("strip.retry"), () => this.link.retry())] };
  }

  #decision(decision) {
    const reason = ({ article, ...option }) => (/^\d/.test(article ?? "") ? `${article} ${inLanguage(option, "title")}` : inLanguage(option, "title"));
    const small = [...new Set(decision.options.map(reason).filter(Boolean))].join(" · ");
    return {
      kind: "decide", key: JSON.stringify(decision), text: inLanguage(decision), small,
      buttons: decision.options.map((option) => button(t(`option.${option.value}`), () => this.act(option.action), { "data-option": option.value })),
    };
  }

  #over({ rack, score }, name) {
    const winner = rack.match_winner ?? rack.winner;
    const over = rack.match_over;
    return {
      kind: "over", key: `over${rack.number}${over}`,
      text: winner ? t(over ? "strip.wins_match" : "strip.wins_rack", { player: name(winner) }) : t("strip.rack_over"),
      small: `${score.A} : ${score.B}`,
      buttons: [over ? button(t("strip.new_match"), this.newMatch, { id: "new-match" })
        : button(t("strip.next_rack"), () => this.act({ type: "next_rack" }), { id: "next-rack", kind: "primary" })],
    };
  }

  #play(state, name) {
    const { rack, shot, next_shot: next } = state;
    const small = this.#details(state);
    if (shot.phase === "moving") return { kind: "moving", key: "moving", text: t("strip.moving"), small };
    if (shot.phase === "settling" && shot.on_lip.length) {
      return { kind: "moving", key: `lip${shot.on_lip}`, text: t("strip.lip", { balls: shot.on_lip.join(", ") }), counting: true, small };
    }
    const player = name(rack.at_table);
    const inHand = rack.cue_ball !== "in_place";
    if (startsUnseen(state) && !state.first) return { kind: "", key: "unseen", text: t("strip.unseen"), small: t("strip.first_look") };
    if (rack.phase === "break") return { kind: inHand ? "hand" : "", key: "break", text: t("strip.breaks", { player }), small: `${t("strip.behind")} · ${t("strip.check_rack")}` };
    const pushable = rack.push_out_available && next.kind !== "push_out";
    const buttons = pushable ? [button(t("call.push_out"), () => this.act({ type: "push_out" }), { id: "push-out" })] : [];
    if (inHand) return { kind: "hand", key: `hand${pushable}`, text: t("strip.in_hand", { player }), small: `${t(`cue_ball.${rack.cue_ball}`)} · ${small}`, buttons };
    return { kind: pushable ? "pushable" : "", key: `play${pushable}`, text: t("strip.plays", { player }), small, buttons };
  }

  #details({ match, rack, next_shot: next, shot, health, first }) {
    const words = first ? [t("strip.first_look")] : [t("strip.shot", { number: next.number }), t(`phase.${rack.phase}`)];
    if (rack.ball_on) words.push(t("strip.ball_on", { ball: rack.ball_on }));
    if (rack.stalemate_turns_left) words.push(counted("strip.stalemate", Math.max(rack.stalemate_turns_left.A, rack.stalemate_turns_left.B)));
    if (cameraOf({ match, health }) === "on" && !health.ruling) words.push(t("strip.no_rulings", { why: inLanguage(health.reasons[0]) }));
    if (shot.phase === "settling") words.push(t("strip.settling"));
    return words.join(" · ");
  }
}
