import type { CountedVintages, VintageDates } from '../plan.js';

/** Numbers of vintages by their dates. */
export class VintageCounts {
  #points = 0;
  readonly #dates = [new Map<number, number>(), new Map<number, number>()] as const;

  /** @param kind 0 for an available date, 1 for a reporting date */
  add(kind: 0 | 1, ms: number, points: number): void {
    const dates = this.#dates[kind];
    dates.set(ms, (dates.get(ms) ?? 0) + points);
    if (kind === 0) this.#points += points;
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
