// Asks for the state again and again, and keeps the last hour of history.

const EVERY_MS = 2000;
const PATIENCE_MS = 8000;
const HOUR_MS = 3600000;
/** Steps this young may still grow, when a node tells late of what it did. */
const UNSETTLED_MS = 30000;

export class Feed {
  /**
   * @param {(state: object, history: object[]) => void} onState called for each answer
   * @param {(why: string, lastMs: number) => void} onSilence called for each question without one; 0: there never was
   */
  constructor(onState, onSilence) {
    this.onState = onState;
    this.onSilence = onSilence;
    this.steps = new Map();
    this.lastMs = 0;
    this.timer = 0;
    this.isAsking = false;
    document.addEventListener("visibilitychange", () => this.ask());
  }

  /** Asks now, and from then on while the page is seen. */
  async ask() {
    clearTimeout(this.timer);
    if (document.hidden || this.isAsking) {
      return;
    }
    this.isAsking = true;
    try {
      this.take(await this.fetchState());
    } catch (fault) {
      this.onSilence(fault.message, this.lastMs);
    } finally {
      this.isAsking = false;
      this.timer = setTimeout(() => this.ask(), EVERY_MS);
    }
  }

  async fetchState() {
    const newest = Math.max(0, ...this.steps.keys());
    const answer = await fetch(`api/state?after=${Math.max(0, newest - UNSETTLED_MS)}`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!answer.ok) {
      throw new Error(`it answers with status ${answer.status}`);
    }
    return answer.json();
  }

  take(state) {
    this.lastMs = Date.now();
    for (const step of state.history) {
      this.steps.set(step.at_ms, step);
    }
    for (const at of this.steps.keys()) {
      if (at < state.now_ms - HOUR_MS) {
        this.steps.delete(at);
      }
    }
    const history = [...this.steps.values()].sort((a, b) => a.at_ms - b.at_ms);
    this.onState(state, history);
  }
}
