import { RateLimitError } from '../../model/errors.js';
import { RateLimit } from '../http/rate-limit.js';

const PATH = '/api-token';
const MINUTE_MS = 60_000;

/** Wrong passwords for one email from one address that cost no wait. */
const FREE_TRIES = 10;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 10_000;

/** Wrong passwords that are this old are forgotten. */
const FORGOTTEN_AFTER_MS = 15 * MINUTE_MS;

/** Beyond this, the pair without a try for the longest time is forgotten. */
const MAX_PAIRS = 10_000;

interface Tries {
  count: number;
  lastMs: number;
}

/** One try of a login, which counts as wrong until it is known not to be. */
interface LoginTry {
  succeed(): void;
  /** The password was wrong: the wait begins now. */
  fail(): void;
  /** The password was not checked after all. */
  withdraw(): void;
}

/**
 * Slows the guessing of passwords down, and locks nobody out: wrong passwords for one email from one address make the next
 * try wait, up to ten seconds, and an address has a limited number of them. Other addresses are not affected, and a right
 * password ends the waits.
 */
export class LoginGuard {
  readonly #pairs = new Map<string, Tries>();
  readonly #addresses: RateLimit;
  readonly #now: () => number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#addresses = new RateLimit({ amount: 30, perMs: MINUTE_MS }, now);
  }

  /** @throws RateLimitError when the try comes too early */
  admit(email: string, address: string): LoginTry {
    const pair = `${address} ${email}`;
    const tries = this.#triesOf(pair);
    const waitMs = tries.lastMs + waitAfter(tries.count) - this.#now();
    if (waitMs > 0) throw tooEarly(waitMs);
    this.#addresses.take(address, PATH);
    const before = { ...tries };
    tries.count++;
    tries.lastMs = this.#now();
    return {
      succeed: () => {
        this.#pairs.delete(pair);
        this.#addresses.refund(address);
      },
      fail: () => {
        tries.lastMs = this.#now();
      },
      withdraw: () => {
        Object.assign(tries, { count: tries.count - 1, lastMs: before.lastMs });
        this.#addresses.refund(address);
      },
    };
  }

  #triesOf(pair: string): Tries {
    const known = this.#pairs.get(pair);
    const isFresh = known !== undefined && this.#now() - known.lastMs < FORGOTTEN_AFTER_MS;
    const tries = isFresh ? known : { count: 0, lastMs: Number.NEGATIVE_INFINITY };
    this.#pairs.delete(pair);
    this.#pairs.set(pair, tries);
    if (this.#pairs.size > MAX_PAIRS) this.#pairs.delete(this.#pairs.keys().next().value!);
    return tries;
  }
}

function waitAfter(count: number): number {
  return count < FREE_TRIES ? 0 : Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - FREE_TRIES));
}

function tooEarly(waitMs: number): RateLimitError {
  const seconds = Math.ceil(waitMs / 1000);
  const message = `too many wrong passwords for this email; try again in ${seconds} s`;
  return new RateLimitError(429, PATH, message, waitMs);
}
