import { FILE_FORMATS } from '../../frame/formats/frame-formats.js';
import { required } from '../../model/schema/check.js';
import { FIELDS, WANTED_PERIOD } from '../../model/schema/fields.js';
import { oneOf, TEXT } from '../../model/schema/schemas.js';
import { flag, groupFlags, type InputValues, makeRepeatable } from './flags.js';

export const CONNECTION = groupFlags('Connection:', {
  host: flag('--host <url>', 'URL of the service (default: $CROPFRAME_HOST, else this machine)'),
  token: flag('--token <token>', 'access token (default: $API_TOKEN)'),
  store: flag(
    '--store <file>',
    'store file (or clickhouse:// address) to read directly, without a service or a token',
  ),
});
export type ConnectionOptions = InputValues<typeof CONNECTION>;

export const STORE = flag('--store <file>', required(TEXT), 'store file, or clickhouse:// address');

export const FRAME_OUTPUT = groupFlags('Output:', {
  format: flag(
    '--format <format>',
    oneOf(FILE_FORMATS),
    'output format (default: from the extension of --out, else csv; a terminal shows a preview)',
  ),
  out: flag('--out <file>', 'output file (default: standard output)'),
  json: flag('--json', 'same as --format json'),
  safe: flag('--safe-csv', 'in CSV, put an apostrophe before text that a spreadsheet takes for a formula'),
  date_only: flag('--date-only', 'in CSV, write dates at midnight as YYYY-MM-DD'),
});
export type FrameOutputOptions = InputValues<typeof FRAME_OUTPUT>;

/** The flags that select series. Each flag takes a name to search for, or an id. */
const SELECTION = {
  metric: flag('--metric <name>', FIELDS.metric),
  item: flag('--item <name>', FIELDS.item),
  region: flag('--region <name>', FIELDS.region),
  partner_region: flag('--partner_region <name>', FIELDS.partner_region),
  source: flag('--source <name>', FIELDS.source),
  frequency: flag('--frequency <name>', FIELDS.frequency),
};
export const SELECTION_LISTS = {
  ...SELECTION,
  metric: makeRepeatable(SELECTION.metric),
  item: makeRepeatable(SELECTION.item),
  region: makeRepeatable(SELECTION.region),
};
export type SelectionWords = InputValues<typeof SELECTION_LISTS>;

const PERIOD = {
  start_date: flag('--start <date>', FIELDS.start_date),
  end_date: flag('--end <date>', FIELDS.end_date),
};

export const SERIES = { ...SELECTION, ...PERIOD };
export const SERIES_LISTS = { ...SELECTION_LISTS, ...PERIOD };
/** The flags that select a series and the period that it should cover. */
export const COVERING_SERIES = {
  ...SELECTION,
  start_date: flag('--start <date>', WANTED_PERIOD.start_date),
  end_date: flag('--end <date>', WANTED_PERIOD.end_date),
};
export type SeriesWords = InputValues<typeof SERIES>;

export const RETRIEVAL = groupFlags('Retrieval:', {
  unit: makeRepeatable(
    flag(
      '--unit <unit>',
      FIELDS.unit,
      'unit to convert all values to, one for each dimension; an abbreviation, a name or an id',
    ),
  ),
  at_time: flag('--at-time <date>', FIELDS.at_time),
  reporting_history: flag('--history', FIELDS.reporting_history),
  complete_history: flag('--complete-history', FIELDS.complete_history),
  show_available_date: flag('--available-date', FIELDS.show_available_date),
  include_names: flag('--names', FIELDS.include_names),
});
export type RetrievalOptions = InputValues<typeof RETRIEVAL>;
