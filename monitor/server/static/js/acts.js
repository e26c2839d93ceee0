// What a person does goes to the server: once each, even over a broken link.

import { languageNow, t } from "./words.js";

const TRIES = 4;
const WAIT_MS = 700;

export class Acts {
  constructor(link, { told, wantToken }) {
    this.link = link;
    this.told = told;
    this.wantToken = wantToken;
  }

  /** Posts one action of the API; resolves to the answer, or null when it was refused (and said). */
  act(action) {
    return this.post("/api/v1/actions", action);
  }

  /**
   * Posts `body` with an id of its own: a repeat after a lost answer changes nothing twice.
   * `quiet`: a refusal is answered (`ok` false), not said. `numbered` false: without an id.
   */
  async post(path, body, { quiet = false, numbered = true } = {}) {
    if (!this.link.token) {
      this.wantToken();
      return null;
    }
    const text = JSON.stringify(numbered ? { id: newId(), ...body } : body);
    for (let turn = 1; ; turn += 1) {
      try {
        const answer = await fetch(path, {
          method: "POST",
          headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.link.token}` },
          body: text,
        });
        return await this.#taken(answer, quiet);
      } catch (error) {
        if (!(error instanceof TypeError) || turn === TRIES) {
          this.told(t("act.unreachable"), true);
          return null;
        }
        await new Promise((done) => setTimeout(done, WAIT_MS * turn));
      }
    }
  }

  async #taken(answer, quiet) {
    const said = await answer.json().catch(() => ({}));
    if (answer.ok) {
      if (said.refused && !quiet) this.told(inLanguage(said, "sentence") || t("act.refused"), true);
      return said;
    }
    if (answer.status === 401 || answer.status === 403) this.wantToken(said);
    else if (!quiet) this.told(inLanguage(said, "sentence") || t("act.failed", { status: answer.status }), true);
    return quiet ? { ok: false, ...said } : null;
  }
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The text of `thing` in the language of the page: `text_cs` for Czech where there is one. */
export function inLanguage(thing, name = "text") {
  if (!thing) return "";
  return (languageNow() === "cs" && thing[`${name}_cs`]) || thing[name] || "";
}
