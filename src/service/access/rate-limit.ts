import { RateLimitError } from '../../model/errors.js';

/** The maximum number of holders that are tracked. If there are more, the one that has been idle longest is dropped. */
const MAX_HOLDERS = 10_000;

interface Bucket {
  tokens: number;
  filledMs: number;
}

interface Rate {
  /** How many requests may be made in a burst. The bucket is refilled with this number of requests per `perMs`. */
  readonly amount: number;
  readonly perMs: number;
}

export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();

  readonly #rate: Rate;
  readonly #now: () => number;

  /** @param now returns the time of a monotonic clock in milliseconds */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Counts a request. @throws RateLimitError, with the limit and the wait, if the limit is exceeded */
  take(holder: string, endpoint: string, what = 'requests'): void {
    const bucket = this.#refilled(holder);
    const { amount, perMs } = this.#rate;
    if (bucket.tokens < 1) {
      const waitMs = Math.ceil(((1 - bucket.tokens) * perMs) / amount);
      const message = `too many ${what}: the limit is ${amount} at once, and then ${amount} per ${perMs / 1000} s; wait ${Math.ceil(waitMs / 1000)} s and try again`;
      throw new RateLimitError(429, endpoint, message, waitMs);
    }
    bucket.tokens--;
  }

  /** Undoes a call to `take` for a request that turns out not to count. */
  refund(holder: string): void {
    const bucket = this.#buckets.get(holder);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#rate.amount, bucket.tokens + 1);
  }

  forget(holder: string): void {
    this.#buckets.delete(holder);
  }

  #refilled(holder: string): Bucket {
    const now = this.#now();
    const { amount, perMs } = this.#rate;
    const bucket = this.#buckets.get(holder) ?? { tokens: amount, filledMs: now };
    bucket.tokens = Math.min(amount, bucket.tokens + ((now - bucket.filledMs) * amount) / perMs);
    bucket.filledMs = now;
    this.#buckets.delete(holder);
    this.#buckets.set(holder, bucket);
    if (this.#buckets.size > MAX_HOLDERS) this.#buckets.delete(this.#buckets.keys().next().value!);
    return bucket;
  }
}

const PATH = '/api-token';
/** Limits wrong passwords for one email address from one IP address: a burst of ten, then one every ten seconds. */
const OF_PAIR = { amount: 10, perMs: 100_000 };
const OF_ADDRESS = { amount: 30, perMs: 60_000 };

/**
 * Slows down password guessing without locking anyone out. After ten wrong passwords for one email from one address,
 * the next attempt is rejected for up to ten seconds. The number of wrong passwords per address is also limited. Other
 * addresses are not affected, and a correct password resets the count for the email.
 */
export class LoginGuard {
  readonly #pairs: RateLimit;
  readonly #addresses: RateLimit;

  /** @param now returns the time of a monotonic clock in milliseconds */
  constructor(now?: () => number) {
    this.#pairs = new RateLimit(OF_PAIR, now);
    this.#addresses = new RateLimit(OF_ADDRESS, now);
  }

  /** Counts a wrong password unless `succeed` is called. @throws RateLimitError after too many wrong passwords */
  admit(email: string, address: string): { succeed(): void } {
    const pair = `${address} ${email}`;
    this.#pairs.take(pair, PATH, 'wrong passwords for this email');
    try {
      this.#addresses.take(address, PATH, 'wrong passwords');
    } catch (error) {
      this.#pairs.refund(pair);
      throw error;
    }
    return {
      succeed: () => {
        this.#pairs.forget(pair);
        this.#addresses.refund(address);
      },
    };
  }
}
