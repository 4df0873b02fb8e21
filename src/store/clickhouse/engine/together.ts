import { setMaxListeners } from 'node:events';
import type { ReadOptions } from '../../store.js';

/**
 * Does some work at the same time. The first failure ends the rest, and is thrown when all of it has ended: no answer
 * is partial, and no work goes on unseen.
 */
export async function together<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item, options: { readonly signal: AbortSignal }) => Promise<Result>,
  { signal: outer }: ReadOptions = {},
): Promise<Result[]> {
  const failing = new AbortController();
  const signal = outer === undefined ? failing.signal : AbortSignal.any([outer, failing.signal]);
  // Each item may listen to it several times; Node warns of more than ten.
  setMaxListeners(0, signal);
  const running = Array.from(items, async (item) => {
    try {
      return await work(item, { signal });
    } catch (error) {
      failing.abort(error);
      throw error;
    }
  });
  return Promise.all(running).finally(() => Promise.allSettled(running));
}
