// The shot clock: counts down on the page's own clock from what the server said.

import { mark, say } from "./dom.js";
import { t } from "./words.js";

/** Seconds left by now, never below zero. */
export function leftNow(clock, matchTime_s) {
  if (!clock?.on) return null;
  if (!clock.running || matchTime_s === null) return Math.max(0, clock.left_s);
  return Math.max(0, clock.left_s - Math.max(0, matchTime_s - clock.at_s));
}

/** Shows the time in `node`: whole seconds, tenths under ten. */
export function showTime(node, clock, matchTime_s) {
  const left = leftNow(clock, matchTime_s);
  const low = left !== null && left <= (clock.warning_s ?? 10);
  node.classList.toggle("low", low && left > 0);
  node.classList.toggle("out", left === 0);
  node.classList.toggle("off", left === null);
  say(node, left === null ? t("clock.word") : low && left > 0 ? left.toFixed(1) : String(Math.ceil(left)));
  mark(node, "aria-label", left === null ? t("clock.off") : t("clock.left", { seconds: Math.ceil(left) }));
}
