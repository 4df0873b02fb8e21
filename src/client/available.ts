import type * as v from 'valibot';
import type { combination } from '../contract/shapes.js';
import type { Cancellable } from '../model/progress.js';
import { CANCELLABLE } from '../model/schema/fields.js';
import { type ArgumentsOf, optional, positional, promise } from '../model/schema/operation.js';
import { ID } from '../model/schema/schemas.js';
import { SELECTION_KEYS } from '../model/schema/selection-keys.js';
import type { Selection } from '../model/selection.js';
import type { EntityOperations } from './entities.js';
import type { Transport } from './http/transport.js';
import { toQuery } from './query.js';

/** A combination of metric, item, region and source that has data. */
export interface AvailableCombination extends v.InferOutput<typeof combination> {}

/** Lists the combinations that have data, and the units that can be requested. */
export interface AvailabilityOperations {
  /**
   * Lists the combinations of metric, item, region and source that have data.
   * @param selected_entities restricts the combinations; if omitted, all of them are returned
   */
  listAvailable(selected_entities?: Selection, options?: Cancellable): Promise<AvailableCombination[]>;

  /** Returns the ids of the units that can be requested for a metric, or for a metric and an item. */
  getAllowedUnits(metric_id: number, item_id?: number, options?: Cancellable): Promise<number[]>;

  /**
   * Returns a unit's abbreviation, such as `t/ha`.
   * @throws NotFoundError if the unit does not exist
   */
  lookupUnitAbbreviation(unit_id: number, options?: Cancellable): Promise<string>;
}

availabilityOperations.takes = {
  listAvailable: promise(optional(SELECTION_KEYS), optional(CANCELLABLE)),
  getAllowedUnits: promise(
    positional('metric_id', ID),
    { name: 'item_id', schema: ID },
    optional(CANCELLABLE),
  ),
  lookupUnitAbbreviation: promise(positional('unit_id', ID), optional(CANCELLABLE)),
} satisfies ArgumentsOf<AvailabilityOperations>;

export function availabilityOperations(
  transport: Transport,
  entities: Pick<EntityOperations, 'lookup'>,
): AvailabilityOperations {
  return {
    async listAvailable(selected_entities = {}, { signal } = {}) {
      return (await transport.json('combinations', { query: toQuery(selected_entities), signal })).data;
    },
    async getAllowedUnits(metric_id, item_id, { signal } = {}) {
      const query = { metricIds: [metric_id], itemIds: item_id === undefined ? undefined : [item_id] };
      return (await transport.json('allowedUnits', { query, signal })).data.map(({ id }) => id);
    },
    async lookupUnitAbbreviation(unit_id, options = {}) {
      return (await entities.lookup('units', unit_id, options)).abbreviation;
    },
  };
}
