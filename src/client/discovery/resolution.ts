import * as v from 'valibot';
import { CANCELLABLE, type Cancellable } from '../../model/progress.js';
import { type OptionsOf, optionsOf } from '../../model/schema/check.js';
import { WANTED_PERIOD } from '../../model/schema/fields.js';
import { integer, listOf, TEXT } from '../../model/schema/schemas.js';
import { SELECTION_KEYS, type Selection } from '../../model/selection.js';

export type {
  ExplainedSeries,
  FoundSeries,
  Resolution,
  WordedName,
} from '../../contract/requests/resolve.js';

const NAMES = v.union([TEXT, listOf(TEXT)]);

export const RESOLVE = {
  ...CANCELLABLE,
  /** Plain text with names of any kind, in any order: "corn yield iowa illinois". */
  text: TEXT,
  /** Names, synonyms or codes of metrics. */
  metric: NAMES,
  /** Names, synonyms or codes of items. */
  item: NAMES,
  /** Names, synonyms or codes of regions. */
  region: NAMES,
  /** Names, synonyms or codes of partner regions. */
  partner_region: NAMES,
  /** Words from source names. */
  source: NAMES,
  /** Additional ids that the series must have. */
  selection: optionsOf<Selection>(SELECTION_KEYS),
  /** The start of the period that the series should cover, as `YYYY-MM-DD`. */
  start_date: WANTED_PERIOD.start_date,
  /** The end of the period that the series should cover, as `YYYY-MM-DD`. */
  end_date: WANTED_PERIOD.end_date,
  /** The number of entities to keep for each name; default 3. */
  hits_per_name: integer({ min: 1, max: 100 }),
  /** Maximum number of series; default 20. If 0, no series are listed. */
  limit: integer({ max: 10_000 }),
  /** The number of series to skip; default 0. */
  offset: integer(),
  /** If true, a name made of digits is treated as an entity id, or as a code if no entity has that id. */
  ids: v.boolean(),
  /** If true and the named region has no series, lists the series of the regions that it contains. */
  within: v.boolean(),
};
/** Options that specify the names to resolve and the series to list. */
export interface ResolveOptions extends Cancellable, OptionsOf<typeof RESOLVE> {}
