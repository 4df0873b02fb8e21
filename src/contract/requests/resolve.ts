import * as v from 'valibot';
import { resolvedName } from '../../model/names/meaning.js';
import { matchedNames } from '../../model/schema/entities.js';
import { DATE, integer, listOf, oneOf, optionalWith, withMeaning } from '../../model/schema/schemas.js';
import { coverage, dataSeries } from '../../model/schema/series.js';
import { NAMED_WORDS, SOURCE_WORD } from '../../model/series.js';
import { everyId, ids } from '../parameters.js';
import { dataOf } from '../shapes.js';

const texts = (what: string) =>
  optionalWith(
    `names, synonyms or codes of ${what}`,
    v.pipe(
      v.array(v.pipe(v.string(), v.regex(/\S/, 'is empty; enter a name'), v.maxLength(500))),
      v.minLength(1),
      v.maxLength(1_000),
    ),
  );

/** The names to resolve, and which of the matching series to list. */
const query = v.object({
  text: optionalWith(
    'names of all kinds in any order, as a person writes them: "corn yield iowa illinois"',
    v.pipe(v.string(), v.regex(/\S/, 'is empty; enter some words'), v.maxLength(500)),
  ),
  metric: texts('metrics'),
  item: texts('items'),
  region: texts('regions'),
  partnerRegion: texts('partner regions'),
  source: texts('sources'),
  ...everyId(v.optional(ids)),
  startDate: optionalWith('start of the period that series should cover', DATE),
  endDate: optionalWith('end of the period that series should cover', DATE),
  hits: optionalWith('number of entities kept for each name', integer({ min: 1, max: 100 }), 3),
  limit: optionalWith('maximum number of series', integer({ max: 10_000 }), 20),
  offset: optionalWith('number of series to skip', integer(), 0),
  ids: optionalWith(
    'if true, a name made of digits is an entity id or, if no entity has this id, a code; it is never a guess',
    v.boolean(),
  ),
  within: optionalWith(
    'if true and the named region has no such series, list those of the regions that it contains',
    v.boolean(),
  ),
});

const foundSeries = v.object({
  ...dataSeries.entries,
  /**
   * The entities chosen for names that several regions share, that have no exact match, or whose exact match has no
   * data. Absent if every name refers to exactly one entity.
   */
  matched: optionalWith(
    'entities of the series whose names are not exactly the requested ones',
    matchedNames,
  ),
});
/** A series that was found by the names of its entities. */
export interface FoundSeries extends v.InferOutput<typeof foundSeries> {}

const explainedSeries = v.object({
  ...foundSeries.entries,
  /** How well the series covers the requested period. */
  coverage,
});
/** A found series with the coverage by which it was ranked. */
export interface ExplainedSeries extends v.InferOutput<typeof explainedSeries> {}

const wordedName = v.object({
  /** The series field that the name specifies. */
  word: oneOf([...NAMED_WORDS, SOURCE_WORD].map(({ word }) => word)),
  ...resolvedName.entries,
});
/** A resolved name, with the series field that it specifies. */
export interface WordedName extends v.InferOutput<typeof wordedName> {}

const resolution = v.object({
  /** The names for each series field, in the order in which they were given. */
  names: listOf(wordedName),
  /** The series, in the order in which `findDataSeries` would rank them. */
  series: listOf(explainedSeries),
  /** Whether there are more series after those in `series`. */
  more: withMeaning('whether there are more series after the listed ones', v.boolean()),
  /** The name of the requested region, if the series belong to regions within it. */
  within: optionalWith('the named region, if the series are of regions that it contains', v.string()),
  /** The reason why there are no series. */
  nothing: optionalWith('why there are no series', v.string()),
  /** The derived figure that the text asks for, which can be computed from these series. */
  computed: optionalWith(
    'the figure that the text names, which is computed from these series',
    oneOf(['degree-days', 'stocks-to-use']),
  ),
  /** Words in the text that matched no name. */
  unread: optionalWith('words of the text that match no name', listOf(v.string())),
});
/** The entities that names refer to, and the series that these entities select. */
export interface Resolution extends v.InferOutput<typeof resolution> {}

export const resolveForm = { query, answer: dataOf(resolution) };
