// The live link: hello, snapshot, deltas by number; after a break it resumes where it was.

const PING_MS = 10_000;
const SILENT_MS = 25_000;
const WAITS_MS = [500, 1000, 2000, 4000, 8000, 10_000];
const TOKEN = "table-monitor.token";

/** The referee's token: from the address (#token=…, then taken out of it) or kept from before. */
export function tokenKept() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    keepToken(given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return localStorage.getItem(TOKEN);
}

/** Keeps the token for the next time; null forgets it. */
export function keepToken(token) {
  if (token) localStorage.setItem(TOKEN, token);
  else localStorage.removeItem(TOKEN);
}

/** The state of the table as the server tells it. Listeners get the names of what changed. */
export class Link {
  constructor({ token } = {}) {
    this.token = token ?? null;
    this.state = null;
    this.frame = null;
    this.status = "connecting";
    this.role = null;
    this.lostAt = null;
    this.epoch = null;
    this.seq = null;
    this.tries = 0;
    this.stale = true;
    this.resumed = false;
    this.time = null;
    this.listeners = { state: new Set(), frame: new Set(), status: new Set() };
  }

  on(what, listener) {
    this.listeners[what].add(listener);
    return this;
  }

  open() {
    clearTimeout(this.again);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/live`);
    this.socket = socket;
    socket.onopen = () => this.#hello();
    socket.onmessage = (event) => socket === this.socket && this.#read(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.#closed(event.code);
    return this;
  }

  /** Another token: the link is opened anew with it. */
  useToken(token) {
    keepToken(token);
    this.token = token;
    this.tries = 0;
    this.#drop();
    this.open();
  }

  /** Tries at once instead of waiting for the next turn. */
  retry() {
    if (this.status === "live") return;
    this.#drop();
    this.open();
  }

  /** Cuts the link as a dead network would, for tests; it comes back by itself or by `retry`. */
  cut() {
    this.#drop();
    this.#closed(0);
  }

  #drop() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  #hello() {
    const hello = { type: "hello", v: 1 };
    if (this.token) hello.token = this.token;
    if (this.epoch !== null && this.state) hello.resume = { epoch: this.epoch, seq: this.seq };
    this.socket.send(JSON.stringify(hello));
    this.heard = performance.now();
    clearInterval(this.pinging);
    this.pinging = setInterval(() => this.#ping(), PING_MS);
  }

  #ping() {
    if (performance.now() - this.heard > SILENT_MS) {
      this.#drop();
      this.#closed(0);
    } else if (this.socket?.readyState === WebSocket.OPEN) this.socket.send('{"type":"ping"}');
  }

  #read(message) {
    this.heard = performance.now();
    switch (message.type) {
      case "hello":
        this.role = message.role;
        this.stale = message.epoch !== this.epoch;
        this.resumed = !this.stale;
        this.epoch = message.epoch;
        if (this.state && !this.stale && message.seq === this.seq) this.#live();
        break;
      case "snapshot":
        this.seq = message.seq;
        this.resumed = this.stale = false;
        this.#take(message.state, null);
        break;
      case "delta":
        if (this.stale || message.seq <= this.seq) break;
        if (message.seq !== this.seq + 1) {
          this.#hello();
          break;
        }
        this.seq = message.seq;
        this.#take({ ...this.state, ...message.changes }, Object.keys(message.changes));
        break;
      case "frame":
        this.#setTime(message.t_s + (message.age_ms ?? 0) / 1000);
        this.frame = message;
        for (const listener of this.listeners.frame) listener(message);
        break;
    }
  }

  /** The match time now, in seconds; null before the server has told it. */
  matchTime() {
    return this.time ? this.time.t_s + (performance.now() - this.time.at) / 1000 : null;
  }

  #setTime(t_s) {
    this.time = { t_s, at: performance.now() };
  }

  #take(state, names) {
    this.state = state;
    const told_s = state.clock.at_s;
    if (told_s !== null && (names === null || names.includes("clock"))) this.#setTime(told_s);
    for (const listener of this.listeners.state) listener(state, names);
    this.#live();
  }

  #live() {
    this.tries = 0;
    this.lostAt = null;
    this.#tell("live");
  }

  #closed(code) {
    clearInterval(this.pinging);
    this.lostAt ??= Date.now();
    if (code === 4403) {
      this.token = null;
      keepToken(null);
    }
    const wait = code === 4429 ? WAITS_MS.at(-1) : WAITS_MS[Math.min(this.tries, WAITS_MS.length - 1)];
    this.tries += 1;
    this.#tell("lost");
    clearTimeout(this.again);
    this.again = setTimeout(() => this.open(), wait);
  }

  #tell(status) {
    if (status === this.status && status === "live") return;
    this.status = status;
    for (const listener of this.listeners.status) listener(status);
  }
}
