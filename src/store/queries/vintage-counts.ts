import type { CountedVintages, VintageDates } from '../plan.js';
import { turns } from '../turns.js';
import type { NumberColumns } from './engine-tables.js';

/** Numbers of vintages by their dates. */
export class VintageCounts {
  #points = 0;
  readonly #dates = [new Map<number, number>(), new Map<number, number>()] as const;

  /** @param answer the kinds of dates, 0 for available and 1 for reporting, the dates, and how many vintages have each */
  async add(answer: AsyncIterable<NumberColumns>): Promise<void> {
    for await (const { length, columns } of answer) {
      await turns.next();
      const [kinds, times, points] = columns;
      for (let row = 0; row < length; row++) {
        const [kind, ms, count] = [kinds![row] as 0 | 1, times![row]!, points![row]!];
        this.#dates[kind].set(ms, (this.#dates[kind].get(ms) ?? 0) + count);
        if (kind === 0) this.#points += count;
      }
    }
  }

  counted(limit: number): CountedVintages {
    const [available, reporting] = this.#dates.map((dates) => latestDates(dates, limit));
    return { points: this.#points, available: available!, reporting: reporting! };
  }
}

function latestDates(dates: ReadonlyMap<number, number>, limit: number): VintageDates {
  const all = [...dates].sort(([a], [b]) => a - b).map(([ms, points]) => ({ ms, points }));
  return { dates: all.slice(Math.max(0, all.length - limit)), total: all.length };
}
