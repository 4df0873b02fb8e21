import type { TopPlan, TopRow } from '../../plan.js';

/** Rows that are sorted at a time, besides twice those that are wanted. */
const MIN_SORTED = 1_024;

/** The rows with the highest values. Of equal values, those with the lowest ids are first. */
export class Ranking {
  #best: TopRow[] = [];
  readonly #plan: TopPlan;

  constructor(plan: TopPlan) {
    this.#plan = plan;
  }

  add(row: TopRow): void {
    this.#best.push(row);
    if (this.#best.length > 2 * this.#plan.limit + MIN_SORTED) this.#best = this.rows();
  }

  rows(): TopRow[] {
    const { by, limit } = this.#plan;
    return this.#best.sort((a, b) => compareRows(a, b, by)).slice(0, limit);
  }
}

const FIELDS = ['metric_id', 'item_id', 'region_id', 'source_id', 'frequency_id', 'unit_id'] as const;

function compareRows(a: TopRow, b: TopRow, by: TopPlan['by']): number {
  if (a.value !== b.value) return a.value > b.value ? -1 : 1;
  for (const field of [by, ...FIELDS] as const) if (a[field] !== b[field]) return a[field] - b[field];
  return 0;
}
