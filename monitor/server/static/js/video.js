// The picture beside the table: live, or the clip of a deciding moment.

import { inLanguage } from "./acts.js";
import { el, mark, refill, say } from "./dom.js";
import { evidenceWords, newestShot } from "./ruling.js";
import { cameraOf } from "./table_state.js";
import { languageNow, t } from "./words.js";

const STREAM = "/api/v1/video.mjpg";
const PICTURE = "/api/v1/frame.jpg";
const POLL_MS = 500;
const STREAM_TRIES = 8;
const STREAM_WAIT_MS = 1000;
const NO_PICTURE = { none: "video.off", failed: "video.failed", missing: "video.missing", starting: "video.starting" };
const MOMENTS = ["contact", "rail", "pocket"];

/** Which of the three moments a piece of evidence shows. */
export function momentOf(evidence) {
  if (/pocket|drop|off/.test(evidence.what)) return "pocket";
  if (/rail|cushion/.test(evidence.what)) return "rail";
  return "contact";
}

export class Video {
  constructor(root) {
    this.host = root.querySelector("#video-host");
    this.moments = root.querySelector("#moments");
    this.showing = "live";
    this.camera = null;
    this.buttons = Object.fromEntries(["live", ...MOMENTS].map((name) => [name,
      el("button", { type: "button", "data-moment": name, onclick: () => this.show(name) })]));
    this.moments.append(...Object.values(this.buttons));
    document.addEventListener("visibilitychange", () => this.showing === "live" && this.#live());
  }

  /** Shows "live", "contact", "rail" or "pocket" of the last stroke. */
  show(name) {
    if (name !== "live" && !this.clips?.[name]) return;
    this.showing = name;
    if (name === "live") this.#live();
    else this.#clip(this.clips[name]);
    this.#press();
  }

  /** Shows one piece of evidence, whichever stroke it belongs to. */
  showEvidence(evidence) {
    this.showing = "other";
    this.#clip(evidence);
    this.#press();
  }

  render(state) {
    const ruling = newestShot(state);
    const clips = {};
    for (const evidence of ruling?.evidence ?? []) clips[momentOf(evidence)] ??= evidence;
    this.clips = clips;
    this.rulings = state.rulings;
    for (const [name, node] of Object.entries(this.buttons)) {
      say(node, t(`video.${name}`));
      node.disabled = name === "live" ? cameraOf(state) === "none" : !clips[name];
    }
    if (this.showing !== "live" && this.showing !== "other" && (state.shot.phase === "moving" || !clips[this.showing])) this.show("live");
    if (this.showing !== "live" && !this.playing) this.#isItReady(state.rulings);
    const camera = cameraOf(state);
    if (camera !== this.camera || this.language !== languageNow()) {
      this.camera = camera;
      this.language = languageNow();
      if (this.showing === "live") this.#live();
    }
    this.#press();
  }

  /** A clip that was still being cut is shown as soon as it is there. */
  #isItReady(rulings) {
    const now = rulings.flatMap((ruling) => ruling.evidence).find((evidence) => evidence.id === this.wanted);
    if (now?.ready) this.#clip(now);
  }

  #press() {
    for (const [name, node] of Object.entries(this.buttons)) mark(node, "aria-pressed", String(name === this.showing && !node.disabled));
  }

  #live(tries = 0) {
    clearInterval(this.polling);
    clearTimeout(this.again);
    this.playing = false;
    if (this.camera === null) return;
    if (NO_PICTURE[this.camera] || document.hidden) {
      refill(this.host, el("p", { class: "off" }, t(NO_PICTURE[this.camera] ?? "video.off")));
      return;
    }
    const ended = this.camera === "ended";
    const image = el("img", { alt: t("video.alt"), src: ended ? `${PICTURE}?${Date.now()}` : STREAM });
    image.addEventListener("error", () => this.#noStream(image, tries), { once: true });
    refill(this.host, image, el("span", { class: "badge live" }, t(ended ? "video.ended" : "video.live")));
  }

  /** No picture yet, or the stream is taken by others: it is asked for again, then single pictures. */
  #noStream(image, tries) {
    if (!image.isConnected) return;
    if (tries < STREAM_TRIES) this.again = setTimeout(() => image.isConnected && this.#live(tries + 1), STREAM_WAIT_MS);
    else this.#poll(image);
  }

  #poll(image) {
    clearInterval(this.polling);
    const next = () => {
      if (!image.isConnected) clearInterval(this.polling);
      else image.src = `${PICTURE}?${Date.now()}`;
    };
    this.polling = setInterval(next, POLL_MS);
  }

  #clip(evidence) {
    clearInterval(this.polling);
    this.wanted = evidence.id;
    this.playing = evidence.ready;
    refill(this.host, clipView(evidence), el("span", { class: "badge" }, t(`video.${momentOf(evidence)}`)),
      el("span", { class: "margin" }, evidenceWords(this.rulings?.find((ruling) => ruling.evidence.some((one) => one.id === evidence.id)), evidence)));
  }
}

/** A clip that plays again and again, slowly; its picture until it is ready or when it fails. */
export function clipView(evidence, { controls = false } = {}) {
  const picture = () => el("img", { alt: inLanguage(evidence), src: `/api/v1/evidence/${evidence.id}/picture.jpg` });
  const lost = evidence.state === "none" || evidence.state === "gone";
  if (!evidence.ready) return el("p", { class: "off" }, t(lost ? "video.no_clip" : "video.not_ready"));
  const video = el("video", { src: `/api/v1/evidence/${evidence.id}/clip.mp4`, muted: true, playsinline: true, loop: true, autoplay: true, controls, "aria-label": inLanguage(evidence) });
  video.muted = true;
  video.defaultPlaybackRate = video.playbackRate = 0.5;
  video.addEventListener("error", () => video.replaceWith(picture()), { once: true });
  return video;
}
