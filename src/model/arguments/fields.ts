import { REGION_LEVELS } from '../entity.js';
import { FREQUENCIES } from '../frequency.js';
import type { PointFlags } from '../point.js';
import type { Cancellable, LongOperation } from '../progress.js';
import {
  checkDate,
  checkFlag,
  checkFunction,
  checkId,
  checkIdOrIds,
  checkSignal,
  checkText,
  meant,
  oneOf,
  orNull,
  whole,
} from './checks.js';
import type { OptionKeys } from './option-keys.js';

export const CANCELLABLE: OptionKeys<Cancellable> = { signal: checkSignal };

export const LONG_OPERATION: OptionKeys<LongOperation> = {
  ...CANCELLABLE,
  onProgress: checkFunction,
};

/** The flags of a retrieval of points. */
export const POINT_FLAGS: OptionKeys<PointFlags> = {
  start_date: meant('only periods that end on or after this date', checkDate),
  end_date: meant('only periods that start on or before this date', checkDate),
  reporting_history: meant('every reporting date of each period, not only the latest', checkFlag),
  show_revisions: meant('older name of reporting_history', checkFlag),
  complete_history: meant('every vintage of every value', checkFlag),
  show_available_date: meant('add the date on which each value became available', checkFlag),
  show_metadata: meant('add the remarks of the source', checkFlag),
  insert_null: meant('add a null point for each period without data', checkFlag),
  at_time: meant(
    'only data that was available at this time; a day alone is its beginning, 00:00 UTC',
    checkDate,
  ),
  available_since: meant('only data that became available on or after this time', checkDate),
  include_historical: meant('include historical regions; default true', checkFlag),
};

/** The period by which series are ranked. */
export const WANTED_PERIOD = {
  start_date: meant('start of the period that the series should cover', checkDate),
  end_date: meant('end of the period that the series should cover', checkDate),
};

const ids = (meaning: string) => meant(`ids of ${meaning}`, orNull(checkIdOrIds));

/** The most hits that a service returns of a search of all types. */
export const MAX_HITS = 100;

/**
 * The parameters that several operations share, each with its check and its meaning: the client checks by them, and the
 * command's help, the tools of assistants, the OpenAPI document and the documentation repeat their meanings.
 */
export const FIELDS = {
  ...POINT_FLAGS,
  metric_id: ids('metrics'),
  item_id: ids('items'),
  region_id: ids('regions'),
  partner_region_id: ids('the partner regions of trade; 0, as no id, is the world'),
  source_id: ids('sources'),
  frequency_id: ids('frequencies'),
  unit_id: meant('id of the unit to convert all values to', orNull(checkId)),
  metric: meant('metric, such as Yield; a name or an id', checkText),
  item: meant('item, such as Corn; a name or an id', checkText),
  region: meant('region; a name or an id', checkText),
  partner_region: meant('partner region, as in trade; a name or an id', checkText),
  source: meant('source; part of its name, or its id', checkText),
  frequency: meant('frequency', oneOf(FREQUENCIES.map(({ name }) => name))),
  unit: meant('unit to convert all values to; an abbreviation, a name or an id', checkText),
  weighting_method: meant(
    'sum of the weighted values, or with normalize their mean',
    oneOf(['sum', 'normalize']),
  ),
  include_names: meant('add the names of metric, item, region, source and unit to each row', checkFlag),
  allow_partial: meant('keep the series that arrived even if others failed', checkFlag),
  explain: meant('return the figures behind the result', checkFlag),
  region_level: meant(
    'level of regions, such as 5 for counties',
    whole({ min: REGION_LEVELS.world, max: REGION_LEVELS.coordinate }),
  ),
  limit: meant('maximum number of results', whole({ min: 1, max: 10_000 })),
  hits: meant('maximum number of hits', whole({ min: 1, max: MAX_HITS })),
  num_results: meant('maximum number of results', whole({ min: 1 })),
};
