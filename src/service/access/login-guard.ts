import { RequestLimit } from '../http/limits.js';

const PATH = '/api-token';
const MINUTE_MS = 60_000;

/** Slows down who guesses passwords: failures count for each email, and for all of them together. */
export class LoginGuard {
  readonly #perEmail: RequestLimit;
  readonly #together: RequestLimit;

  constructor(now: () => number = Date.now) {
    this.#perEmail = new RequestLimit({ amount: 10, perMs: 15 * MINUTE_MS }, now);
    this.#together = new RequestLimit({ amount: 120, perMs: MINUTE_MS }, now);
  }

  /** @throws RateLimitError after too many failures */
  attempt(email: string): void {
    this.#perEmail.take(email, PATH);
    this.#together.take('all', PATH);
  }

  succeeded(email: string): void {
    this.#perEmail.giveBack(email);
    this.#together.giveBack('all');
  }
}
