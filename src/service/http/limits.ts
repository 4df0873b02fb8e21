import { RateLimitError } from '../../model/errors.js';

/** Holders remembered at once; the one idle longest is forgotten first. */
const KEPT_HOLDERS = 10_000;

interface Bucket {
  tokens: number;
  filledMs: number;
}

export interface Rate {
  /** How much may come at once, and comes back in `perMs`. */
  readonly amount: number;
  readonly perMs: number;
}

/** Allows each holder a rate of requests, and refuses more until there is room again. */
export class RequestLimit {
  readonly #buckets = new Map<string, Bucket>();

  readonly #rate: Rate;
  readonly #now: () => number;

  constructor(rate: Rate, now: () => number = Date.now) {
    this.#rate = rate;
    this.#now = now;
  }

  /** @throws RateLimitError that says how long to wait */
  take(holder: string, endpoint: string): void {
    const bucket = this.#refilled(holder);
    const { amount, perMs } = this.#rate;
    if (bucket.tokens < 1) {
      const waitMs = Math.ceil(((1 - bucket.tokens) * perMs) / amount);
      const message = `more than ${amount} requests in ${perMs / 1000} s; wait ${Math.ceil(waitMs / 1000)} s and ask again`;
      throw new RateLimitError(429, endpoint, message, waitMs);
    }
    bucket.tokens--;
  }

  /** Gives a request back that turned out not to count. */
  giveBack(holder: string): void {
    const bucket = this.#buckets.get(holder);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#rate.amount, bucket.tokens + 1);
  }

  #refilled(holder: string): Bucket {
    const now = this.#now();
    const { amount, perMs } = this.#rate;
    const bucket = this.#buckets.get(holder) ?? { tokens: amount, filledMs: now };
    bucket.tokens = Math.min(amount, bucket.tokens + ((now - bucket.filledMs) * amount) / perMs);
    bucket.filledMs = now;
    this.#buckets.delete(holder);
    this.#buckets.set(holder, bucket);
    if (this.#buckets.size > KEPT_HOLDERS) this.#buckets.delete(this.#buckets.keys().next().value!);
    return bucket;
  }
}
