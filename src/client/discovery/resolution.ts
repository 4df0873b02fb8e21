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
  /** Names of all kinds in any order, as a person writes them: "corn yield iowa illinois". */
  text: TEXT,
  /** Names, synonyms or codes of metrics. */
  metric: NAMES,
  /** Names, synonyms or codes of items. */
  item: NAMES,
  /** Names, synonyms or codes of regions. */
  region: NAMES,
  /** Names, synonyms or codes of partner regions. */
  partner_region: NAMES,
  /** Words of the names of sources. */
  source: NAMES,
  /** Further ids that series must have. */
  selection: optionsOf<Selection>(SELECTION_KEYS),
  /** `YYYY-MM-DD`; start of the period that series should cover. */
  start_date: WANTED_PERIOD.start_date,
  /** `YYYY-MM-DD`; end of that period. */
  end_date: WANTED_PERIOD.end_date,
  /** Entities kept for each name; default 3. */
  hits_per_name: integer({ min: 1, max: 100 }),
  /** Maximum number of series; default 20, and 0 lists none. */
  limit: integer({ max: 10_000 }),
  /** Series to skip; default 0. */
  offset: integer(),
  /**
   * True if a name of digits is the id of an entity. If no entity has the id, the name is a code, and is never guessed.
   */
  ids: v.boolean(),
  /** True lists the series of the regions that the named region contains, if that region has none. */
  within: v.boolean(),
};
/** The names to resolve, and which of their series to list. */
export interface ResolveOptions extends Cancellable, OptionsOf<typeof RESOLVE> {}

/** A name, and the part of a series that it names. */
export interface WordedName extends ResolvedName {
  /** The part of a series. */
  word: keyof MatchedNames | 'source';
}

/** The meanings of names, and the series that they select. */
export interface Resolution {
  /** The names, in the order given for each part of a series. */
  names: readonly WordedName[];
  /** The series, ranked as `findDataSeries` ranks them. */
  series: readonly ExplainedSeries[];
  /** Whether more series follow. */
  more: boolean;
  /** The named region, if the series are of regions that it contains. */
  within?: string | undefined;
  /** The figure that the text names, which is computed from these series. */
  computed?: 'degree-days' | 'stocks-to-use' | undefined;
  /** Words of the text that name nothing. */
  unread?: readonly string[] | undefined;
  /** Why there are no series. */
  nothing?: string | undefined;
}

/** A found series. */
export interface FoundSeries extends DataSeries {
  /**
   * The entities used for names that several regions have, that have no exact match, or whose exact match has no data.
   * Absent when every name means exactly one entity.
   */
  matched?: MatchedNames | undefined;
}

/** A found series with the coverage by which it was ranked. */
export interface ExplainedSeries extends FoundSeries {
  /** How well the series covers the wanted period. */
  coverage: Coverage;
}
