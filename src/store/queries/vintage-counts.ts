import type { CountedVintages, StoredSeries, VintageDates } from '../plan.js';

/** Series by what is known of the dates of their latest vintages. */
export interface SplitSeries {
  /** Those of which all latest vintages have one available date and no reporting date, by that date. */
  readonly byDate: ReadonlyMap<number, readonly StoredSeries[]>;
  readonly others: readonly StoredSeries[];
}

/** @param snapshot the content of the store; null when it is not known */
export function splitKnown(series: readonly StoredSeries[], snapshot: object | null): SplitSeries {
  const byDate = new Map<number, StoredSeries[]>();
  const others: StoredSeries[] = [];
  for (const one of series) {
    const { common } = one;
    const hasSnapshot = snapshot !== null && common?.snapshot === snapshot;
    if (!hasSnapshot || common.availableMs === null || common.hasReportingDates) {
      others.push(one);
      continue;
    }
    const sameDate = byDate.get(common.availableMs) ?? [];
    sameDate.push(one);
    byDate.set(common.availableMs, sameDate);
  }
  return { byDate, others };
}

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

  addKnown(availableMs: number, series: readonly StoredSeries[]): void {
    for (const { pointCount } of series) this.add(0, availableMs, pointCount);
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
