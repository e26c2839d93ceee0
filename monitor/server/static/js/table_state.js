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
