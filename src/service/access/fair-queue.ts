import { RateLimitError } from '../../model/errors.js';

/** How much a queue lets in at once, and how many wait for it. */
interface QueueLimits {
  /** Requests under way, until the last byte of their answers. */
  readonly total: number;
  /** The same of one holder. */
  readonly perHolder: number;
  /** Requests of one holder that wait. */
  readonly waiting: number;
  /** Requests that wait, of all holders together. */
  readonly totalWaiting: number;
  /** After this long a request waits no longer. */
  readonly maxWaitMs: number;
}

/**
 * Returns the limits of a service that handles this many requests at once. One token holder gets at most a quarter of
 * them.
 */
export function requestLimits(total: number): QueueLimits {
  const perHolder = Math.ceil(total / 4);
  return { total, perHolder, waiting: 500, totalWaiting: 2000, maxWaitMs: 30_000 };
}

interface Share {
  running: number;
  /** Each lets one request begin. */
  readonly waiting: Set<() => void>;
}

const RETRY_AFTER_MS = 1000;

/**
 * Divides work among those who ask for it, requests as well as the checking of passwords. Beyond the limits requests wait,
 * those of one holder in their order; a place that becomes free goes to the holders in turn, however many requests each has.
 */
export class FairQueue {
  /** Those who have something to do here, the one whose turn is next first. */
  readonly #shares = new Map<string, Share>();
  #running = 0;
  #waiting = 0;

  readonly #limits: QueueLimits;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Requests under way. */
  get running(): number {
    return this.#running;
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Resolves when a request of this holder may begin, with a function to call once when it has ended.
   * @throws RateLimitError (429) when the holder has too many that wait; (503) when all have, or it waited too long
   */
  async enter(holder: string, endpoint: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const share = this.#shares.get(holder) ?? { running: 0, waiting: new Set() };
    this.#shares.set(holder, share);
    try {
      if (this.#hasPlace(share)) this.#begin(share);
      else await this.#wait(share, endpoint, signal);
    } finally {
      this.#forgetIfIdle(holder, share);
    }
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      share.running--;
      this.#running--;
      this.#forgetIfIdle(holder, share);
      this.#giveNext();
    };
  }

  #hasPlace({ running }: Share): boolean {
    return this.#running < this.#limits.total && running < this.#limits.perHolder;
  }

  #begin(share: Share): void {
    share.running++;
    this.#running++;
  }

  #wait(share: Share, endpoint: string, signal: AbortSignal): Promise<void> {
    const { waiting, totalWaiting, maxWaitMs, perHolder } = this.#limits;
    if (share.waiting.size >= waiting) {
      const message = `${perHolder} requests are under way and ${waiting} wait; send fewer at a time`;
      throw new RateLimitError(429, endpoint, message, RETRY_AFTER_MS);
    }
    if (this.#waiting >= totalWaiting) throw busy(endpoint, `${totalWaiting} requests wait already`);
    return new Promise((resolve, reject) => {
      const end = () => {
        share.waiting.delete(enter);
        this.#waiting--;
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
      };
      const enter = () => {
        end();
        this.#begin(share);
        resolve();
      };
      const leave = () => {
        end();
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        end();
        reject(busy(endpoint, `no place was free for ${maxWaitMs / 1000} s`));
      }, maxWaitMs);
      signal.addEventListener('abort', leave, { once: true });
      share.waiting.add(enter);
      this.#waiting++;
    });
  }

  /** Lets one request begin, of the first holder in turn that may have one more; its next turn is after all others. */
  #giveNext(): void {
    for (const [holder, share] of this.#shares) {
      const [enter] = share.waiting;
      if (enter === undefined || !this.#hasPlace(share)) continue;
      this.#shares.delete(holder);
      this.#shares.set(holder, share);
      enter();
      return;
    }
  }

  #forgetIfIdle(holder: string, share: Share): void {
    if (share.running === 0 && share.waiting.size === 0) this.#shares.delete(holder);
  }
}

function busy(endpoint: string, why: string): RateLimitError {
  return new RateLimitError(503, endpoint, `the service is busy: ${why}; try again later`, RETRY_AFTER_MS);
}
