import * as v from 'valibot';
import type { Coverage } from '../../compute/ranking.js';
import type { MatchedNames } from '../../model/entity.js';
import type { ResolvedName } from '../../model/names/meaning.js';
import type { Cancellable } from '../../model/progress.js';
import { type OptionsOf, optionsOf } from '../../model/schema/check.js';
import { CANCELLABLE, WANTED_PERIOD } from '../../model/schema/fields.js';
import { integer, listOf, TEXT } from '../../model/schema/schemas.js';
import { SELECTION_KEYS } from '../../model/schema/selection-keys.js';
import type { Selection } from '../../model/selection.js';
import type { DataSeries } from '../../model/series.js';

const NAMES = v.union([TEXT, listOf(TEXT)]);

export const RESOLVE = {
  ...CANCELLABLE,
  /** Names of all kinds in any order, in plain words: "corn yield iowa illinois". */
  text: TEXT,
  /** Names, synonyms or codes of metrics. */
  metric: NAMES,
  /** Names, synonyms or codes of items. */
  item: NAMES,
  /** Names, synonyms or codes of regions. */
  region: NAMES,
  /** Names, synonyms or codes of partner regions. */
  partner_region: NAMES,
  /** Words from the names of sources. */
  source: NAMES,
  /** Additional ids that the series must have. */
  selection: optionsOf<Selection>(SELECTION_KEYS),
  /** `YYYY-MM-DD`; start of the period that the series should cover. */
  start_date: WANTED_PERIOD.start_date,
  /** `YYYY-MM-DD`; end of the period that the series should cover. */
  end_date: WANTED_PERIOD.end_date,
  /** The number of entities kept for each name; default 3. */
  hits_per_name: integer({ min: 1, max: 100 }),
  /** Maximum number of series; default 20. With 0, none are listed. */
  limit: integer({ max: 10_000 }),
  /** The number of series to skip; default 0. */
  offset: integer(),
  /** If true, a name of digits is the id of an entity or, if no entity has it, a code, without guessing. */
  ids: v.boolean(),
  /** If true, lists the series of the regions that the named region contains, if it has none itself. */
  within: v.boolean(),
};
/** The names to resolve, and the series to list. */
export interface ResolveOptions extends Cancellable, OptionsOf<typeof RESOLVE> {}

/** A name, and the field of a series that it specifies. */
export interface WordedName extends ResolvedName {
  /** The field of a series. */
  word: keyof MatchedNames | 'source';
}

/** The meanings of names, and the series that they select. */
export interface Resolution {
  /** The names of each field, in the order given. */
  names: readonly WordedName[];
  /** The series, ranked as `findDataSeries` ranks them. */
  series: readonly ExplainedSeries[];
  /** Whether there are more series. */
  more: boolean;
  /** The named region, if the series belong to regions that it contains. */
  within?: string | undefined;
  /** The figure that the text names, which can be computed from these series. */
  computed?: 'degree-days' | 'stocks-to-use' | undefined;
  /** Words of the text that name nothing. */
  unread?: readonly string[] | undefined;
  /** The reason why there are no series. */
  nothing?: string | undefined;
}

/** A found series. */
export interface FoundSeries extends DataSeries {
  /**
   * The entities used for names that several regions have, that have no exact match, or whose exact match has no data.
   * Absent if every name means exactly one entity.
   */
  matched?: MatchedNames | undefined;
}

/** A found series with the coverage by which it was ranked. */
export interface ExplainedSeries extends FoundSeries {
  /** How well the series covers the wanted period. */
  coverage: Coverage;
}
