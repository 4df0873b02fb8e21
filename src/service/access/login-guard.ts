import { RateLimit } from '../http/rate-limit.js';

const PATH = '/api-token';
const MINUTE_MS = 60_000;

/** Limits failed logins, per email and in total, against guessing of passwords. */
export class LoginGuard {
  readonly #perEmail: RateLimit;
  readonly #total: RateLimit;

  constructor(now: () => number = Date.now) {
    this.#perEmail = new RateLimit({ amount: 10, perMs: 15 * MINUTE_MS }, now);
    this.#total = new RateLimit({ amount: 120, perMs: MINUTE_MS }, now);
  }

  /** @throws RateLimitError after too many failures */
  checkAttempt(email: string): void {
    this.#perEmail.take(email, PATH);
    this.#total.take('all', PATH);
  }

  reportSuccess(email: string): void {
    this.#perEmail.refund(email);
    this.#total.refund('all');
  }
}
