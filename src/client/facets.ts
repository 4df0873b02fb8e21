import * as v from 'valibot';
import type { Vintages } from '../contract/endpoints.js';
import type { Cancellable } from '../model/progress.js';
import type { OptionsOf } from '../model/schema/check.js';
import { CANCELLABLE, FIELDS } from '../model/schema/fields.js';
import { type ArgumentsOf, mandatory, optional, promise } from '../model/schema/operation.js';
import { listOf, oneOf } from '../model/schema/schemas.js';
import { SELECTION_KEYS } from '../model/schema/selection-keys.js';
import type { FacetName, FacetValue, Selection } from '../model/selection.js';
import { FACETS } from '../model/selection.js';
import type { Transport } from './http/transport.js';
import { toQuery } from './query.js';
import type { TopItem } from './ranking.js';

const FACET_NAME = oneOf(FACETS);
const FACET = {
  ...CANCELLABLE,
  /** Restricts the values to those that match this text, best match first. It does not affect the counts. */
  text: v.string(),
  /** The facets to count; all by default. */
  in: v.union([FACET_NAME, listOf(FACET_NAME)]),
  /** Maximum number of values per facet, not counting those of the selection; default 50. */
  limit: FIELDS.limit,
};
/** The facets and the values to return. */
export interface FacetOptions<Name extends FacetName = FacetName>
  extends Cancellable,
    Omit<OptionsOf<typeof FACET>, 'in'> {
  /** The facets to count; all by default. */
  in?: Name | readonly Name[] | undefined;
}

/** The series of a selection, counted by their entities. */
export type Facets<Name extends FacetName = FacetName> = {
  /** The number of series in the selection. */
  series: number;
  /** The number of further values of each facet; with a text, among its first 500 matches. */
  more: { [Each in Name]: number };
  /** The number of series if the selection did not restrict this facet. */
  lifted: { [Each in Name]: number };
} & {
  /** The values of each facet, most series first, then by name. */
  [Each in Name]: FacetValue[];
};

const VINTAGE_OPTIONS = {
  ...CANCELLABLE,
  /** Maximum number of dates of each kind, up to 10,000. The latest are returned. Default 1000. */
  limit: FIELDS.limit,
};
/** Options that limit the number of dates. */
export interface VintageOptions extends Cancellable, OptionsOf<typeof VINTAGE_OPTIONS> {}

/** The counts and dates of a selection, without its points. */
export interface FacetOperations {
  /**
   * Counts the series of a selection by metric, item, region, partner region, source and frequency. Each facet is
   * counted as if the selection did not restrict it, so that every value of it leads to data. Values of the selection
   * are always returned, even those without series. The counts reflect the current state.
   * @throws ArgumentError if an id is not a whole number, or a list is empty; NotFoundError if the service cannot count
   * @example
   * ```ts
   * const { regions, more } = await client.facets({ item_id }, { limit: 10 });
   * const { regions: found } = await client.facets({ item_id }, { text: 'iow', in: 'regions' });
   * ```
   */
  facets<Name extends FacetName = FacetName>(
    selection?: Selection | TopItem,
    options?: FacetOptions<Name>,
  ): Promise<Facets<Name>>;

  /**
   * Returns the dates on which points of a selection became available, and those on which their sources reported them.
   * These are the dates that change the results with `at_time` and `reporting_history`. Without a partner region, it is
   * the world, as in retrievals.
   * @throws ArgumentError if an id is not a whole number, or a list is empty; HttpError for more than 10,000 series;
   * NotFoundError if the service cannot list the dates
   * @example
   * ```ts
   * const { available_dates } = await client.vintages(series);
   * ```
   */
  vintages(selection: Selection | TopItem, options?: VintageOptions): Promise<Vintages>;
}

facetOperations.takes = {
  facets: promise(optional(SELECTION_KEYS), optional(FACET)),
  vintages: promise(mandatory(SELECTION_KEYS), optional(VINTAGE_OPTIONS)),
} satisfies ArgumentsOf<FacetOperations>;

export function facetOperations(transport: Transport): FacetOperations {
  return {
    async facets<Name extends FacetName>(
      selection: Selection = {},
      { text, in: names, limit, signal }: FacetOptions<Name> = {},
    ) {
      const facets = typeof names === 'string' ? [names] : names;
      const call = { query: { ...toQuery(selection), q: text, in: facets, limit }, signal };
      return (await transport.json('facets', call)).data as Facets<Name>;
    },
    async vintages(selection: Selection, { limit, signal } = {}) {
      const call = { query: { ...toQuery(selection), limit }, signal };
      return (await transport.json('vintages', call)).data;
    },
  };
}
