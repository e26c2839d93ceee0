// Why a ruling is as it is: findings with margin and picture, the facts, and what no camera judges.

import { inLanguage } from "./acts.js";
import { el } from "./dom.js";
import { evidenceWords, marginWords } from "./ruling.js";
import { button, openSheet } from "./sheet.js";
import { languageNow, t } from "./words.js";
import { clipView } from "./video.js";

export function openRuling({ state, ruling, correct }) {
  const doubtful = (fact) => (fact.sure ? null : el("span", { class: "chip open" }, t("ruling.unsure")));
  const correcting = () => {
    sheet.close();
    correct(ruling);
  };
  const sheet = openSheet({
    title: ruling.shot === null ? t("ruling.declaration") : t("ruling.title", { shot: ruling.shot }), name: "why",
    body: [
      el("p", { class: "sentence" }, inLanguage(ruling, "sentence")),
      ruling.findings.length > 0 && part("ruling.findings", el("ul", { class: "findings" }, ruling.findings.map((finding) => el("li", null,
        el("span", { class: "article" }, finding.article), " ", inLanguage(finding, "title"),
        finding.margin && el("span", { class: "dim" }, ` · ${marginWords(finding.margin)}`),
        finding.called && el("span", { class: "dim" }, ` · ${t("ruling.by_person")}`))))),
      ruling.evidence.length > 0 && part("ruling.moments", el("div", { class: "evidence" }, ruling.evidence.map((evidence) => el("figure", null,
        el("div", { class: "clip-frame" }, clipView(evidence, { controls: true })),
        evidence.ready && el("img", { class: "three", alt: t("ruling.three"), src: `/api/v1/evidence/${evidence.id}/picture.jpg`, loading: "lazy" }),
        el("figcaption", null, evidenceWords(ruling, evidence)))))),
      ruling.facts.length > 0 && part("ruling.facts", el("ul", { class: "facts" }, ruling.facts.map((fact) => el("li", null,
        inLanguage(fact), fact.margin && el("span", { class: "dim" }, ` (${marginWords(fact.margin)})`), " ", doubtful(fact))))),
      ruling.questions.length > 0 && part("ruling.questions", el("ul", null, ruling.questions.map((question) => el("li", null, el("span", { class: "article" }, question.article), " ", inLanguage(question, question.text ? "text" : "ask"))))),
      ruling.assumptions?.length > 0 && part("ruling.assumptions", el("ul", null, ruling.assumptions.map((text) => el("li", null, text)))),
      part("more.not_judged", notJudged(state)),
    ],
    foot: ruling.shot === null ? [] : [button(t("ruling.correct"), correcting, { id: "why-correct" })],
  });
}

/** What no camera judges: called by people only. */
export function openNotJudged({ state }) {
  openSheet({ title: t("more.not_judged"), name: "why", body: [el("p", { class: "dim" }, t("not_judged.how")), notJudged(state)] });
}

const part = (key, node) => el("section", null, el("h3", null, t(key)), node);

function notJudged(state) {
  return el("ul", { class: "not-judged" }, state.not_judged.map((item) => el("li", null,
    item.article && el("span", { class: "article" }, item.article), " ", inLanguage(item, "title"), item.note && el("span", { class: "dim" }, ` · ${inLanguage(item, "note")}`))));
}

/** The journal of the match, newest first, and its files. */
export async function openRecords({ state }) {
  const base = `/api/v1/matches/${state.match.id}`;
  const list = el("ol", { class: "records" }, el("li", { class: "dim" }, "…"));
  openSheet({
    title: t("journal.all"), name: "records",
    body: [el("div", { class: "row" }, ["rulings", "shots", "declarations", "journal"].map((name) =>
      el("a", { class: "button", href: `${base}/export/${name}.jsonl`, download: `match-${state.match.id}-${name}.jsonl` }, t(`export.${name}`)))), list],
  });
  const rows = [];
  for (let after = 0; ; ) {
    const answer = await fetch(`${base}/records?after=${after}&limit=200`).catch(() => null);
    const page = answer?.ok ? await answer.json() : null;
    if (!page || page.records.length === 0) break;
    rows.push(...page.records);
    if (after === page.last || page.records.length < 200) break;
    after = page.records.at(-1).id;
  }
  list.replaceChildren(...rows.reverse().map((row) => el("li", { class: `${row.kind}${row.undone ? " undone" : ""}` }, el("time", null, clockTime(row)), el("span", null, inLanguage(row)))));
}

function clockTime(row) {
  const date = new Date(row.written_at);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString(languageNow());
}
