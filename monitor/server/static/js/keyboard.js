// Keys for those who work with a keyboard. None acts while a sheet is open or a field has the focus.

import { sheetIsOpen } from "./sheet.js";

/** Pockets as they lie on the drawing: upper row Q W E, lower row A S D. */
export const POCKET_KEYS = { q: "HL", w: "SL", e: "FL", a: "HR", s: "SR", d: "FR" };
const TURNED = { HL: "FR", SL: "SR", FL: "HR", HR: "FL", SR: "SL", FR: "HL" };

/** `acts`: functions by key; `ball(ball)`, `pocket(pocket)`; `turn()`: how the drawing is turned. */
export function listenToKeys({ acts, ball, pocket, turn }) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || sheetIsOpen()) return;
    if (event.target.closest?.("input, textarea, select")) return;
    const key = event.key.toLowerCase();
    if (/^[0-9]$/.test(key)) ball(key === "0" ? "10" : key);
    else if (key in POCKET_KEYS) pocket(turn() === 180 ? TURNED[POCKET_KEYS[key]] : POCKET_KEYS[key]);
    else if (acts[key]) acts[key]();
    else return;
    event.preventDefault();
  });
}
