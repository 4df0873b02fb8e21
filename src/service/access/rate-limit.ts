import { RateLimitError } from '../../model/errors.js';

/** Beyond this, the holder without a request for the longest time is dropped. */
const MAX_HOLDERS = 10_000;

interface Bucket {
  tokens: number;
  filledMs: number;
}

/** A token bucket's size and rate. */
interface Rate {
  /** How many requests may be made at once; as many are added within `perMs`. */
  readonly amount: number;
  readonly perMs: number;
}

/** Limits the requests of each holder by a token bucket. */
export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();

  readonly #rate: Rate;
  readonly #now: () => number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /** @throws RateLimitError that names the limit, and how long to wait */
  take(holder: string, endpoint: string, what = 'requests'): void {
    const bucket = this.#refilled(holder);
    const { amount, perMs } = this.#rate;
    if (bucket.tokens < 1) {
      const waitMs = Math.ceil(((1 - bucket.tokens) * perMs) / amount);
      const message = `too many ${what}: ${amount} at once, and then ${amount} in ${perMs / 1000} s; wait ${Math.ceil(waitMs / 1000)} s and try again`;
      throw new RateLimitError(429, endpoint, message, waitMs);
    }
    bucket.tokens--;
  }

  /** Takes back a request that does not count after all. */
  refund(holder: string): void {
    const bucket = this.#buckets.get(holder);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#rate.amount, bucket.tokens + 1);
  }

  /** Forgets all requests of a holder. */
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
/** Wrong passwords for one email from one address: ten at once, and then one in ten seconds. */
const OF_PAIR = { amount: 10, perMs: 100_000 };
/** Those of one address, with any email. */
const OF_ADDRESS = { amount: 30, perMs: 60_000 };

/** One try of a login, which counts as wrong until it is known not to be. */
interface LoginTry {
  succeed(): void;
}

/**
 * Slows the guessing of passwords down, and locks nobody out: wrong passwords for one email from one address make the next
 * try wait, up to ten seconds, and an address has a limited number of them. Other addresses are not affected, and a right
 * password ends the waits.
 */
export class LoginGuard {
  readonly #pairs: RateLimit;
  readonly #addresses: RateLimit;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now?: () => number) {
    this.#pairs = new RateLimit(OF_PAIR, now);
    this.#addresses = new RateLimit(OF_ADDRESS, now);
  }

  /** @throws RateLimitError when the try comes too early */
  admit(email: string, address: string): LoginTry {
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
