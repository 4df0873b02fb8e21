import * as v from 'valibot';
import type { Vintages } from '../contract/endpoints.js';
import { CANCELLABLE, type Cancellable } from '../model/progress.js';
import type { OptionsOf } from '../model/schema/check.js';
import { FIELDS } from '../model/schema/fields.js';
import { type ArgumentsOf, mandatory, optional, promise } from '../model/schema/operation.js';
import { listOf, oneOf } from '../model/schema/schemas.js';
import type { FacetName, FacetValue, Selection } from '../model/selection.js';
import { FACETS, SELECTION_KEYS } from '../model/selection.js';
import type { Transport } from './http/transport.js';
import { toQuery } from './query.js';
import type { TopItem } from './ranking.js';

const FACET_NAME = oneOf(FACETS);
const FACET = {
  ...CANCELLABLE,
  /** Returns only values that match this text, best match first. The text does not affect the counts. */
  text: v.string(),
  /** The facets to count; defaults to all facets. */
  in: v.union([FACET_NAME, listOf(FACET_NAME)]),
  /** Maximum number of values per facet, not counting the selection's own values; default 50. */
  limit: FIELDS.limit,
};
/** Options that choose the facets to count and the values to return. */
export interface FacetOptions<Name extends FacetName = FacetName>
  extends Cancellable,
    Omit<OptionsOf<typeof FACET>, 'in'> {
  /** The facets to count; defaults to all facets. */
  in?: Name | readonly Name[] | undefined;
}

/** The number of series in a selection, in total and per entity. */
export type Facets<Name extends FacetName = FacetName> = {
  /** The number of series in the selection. */
  series: number;
  /** The number of values omitted from each facet. If a text is given, only its first 500 matches are considered. */
  more: { [Each in Name]: number };
  /** For each facet, the number of series that the selection would have if it did not restrict that facet. */
  lifted: { [Each in Name]: number };
} & {
  /** The values of each facet, sorted by series count (highest first), then by name. */
  [Each in Name]: FacetValue[];
};

const VINTAGE_OPTIONS = {
  ...CANCELLABLE,
  /** Maximum length of each of the two lists of dates, up to 10,000; default 1000. The latest dates are returned. */
  limit: FIELDS.limit,
};
/** Options that limit the number of dates. */
export interface VintageOptions extends Cancellable, OptionsOf<typeof VINTAGE_OPTIONS> {}

/** Counts a selection's series and lists its dates, without retrieving points. */
export interface FacetOperations {
  /**
   * Counts a selection's series by metric, item, region, partner region, source and frequency. Each facet is counted as
   * if the selection did not restrict that facet, so any of its values could be selected instead. The selection's own
   * values are always returned, even if they have no series. The counts always reflect the store's current state.
   * @throws ArgumentError if an id is not a whole number, or if a list is empty; NotFoundError if the service cannot
   * count series
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
   * Returns the dates on which a selection's points became available, and the dates on which their sources reported
   * them. These are the dates on which results with `at_time` or `reporting_history` change. As when points are
   * retrieved, the partner region is the world unless the selection specifies one.
   * @throws ArgumentError if an id is not a whole number, or if a list is empty; HttpError if the selection has more
   * than 10,000 series; NotFoundError if the service cannot list the dates
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
      const call = { query: { ...toQuery(selection), q: text, in: names, limit }, signal };
      return (await transport.json('facets', call)).data as Facets<Name>;
    },
    async vintages(selection: Selection, { limit, signal } = {}) {
      const call = { query: { ...toQuery(selection), limit }, signal };
      return (await transport.json('vintages', call)).data;
    },
  };
}
