import * as v from 'valibot';
import { REGION_LEVELS } from '../entity.js';
import { FREQUENCIES } from '../frequency.js';
import type { OptionsOf } from './check.js';
import { DATE, ID, ID_OR_IDS, integer, oneOf, TEXT, withMeaning } from './schemas.js';

/** The flags for retrieving points. */
export const POINT_FLAGS = {
  /** Returns only points whose period ends on or after this date (`YYYY-MM-DD` or a full ISO 8601 timestamp). */
  start_date: withMeaning('only periods that end on or after this date', DATE),
  /** Returns only points whose period starts on or before this date. */
  end_date: withMeaning('only periods that start on or before this date', DATE),
  /** Returns the latest vintage for every reporting date of a period, not only for the latest reporting date. */
  reporting_history: withMeaning('every reporting date of each period, not only the latest', v.boolean()),
  /** The older name of `reporting_history`. */
  show_revisions: withMeaning('older name of reporting_history', v.boolean()),
  /** Returns every vintage of every point, including vintages without a reporting date. */
  complete_history: withMeaning('every vintage of every value', v.boolean()),
  /** Adds the date when each point became available. */
  show_available_date: withMeaning('add the date on which each value became available', v.boolean()),
  /** Adds the source's remarks on each point. */
  show_metadata: withMeaning('add the remarks of the source', v.boolean()),
  /** Adds a null point for every period without data. A service rejects more than 100,000 periods per series. */
  insert_null: withMeaning('add a null point for each period without data', v.boolean()),
  /** Returns only vintages that were available at this time. `YYYY-MM-DD` means the beginning of that day. */
  at_time: withMeaning(
    'only data that was available at this time; a day alone is its beginning, 00:00 UTC',
    DATE,
  ),
  /** Returns only vintages that became available on or after this time. */
  available_since: withMeaning('only data that became available on or after this time', DATE),
  /** Includes the selection's historical regions (default true). */
  include_historical: withMeaning('include historical regions; default true', v.boolean()),
};
/** The options for a retrieval, other than the series. The specification defines their names and meanings. */
export interface PointFlags extends OptionsOf<typeof POINT_FLAGS> {}

/** The period whose coverage determines how series are ranked. */
export const WANTED_PERIOD = {
  start_date: withMeaning('start of the period that the series should cover', DATE),
  end_date: withMeaning('end of the period that the series should cover', DATE),
};

const ids = (meaning: string) => withMeaning(`ids of ${meaning}`, v.nullable(ID_OR_IDS));

/** The maximum number of hits that a service returns for a search across all entity types. */
export const MAX_HITS = 100;

/**
 * The parameters that several operations share. Each schema is used to check arguments. Its description appears in the
 * command-line help, the tool definitions for AI assistants, the OpenAPI document and the documentation.
 */
export const FIELDS = {
  ...POINT_FLAGS,
  metric_id: ids('metrics'),
  item_id: ids('items'),
  region_id: ids('regions'),
  partner_region_id: ids('the partner regions of trade; 0, as no id, is the world'),
  source_id: ids('sources'),
  frequency_id: ids('frequencies'),
  unit_id: withMeaning('id of the unit to convert all values to', v.nullable(ID)),
  metric: withMeaning('metric, such as Yield; a name or an id', TEXT),
  item: withMeaning('item, such as Corn; a name or an id', TEXT),
  region: withMeaning('region; a name or an id', TEXT),
  partner_region: withMeaning('partner region, as in trade; a name or an id', TEXT),
  source: withMeaning('source; part of its name, or its id', TEXT),
  frequency: withMeaning('frequency', oneOf(FREQUENCIES.map(({ name }) => name))),
  unit: withMeaning('unit to convert all values to; an abbreviation, a name or an id', TEXT),
  weighting_method: withMeaning(
    'sum of the weighted values, or with normalize their mean',
    oneOf(['sum', 'normalize']),
  ),
  include_names: withMeaning(
    'add the names of metric, item, region, source and unit to each row',
    v.boolean(),
  ),
  allow_partial: withMeaning('keep the series that arrived even if others failed', v.boolean()),
  explain: withMeaning('return the figures behind the result', v.boolean()),
  region_level: withMeaning(
    'level of regions, such as 5 for counties',
    integer({ min: REGION_LEVELS.world, max: REGION_LEVELS.coordinate }),
  ),
  limit: withMeaning('maximum number of results', integer({ min: 1, max: 10_000 })),
  hits: withMeaning('maximum number of hits', integer({ min: 1, max: MAX_HITS })),
  num_results: withMeaning('maximum number of results', integer({ min: 1 })),
};
