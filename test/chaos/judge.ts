import { availableParallelism, loadavg } from 'node:os';
import { CropframeError } from '../../src/model/errors.js';
import { dayText, type Observed, SERIES, type World } from './world.js';

/** No work may take longer, retries included, on a machine that has nothing else to do. */
const MAX_WAIT_MS = 120_000;
const KEPT_EVENTS = 40;

/** What can be wrong. */
export const KINDS = ['wrong frame', 'lost points', '5xx without cause', 'hang', 'other error'] as const;

/** Something that must not be. */
export class Verdict extends Error {
  constructor(
    readonly kind: (typeof KINDS)[number],
    message: string,
  ) {
    super(`${kind}: ${message}`);
  }
}

/** Knows which imports a store may show, compares what is read with them, and counts. */
export class Judge {
  /** The last import that is certainly in the store. */
  committed = 0;
  /** The last import that may be in the store. */
  attempted = 0;

  /** When the values of an import became available, as the store says. */
  readonly availableAt = new Map<number, string>();

  readonly counts = new Map<string, number>();
  readonly verdicts: Verdict[] = [];
  readonly #world: World;
  readonly #events: string[] = [];
  readonly #beganMs = performance.now();
  #onVerdict: () => void = () => {};

  constructor(world: World) {
    this.#world = world;
  }

  /** Settles when something is wrong. */
  readonly failed = new Promise<void>((resolve) => {
    this.#onVerdict = resolve;
  });

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  tell(event: string): void {
    const seconds = ((performance.now() - this.#beganMs) / 1000).toFixed(1);
    this.#events.push(`${seconds.padStart(7)} s  ${event}`);
    if (this.#events.length > KEPT_EVENTS) this.#events.shift();
  }

  get lastEvents(): readonly string[] {
    return this.#events;
  }

  condemn(error: unknown): void {
    const verdict =
      error instanceof Verdict
        ? error
        : new Verdict('other error', error instanceof Error ? (error.stack ?? error.message) : String(error));
    this.verdicts.push(verdict);
    this.tell(verdict.message);
    this.#onVerdict();
  }

  /**
   * Waits for work that answers rightly or fails with an error of ours, which is counted under its name.
   * @returns whether it was answered
   */
  async watch(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await inTime(what, work());
      this.count(`${what}: right`);
      return true;
    } catch (error) {
      if (!(error instanceof CropframeError)) throw error;
      this.count(`${what}: ${error.name}`);
      return false;
    }
  }

  /** The imports that an answer may show when the reading begins now, until `last()` is called. */
  window(): { readonly first: number; last(): number } {
    const first = this.committed;
    return { first, last: () => this.attempted };
  }

  /** Whoever saw an import may rely on it from then on. */
  saw(number: number): void {
    this.committed = Math.max(this.committed, number);
  }

  /**
   * Compares what was read with the imports from `first` to `last`. Of an atomic answer all series must show the same one.
   * @returns the newest import that some series certainly shows
   * @throws Verdict
   */
  compare(
    what: string,
    observed: readonly Observed[],
    { first, last, atomic }: { first: number; last: number; atomic: boolean },
  ): number {
    let common = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    let newest = first;
    for (const one of observed) {
      const matching = this.#world.matching(one, first, last);
      if (matching.length === 0) throw this.#difference(what, one, { first, last });
      newest = Math.max(newest, matching[0]!);
      if (atomic) common = common.filter((number) => matching.includes(number));
    }
    if (common.length === 0)
      throw new Verdict('wrong frame', `${what}: its series are of different imports, ${first} to ${last}`);
    return newest;
  }

  #difference(
    what: string,
    { series, values, from, to }: Observed,
    { first, last }: { first: number; last: number },
  ): Verdict {
    const known = this.#world.state(last)[series]!;
    const before = this.#world.state(first)[series]!;
    let [lost, text] = [0, ''];
    for (let day = from; day <= to; day++) {
      if (Object.is(values[day], known[day])) continue;
      if (Number.isNaN(values[day]!) && !Number.isNaN(before[day]!)) lost++;
      text ||= `${dayText(day)} is ${values[day]}, and must be ${before[day]} (import ${first}) or ${known[day]} (${last})`;
    }
    const { state, crop } = SERIES[series]!;
    const place = `${what}: ${crop} of ${state}: ${text || 'a value outside the days that were asked for'}`;
    return lost > 0 ? new Verdict('lost points', `${lost} of ${place}`) : new Verdict('wrong frame', place);
  }
}

/** @throws Verdict when it takes too long */
export async function inTime<Result>(
  what: string,
  work: Promise<Result>,
  maxMs = MAX_WAIT_MS,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const waitMs = maxMs * Math.max(1, loadavg()[0]! / availableParallelism());
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Verdict('hang', `${what} took more than ${Math.round(waitMs / 1000)} s`)),
      waitMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
