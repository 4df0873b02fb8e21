import { RateLimitError } from '../../model/errors.js';

/**
 * Returns the limits for a service that handles up to `total` requests at a time. Each token holder may use at most a
 * quarter of this capacity. A request runs until the last byte of its response has been sent.
 */
export function requestLimits(total: number) {
  const perHolder = Math.ceil(total / 4);
  return { total, perHolder, waiting: 500, totalWaiting: 2000, maxWaitMs: 30_000 };
}

interface Share {
  running: number;
  readonly waiting: Set<() => void>;
}

const RETRY_AFTER_MS = 1000;

/**
 * Limits how many requests run at a time, and shares this capacity fairly among the holders of access tokens. Requests
 * beyond the limits wait. Holders take turns, and each holder's requests start in order of arrival.
 */
export class FairQueue {
  /** The running and waiting requests of each holder. The holder whose turn is next comes first. */
  readonly #shares = new Map<string, Share>();
  #running = 0;
  #waiting = 0;

  readonly #limits: ReturnType<typeof requestLimits>;

  constructor(limits: ReturnType<typeof requestLimits>) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Waits until a request from `holder` may start. Returns a function to call when the request has ended.
   * @throws RateLimitError (429) if too many of the holder's requests are waiting
   * @throws RateLimitError (503) if too many requests are waiting in total, or if the request has waited too long
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
      const message = `${perHolder} requests are running and ${waiting} are waiting; send fewer at a time`;
      throw new RateLimitError(429, endpoint, message, RETRY_AFTER_MS);
    }
    if (this.#waiting >= totalWaiting)
      throw busyError(
        endpoint,
        `this request was refused because ${totalWaiting} requests are already waiting`,
      );
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
        reject(busyError(endpoint, `the request could not start within ${maxWaitMs / 1000} s`));
      }, maxWaitMs);
      signal.addEventListener('abort', leave, { once: true });
      share.waiting.add(enter);
      this.#waiting++;
    });
  }

  /** Starts a waiting request of the first token holder below its limit. Moves this holder to the end of the queue. */
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

function busyError(endpoint: string, why: string): RateLimitError {
  return new RateLimitError(503, endpoint, `the service is busy: ${why}; try again later`, RETRY_AFTER_MS);
}
