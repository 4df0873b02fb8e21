import { ArgumentError } from '../model/errors.js';
import type { Selection } from '../model/selection.js';
import { checkOneOf, checkWhole } from './argument-checks.js';
import { wantedPeriod } from './discovery/candidates.js';
import type { Cancellable } from './http/cancellable.js';
import type { Transport } from './http/transport.js';
import { toQuery } from './query.js';

/** An item or region by its cumulative value. */
export interface TopItem {
  metricId: number;
  itemId: number;
  regionId: number;
  frequencyId: number;
  sourceId: number;
  unitId: number;
  value: number;
}

/** What is ranked: a metric of one source and frequency, of an item for regions, of a region for items. */
export interface TopOptions extends Selection, Cancellable {
  /** Default 5. */
  num_results?: number | undefined;
  metric_id: number;
  frequency_id: number;
  source_id: number;
  /** Without it values count as far back as the source goes. */
  start_date?: string | undefined;
  end_date?: string | undefined;
}

/** Ranking by cumulative value. */
export function rankingOperations(transport: Transport) {
  /**
   * Items or regions by the sum of their values over the time range, highest first. Ranking regions needs `item_id` and
   * refuses `region_id`; ranking items the other way round.
   * @throws ArgumentError before any request when an id is missing or not allowed
   */
  async function getTop(entity_type: 'items' | 'regions', options: TopOptions): Promise<TopItem[]> {
    const { num_results = 5, start_date, end_date, signal, ...selection } = options;
    checkOneOf(entity_type, ['items', 'regions'], 'entity_type');
    checkSelection(entity_type, selection);
    checkWhole(num_results, 'num_results', { min: 1 });
    wantedPeriod({ start_date, end_date });
    const query = { ...toQuery(selection), startDate: start_date, endDate: end_date, n: num_results };
    return (await transport.json('top', { path: { type: entity_type }, query, signal })) ?? [];
  }

  return { getTop };
}

function checkSelection(entity_type: 'items' | 'regions', selection: Selection): void {
  const [required, disallowed] =
    entity_type === 'regions' ? (['item_id', 'region_id'] as const) : (['region_id', 'item_id'] as const);
  for (const field of ['metric_id', 'frequency_id', 'source_id', required] as const) {
    if (selection[field] === undefined)
      throw new ArgumentError(field, `${field}: is required when ranking ${entity_type}`);
  }
  if (selection[disallowed] !== undefined) {
    throw new ArgumentError(
      disallowed,
      `${disallowed}: cannot be given when ranking ${entity_type}; leave it out`,
    );
  }
}
