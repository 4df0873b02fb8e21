import type * as v from 'valibot';
import type { topItem } from '../contract/shapes.js';
import { badArgument } from '../model/errors.js';
import { CANCELLABLE, type Cancellable } from '../model/progress.js';
import type { OptionsOf } from '../model/schema/check.js';
import { FIELDS } from '../model/schema/fields.js';
import { type ArgumentsOf, mandatory, positional, promise } from '../model/schema/operation.js';
import { DATE, oneOf } from '../model/schema/schemas.js';
import { SELECTION_KEYS, type Selection } from '../model/selection.js';
import { parsePeriod } from '../model/time.js';
import type { Transport } from './http/transport.js';
import { toQuery } from './query.js';

/** An item or region with its cumulative value. */
export interface TopItem extends v.InferOutput<typeof topItem> {}

const TOP = {
  ...CANCELLABLE,
  /** Maximum number of results; default 5. */
  num_results: FIELDS.num_results,
  /** The date from which values are summed, as `YYYY-MM-DD`; defaults to the source's first date. */
  start_date: DATE,
  /** The date up to which values are summed, as `YYYY-MM-DD`; defaults to the source's last date. */
  end_date: DATE,
};
/** The metric, source and frequency to rank by, and the item (to rank regions) or the region (to rank items). */
export interface TopOptions extends Cancellable, Selection, OptionsOf<typeof TOP> {
  /** The metric whose values are summed. */
  metric_id: number;
  /** The frequency of the values. */
  frequency_id: number;
  /** The source of the values. */
  source_id: number;
}

/** Ranks items or regions by cumulative value. */
export interface RankingOperations {
  /**
   * Ranks items or regions by the sum of their values over the time range, highest first. The sums are in one common
   * unit. Sums that cannot be converted to this unit come last.
   * @param options must have an `item_id` and no `region_id` to rank regions, or a `region_id` and no `item_id` to rank
   * items
   * @throws ArgumentError if an id is missing or not allowed
   */
  getTop(entity_type: 'items' | 'regions', options: TopOptions): Promise<TopItem[]>;
}

rankingOperations.takes = {
  getTop: promise(
    positional('entity_type', oneOf(['items', 'regions'])),
    mandatory({ ...SELECTION_KEYS, ...TOP }),
  ),
} satisfies ArgumentsOf<RankingOperations>;

export function rankingOperations(transport: Transport): RankingOperations {
  return {
    async getTop(entity_type, options) {
      const { num_results = 5, start_date, end_date, signal, ...selection } = options;
      checkSelection(entity_type, selection);
      parsePeriod({ start_date, end_date });
      const query = { ...toQuery(selection), startDate: start_date, endDate: end_date, n: num_results };
      return transport.json('top', { path: { type: entity_type }, query, signal });
    },
  };
}

function checkSelection(entity_type: 'items' | 'regions', selection: Selection): void {
  const [required, disallowed] =
    entity_type === 'regions' ? (['item_id', 'region_id'] as const) : (['region_id', 'item_id'] as const);
  for (const field of ['metric_id', 'frequency_id', 'source_id', required] as const) {
    if (selection[field] === undefined) throw badArgument(field, `is required when ranking ${entity_type}`);
  }
  if (selection[disallowed] !== undefined)
    throw badArgument(disallowed, `cannot be specified when ranking ${entity_type}; omit it`);
}
