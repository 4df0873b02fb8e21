import type { Selection } from '../model/selection.js';
import { checkIds } from './argument-checks.js';
import type { EntityOperations } from './entities.js';
import type { Cancellable } from './http/cancellable.js';
import type { Transport } from './http/transport.js';
import { toQuery } from './query.js';

/** A combination that has data. */
export interface AvailableCombination {
  metric_id: number;
  metric_name: string;
  item_id: number;
  item_name: string;
  region_id: number;
  region_name: string;
  source_id: number;
  source_name: string;
}

/** What goes together: combinations that have data, and the units in which they can be had. */
export function availableOperations(transport: Transport, entities: Pick<EntityOperations, 'lookup'>) {
  /** The combinations of metric, item, region and source that have data, among those that the ids select. */
  async function listAvailable(
    selected_entities: Selection = {},
    { signal }: Cancellable = {},
  ): Promise<AvailableCombination[]> {
    return (await transport.json('combinations', { query: toQuery(selected_entities), signal }))?.data ?? [];
  }

  /** Ids of the units usable with a metric, or with a metric and an item. */
  async function getAllowedUnits(
    metric_id: number,
    item_id?: number,
    { signal }: Cancellable = {},
  ): Promise<number[]> {
    checkIds([metric_id], 'metric_id');
    if (item_id !== undefined) checkIds([item_id], 'item_id');
    const query = { metricIds: [metric_id], itemIds: item_id === undefined ? undefined : [item_id] };
    return ((await transport.json('allowedUnits', { query, signal }))?.data ?? []).map(({ id }) => id);
  }

  /** How a unit is written, such as `t/ha`. @throws NotFoundError when there is no such unit */
  async function lookupUnitAbbreviation(unit_id: number, options: Cancellable = {}): Promise<string> {
    return (await entities.lookup('units', unit_id, options)).abbreviation;
  }

  return { listAvailable, getAllowedUnits, lookupUnitAbbreviation };
}
