/** Work that has run for longer than this waits for its next turn. */
const SLICE_MS = 5;

/**
 * Turns at the one thread of a process. Work that may be long is done in pieces, with `await next()` before each. When the
 * current turn is used up, the caller waits behind the others that do; the event loop goes round once for each turn, so
 * that however much work there is, sockets and timers wait for one piece of it at most.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #startedMs = Number.NEGATIVE_INFINITY;

  /** How many wait for a turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether the current turn is used up: `next` would wait. */
  get isOver(): boolean {
    return this.#waiting.length > 0 || performance.now() - this.#startedMs >= SLICE_MS;
  }

  /** Resolves at once while the current turn lasts, and otherwise when it is the caller's turn. */
  next(): Promise<void> {
    if (!this.isOver) return Promise.resolve();
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#giveTurn());
    });
  }

  #giveTurn(): void {
    this.#startedMs = performance.now();
    this.#waiting.shift()!();
    if (this.#waiting.length > 0) setImmediate(() => this.#giveTurn());
  }
}

/** The turns of this process. */
export const turns = new Turns();

/** Items mapped between two looks at the clock, which take as long as a short one: a slow one takes milliseconds. */
const ITEMS_A_LOOK = 8;

/** Maps the items of a list that may be long, in turns. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, i: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [i, item] of items.entries()) {
    if (i % ITEMS_A_LOOK === 0 && turns.isOver) await turns.next();
    results.push(map(item, i));
  }
  return results;
}
