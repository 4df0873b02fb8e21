import { RateLimit } from '../http/rate-limit.js';

const PATH = '/api-token';
/** Wrong passwords for one email from one address: ten at once, and then one in ten seconds. */
const OF_PAIR = { amount: 10, perMs: 100_000 };
/** Those of one address, with any email. */
const OF_ADDRESS = { amount: 30, perMs: 60_000 };

/** One try of a login, which counts as wrong until it is known not to be. */
interface LoginTry {
  succeed(): void;
  /** The password was not checked after all. */
  withdraw(): void;
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
      withdraw: () => {
        this.#pairs.refund(pair);
        this.#addresses.refund(address);
      },
    };
  }
}
