// Which set of balls lies on the table, for their colours: asked again when the camera changes.

/** Follows the ball set: call `follow(camera)` with each state; `changed(name)` is told. */
export function followBallSet(changed) {
  let asked = null;
  let known = null;
  return async (camera) => {
    if (camera === asked) return;
    asked = camera;
    const answer = await fetch("/api/v1/setup").catch(() => null);
    const { ball_set: name } = answer?.ok ? await answer.json() : {};
    if (!name || name === known) return;
    known = name;
    changed(name);
  };
}
