const SLICE_MS = 5;

/**
 * Shares the process's single thread among long tasks. A task works in pieces, and awaits `next()` before each piece.
 * Once the current turn is over, the task waits behind tasks that called `next()` earlier. The event loop runs once
 * between turns, so that sockets and timers wait for at most one piece of work.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #startedMs = Number.NEGATIVE_INFINITY;

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether the running task must wait in `next`, because its time slice is over or other tasks are waiting. */
  get isOver(): boolean {
    return this.#waiting.length > 0 || performance.now() - this.#startedMs >= SLICE_MS;
  }

  /** Resolves immediately if the current turn is not over. Otherwise, resolves when the caller's turn comes. */
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

/** The number of items to map before the clock is checked again. A check takes as long as mapping a cheap item. */
const ITEMS_PER_CHECK = 8;

/** Maps the items of a list that may be long, and lets other work run in between. */
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
