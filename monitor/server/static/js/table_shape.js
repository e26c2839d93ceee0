// The table in millimetres, as table/geometry.py has it: noses, pockets, strings, sights.

export const POCKETS = ["HL", "SL", "FL", "HR", "SR", "FR"];
export const CUSHIONS = ["HEAD", "FOOT", "LEFT_HEAD", "LEFT_FOOT", "RIGHT_HEAD", "RIGHT_FOOT"];
export const NINE_FOOT = { length_m: 2.54, width_m: 1.27, ball_diameter_m: 0.05715 };
export const RAIL_MM = 100;
const CORNER_MOUTH_MM = 116;
const SIDE_MOUTH_MM = 129;
const CORNER_SHELF_MM = 41;

/** Everything a drawing needs, in mm of the table frame (x to the foot, y to the left). */
export function shapeOf(table) {
  const a = table.length_m * 500;
  const b = table.width_m * 500;
  const c = CORNER_MOUTH_MM / Math.SQRT2;
  const s = SIDE_MOUTH_MM / 2;
  const d = 1 / Math.SQRT2;
  const corner = (sx, sy) => ({
    at: [sx * (a - c / 2 + d * CORNER_SHELF_MM), sy * (b - c / 2 + d * CORNER_SHELF_MM)],
    r: CORNER_MOUTH_MM / 2,
  });
  const side = (sy) => ({ at: [0, sy * (b + 34)], r: SIDE_MOUTH_MM / 2 });
  return {
    a, b,
    ballRadius: (table.ball_diameter_m ?? 0.05715) * 500,
    headString: -a / 2,
    footSpot: [a / 2, 0],
    pockets: {
      HL: corner(-1, 1), HR: corner(-1, -1), FL: corner(1, 1), FR: corner(1, -1),
      SL: side(1), SR: side(-1),
    },
    noses: [
      [[-a, -b + c], [-a, b - c]], [[a, -b + c], [a, b - c]],
      [[-a + c, b], [-s, b]], [[s, b], [a - c, b]],
      [[-a + c, -b], [-s, -b]], [[s, -b], [a - c, -b]],
    ],
    cushionMiddles: {
      HEAD: [-a, 0], FOOT: [a, 0], LEFT_HEAD: [-a / 2, b], LEFT_FOOT: [a / 2, b],
      RIGHT_HEAD: [-a / 2, -b], RIGHT_FOOT: [a / 2, -b],
    },
    sights: sights(a, b),
  };
}

function sights(a, b) {
  const out = RAIL_MM * 0.68;
  const points = [];
  for (const side of [-1, 1]) {
    for (const k of [-3, -2, -1, 1, 2, 3]) points.push([(k * a) / 4, side * (b + out)]);
    for (const k of [-1, 0, 1]) points.push([side * (a + out), (k * b) / 2]);
  }
  return points;
}

/** Table frame (mm) to drawing (mm), the table turned by quarter turns; 0: head end on the left. */
export function turned([x, y], turn) {
  switch (turn) {
    case 90: return [y * -1, x * -1];
    case 180: return [-x, y];
    case 270: return [y, x];
    default: return [x, -y];
  }
}

/** Drawing (mm) back to the table frame (mm). */
export function unturned([u, v], turn) {
  switch (turn) {
    case 90: return [-v, -u];
    case 180: return [-u, v];
    case 270: return [v, u];
    default: return [u, -v];
  }
}
