import { RateLimitError } from '../model/errors.js';

/** Holders remembered at once; the one idle longest is forgotten first. */
const KEPT_HOLDERS = 10_000;

interface Bucket {
  tokens: number;
  filledMs: number;
}

/** Allows each holder so many requests a minute on average, as many at once, and refuses the rest until there is room. */
export class RequestLimit {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly perMinute: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws RateLimitError that says how long to wait */
  take(holder: string, what: string): void {
    const bucket = this.refilled(holder);
    if (bucket.tokens < 1) {
      const waitMs = Math.ceil(((1 - bucket.tokens) * 60_000) / this.perMinute);
      throw new RateLimitError(
        429,
        what,
        `more than ${this.perMinute} requests a minute; wait and ask again`,
        waitMs,
      );
    }
    bucket.tokens -= 1;
  }

  /** Gives a request back, as when it turned out not to count. */
  giveBack(holder: string): void {
    const bucket = this.buckets.get(holder);
    if (bucket !== undefined) bucket.tokens = Math.min(this.perMinute, bucket.tokens + 1);
  }

  private refilled(holder: string): Bucket {
    const now = this.now();
    const bucket = this.buckets.get(holder) ?? { tokens: this.perMinute, filledMs: now };
    bucket.tokens = Math.min(
      this.perMinute,
      bucket.tokens + ((now - bucket.filledMs) * this.perMinute) / 60_000,
    );
    bucket.filledMs = now;
    this.buckets.delete(holder);
    this.buckets.set(holder, bucket);
    if (this.buckets.size > KEPT_HOLDERS) this.buckets.delete(this.buckets.keys().next().value!);
    return bucket;
  }
}
