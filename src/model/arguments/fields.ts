import { SEARCHABLE_TYPES } from '../entity.js';
import type { PointFlags } from '../point.js';
import type { Cancellable, LongOperation } from '../progress.js';
import {
  checkDate,
  checkFlag,
  checkFunction,
  checkIdOrIds,
  checkSignal,
  checkText,
  listOf,
  meant,
  oneOf,
  orNull,
  whole,
} from './checks.js';
import type { OptionKeys } from './option-keys.js';

const ids = (meaning: string) => meant(meaning, orNull(checkIdOrIds));

/**
 * The parameters that several operations share, each with its check and its meaning: the client checks by them, and the
 * command's help, the tools of assistants, the OpenAPI document and the documentation repeat their meanings.
 */
export const FIELDS = {
  metric_id: ids('ids of metrics'),
  item_id: ids('ids of items'),
  region_id: ids('ids of regions'),
  partner_region_id: ids('ids of the partner regions of trade; 0, as no id, is the world'),
  source_id: ids('ids of sources'),
  frequency_id: ids('ids of frequencies'),
  unit_id: ids('id of the unit to convert all values to'),
  metric: meant('metric, such as Yield; a name or an id', checkText),
  item: meant('item, such as Corn; a name or an id', checkText),
  region: meant('region; a name or an id', checkText),
  partner_region: meant('partner region, as in trade; a name or an id', checkText),
  start_date: meant('only periods that end on or after this date', checkDate),
  end_date: meant('only periods that start on or before this date', checkDate),
  reporting_history: meant('every reporting date of each period, not only the latest', checkFlag),
  show_revisions: meant('older name of reporting_history', checkFlag),
  complete_history: meant('every vintage of every value', checkFlag),
  show_available_date: meant('add the date on which each value became available', checkFlag),
  show_metadata: meant('add the remarks of the source', checkFlag),
  insert_null: meant('add a null point for each period without data', checkFlag),
  at_time: meant('only data that was available at this time', checkDate),
  available_since: meant('only data that became available on or after this time', checkDate),
  include_historical: meant('include historical regions; default true', checkFlag),
  include_names: meant('add the names of metric, item, region, source and unit to each row', checkFlag),
  allow_partial: meant('keep the series that arrived even if others failed', checkFlag),
  explain: meant('return the figures behind the result', checkFlag),
  limit: meant('maximum number of results', whole({ min: 1, max: 10_000 })),
  num_results: meant('maximum number of results', whole({ min: 1 })),
  types: meant('types of entities', listOf(oneOf(SEARCHABLE_TYPES))),
  signal: meant('an AbortSignal that cancels the operation', checkSignal),
  onProgress: meant('a function that is called as work proceeds', checkFunction),
} as const;

const { signal, onProgress } = FIELDS;

export const CANCELLABLE: OptionKeys<Cancellable> = { signal };
export const LONG_OPERATION: OptionKeys<LongOperation> = { signal, onProgress };

/** The flags of a retrieval of points. */
export const POINT_FLAGS: OptionKeys<PointFlags> = {
  start_date: FIELDS.start_date,
  end_date: FIELDS.end_date,
  reporting_history: FIELDS.reporting_history,
  show_revisions: FIELDS.show_revisions,
  complete_history: FIELDS.complete_history,
  show_available_date: FIELDS.show_available_date,
  show_metadata: FIELDS.show_metadata,
  insert_null: FIELDS.insert_null,
  at_time: FIELDS.at_time,
  available_since: FIELDS.available_since,
  include_historical: FIELDS.include_historical,
};
