/** Maximum time that a turn lasts, in milliseconds. */
const SLICE_MS = 5;

/**
 * Gives callers turns on the process's single thread. Long work is done in pieces, with `await next()` before each.
 * When the current turn is used up, the caller waits behind earlier callers. The event loop runs once between turns,
 * so that sockets and timers wait for at most one piece, however much work there is.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #startedMs = Number.NEGATIVE_INFINITY;

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether the current turn is used up, so that `next` would wait. */
  get isOver(): boolean {
    return this.#waiting.length > 0 || performance.now() - this.#startedMs >= SLICE_MS;
  }

  /** Resolves at once while the current turn lasts, and otherwise at the caller's turn. */
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

export const turns = new Turns();

/** The number of items that are mapped before the clock is checked, because a check takes as long as a fast item. */
const ITEMS_PER_CHECK = 8;

/** Maps the items of a list, and lets other work run in between, because the list may be long. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, i: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [i, item] of items.entries()) {
    if (i % ITEMS_PER_CHECK === 0 && turns.isOver) await turns.next();
    results.push(map(item, i));
  }
  return results;
}
