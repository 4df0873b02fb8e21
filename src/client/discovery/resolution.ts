import type { Coverage } from '../../compute/ranking.js';
import type { MatchedNames } from '../../model/entity.js';
import type { ResolvedName } from '../../model/names/meaning.js';
import type { Cancellable } from '../../model/progress.js';
import type { Selection } from '../../model/selection.js';
import type { DataSeries } from '../../model/series.js';

/** The names to resolve, and which of their series to list. */
export interface ResolveOptions extends Cancellable {
  /** Names of all kinds in any order, as a person writes them: "corn yield iowa illinois". */
  text?: string | undefined;
  /** Names, synonyms or codes of metrics. */
  metric?: string | readonly string[] | undefined;
  /** Names, synonyms or codes of items. */
  item?: string | readonly string[] | undefined;
  /** Names, synonyms or codes of regions. */
  region?: string | readonly string[] | undefined;
  /** Names, synonyms or codes of partner regions. */
  partner_region?: string | readonly string[] | undefined;
  /** Words of the names of sources. */
  source?: string | readonly string[] | undefined;
  /** Further ids that series must have. */
  selection?: Selection | undefined;
  /** `YYYY-MM-DD`; start of the period that series should cover. */
  start_date?: string | undefined;
  /** `YYYY-MM-DD`; end of that period. */
  end_date?: string | undefined;
  /** Entities kept for each name; default 3. */
  hits_per_name?: number | undefined;
  /** Maximum number of series; default 20, and 0 lists none. */
  limit?: number | undefined;
  /** Series to skip; default 0. */
  offset?: number | undefined;
  /**
   * True if a name of digits is the id of an entity. If no entity has the id, the name is a code, and is never guessed.
   */
  ids?: boolean | undefined;
  /** True lists the series of the regions that the named region contains, if that region has none. */
  within?: boolean | undefined;
}

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
