// From the state of the API to what the drawing wants; the same object while nothing changed.

const EMPTY = [];
const memo = { table: null, shape: null, events: null, contacts: EMPTY };

/** The measures of the table; the drawing is left as it is while they are the same object. */
export function shapeNow({ length_m, width_m, ball_radius_m }) {
  const key = `${length_m}/${width_m}/${ball_radius_m}`;
  if (memo.table !== key) {
    memo.table = key;
    memo.shape = { length_m, width_m, ball_diameter_m: 2 * ball_radius_m };
  }
  return memo.shape;
}

/** Contacts to mark; the first of the cue ball with an object ball stands out. */
export function contactsMarked({ events = EMPTY }) {
  if (memo.events === events) return memo.contacts;
  memo.events = events;
  const first = events.find((event) => event.kind === "ball_contact" && (event.a === "cue" || event.b === "cue"));
  memo.contacts = events.map((event) => ({ ...event, first: event === first }));
  return memo.contacts;
}

/** True while nobody has told, and no stroke has shown, which balls are in play. */
export function startsUnseen(state) {
  return state.match.opening === "seen" && state.rulings.length === 0 && state.next_shot.number <= 1;
}

/** What the camera does: "none", "starting", "on", "ended", "failed". */
export function cameraOf({ match, health }) {
  return match.camera && health.camera === "none" ? "starting" : health.camera;
}

/**
 * Before the first stroke of a match that began with the balls as they lay, the record does not
 * know them yet: the rack is shown as it is seen (docs/formats.md, the state at the start).
 */
export function firstLook(state, balls) {
  if (!startsUnseen(state)) return state;
  const seen = Object.keys(balls ?? {}).filter((ball) => /^\d+$/.test(ball)).sort((a, b) => Number(a) - Number(b));
  if (seen.length === 0 || seen.length === 10) return state;
  const rack = { ...state.rack, balls: seen, lowest: seen[0], ball_on: seen[0], phase: "normal", cue_ball: "in_place", safety_available: true };
  return { ...state, rack, first: true };
}

const pathMemo = { of: null, paths: {} };
const INTO_POCKET_M = 0.05;

/** Paths to draw: that of a ball which fell ends in its pocket. */
export function pathsToPockets(shown, pockets) {
  if (pathMemo.of === shown.paths) return pathMemo.paths;
  pathMemo.of = shown.paths;
  pathMemo.paths = Object.fromEntries(Object.entries(shown.paths).map(([ball, points]) => {
    const fell = shown.events.find((event) => event.kind === "ball_pocketed" && event.ball === ball);
    const at = fell && pockets[fell.pocket];
    if (!at) return [ball, points];
    const end = points.findIndex(([x, y]) => Math.hypot(x - at[0], y - at[1]) < INTO_POCKET_M);
    return [ball, end < 0 ? points : [...points.slice(0, end), at]];
  }));
  return pathMemo.paths;
}
