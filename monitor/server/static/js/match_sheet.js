// A new match; the token; the list of keys.

import { el } from "./dom.js";
import { button, oneOf, openSheet, twoTaps } from "./sheet.js";
import { t } from "./words.js";

export function openMatch({ state, acts }) {
  const names = ["A", "B"].map((who) => el("input", { type: "text", maxlength: 40, value: state?.match.players[who] ?? "", id: `name-${who}` }));
  const race = el("input", { type: "number", min: 0, max: 99, value: state?.match.race_to ?? 7, id: "race" });
  const breaker = oneOf(t("match.breaker"), [["A", t("match.first")], ["B", t("match.second")]], { value: "A" });
  const opening = oneOf(t("match.opening"), [["break", t("match.from_break")], ["seen", t("match.from_seen")]], { value: "break" });
  const order = oneOf(t("match.break_order"), ["alternate", "winner", "loser"].map((name) => [name, t(`break_order.${name}`)]), { value: "alternate" });
  const points = oneOf(t("match.three_point"), [[false, t("sheet.no")], [true, t("sheet.yes")]], { value: false });
  const counter = oneOf(t("match.counter"), [[false, t("sheet.no")], [true, t("sheet.yes")]], { value: false });
  const begin = async () => {
    const body = {
      players: names.map((node, index) => node.value.trim() || (index ? "B" : "A")), race_to: Number(race.value) || null,
      breaker: breaker.value, opening: opening.value,
      options: { break_order: order.value, three_point_break: points.value, visible_counter_is_warning: counter.value },
    };
    if (await acts.post("/api/v1/match", body)) sheet.close();
  };
  const over = state?.rack.match_over || !state?.rulings.length;
  const sheet = openSheet({
    title: t("match.title"), name: "match",
    body: [
      el("div", { class: "two" }, el("label", null, t("match.first"), names[0]), el("label", null, t("match.second"), names[1])),
      el("label", { class: "short" }, t("match.race"), race), breaker.node, opening.node, order.node, el("div", { class: "two" }, points.node, counter.node),
    ],
    foot: [over ? button(t("match.begin"), begin, { kind: "primary", id: "match-begin" }) : twoTaps(t("match.begin"), t("match.begin_again"), begin, { id: "match-begin" })],
  });
}

export function openToken({ use, wrong }) {
  const field = el("input", { type: "password", autocomplete: "off", id: "token", "aria-label": t("token.title") });
  const enter = () => {
    if (!field.value.trim()) return;
    sheet.close();
    use(field.value.trim());
  };
  field.addEventListener("keydown", (event) => event.key === "Enter" && enter());
  const sheet = openSheet({
    title: t("token.title"), name: "token", body: [el("p", { class: "dim" }, t(wrong ? "token.wrong" : "token.how")), field],
    foot: [button(t("token.enter"), enter, { kind: "primary", id: "token-enter" })],
  });
  field.focus();
}

export function openKeys({ keys }) {
  openSheet({
    title: t("keys.title"), name: "keys",
    body: [el("dl", { class: "keys" }, keys.map(([key, text]) => [el("dt", null, key.split(" ").map((one) => [el("kbd", null, one), " "])), el("dd", null, text)]))],
  });
}
