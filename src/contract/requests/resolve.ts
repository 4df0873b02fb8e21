import * as v from 'valibot';
import { meaning } from '../../model/names/meaning.js';
import { matchedName } from '../../model/schema/entities.js';
import { DATE, INTEGER, integer, listOf, oneOf, withMeaning } from '../../model/schema/schemas.js';
import { dataSeries } from '../../model/schema/series.js';
import { NAMED_WORDS, SOURCE_WORD } from '../../model/series.js';
import { ids } from '../parameters.js';
import { dataOf } from '../shapes.js';

const texts = (what: string) =>
  v.optional(
    withMeaning(
      `names, synonyms or codes of ${what}`,
      v.pipe(
        v.array(v.pipe(v.string(), v.regex(/\S/, 'is empty; enter a name'), v.maxLength(500))),
        v.minLength(1),
        v.maxLength(1_000),
      ),
    ),
  );

/** The names to resolve, and which of the matching series to list. */
const query = v.object({
  text: v.optional(
    withMeaning(
      'names of all kinds in any order, as a person writes them: "corn yield iowa illinois"',
      v.pipe(v.string(), v.regex(/\S/, 'is empty; enter some words'), v.maxLength(500)),
    ),
  ),
  metric: texts('metrics'),
  item: texts('items'),
  region: texts('regions'),
  partnerRegion: texts('partner regions'),
  source: texts('sources'),
  metricId: v.optional(ids),
  itemId: v.optional(ids),
  regionId: v.optional(ids),
  partnerRegionId: v.optional(ids),
  sourceId: v.optional(ids),
  frequencyId: v.optional(ids),
  startDate: v.optional(withMeaning('start of the period that series should cover', DATE)),
  endDate: v.optional(withMeaning('end of that period', DATE)),
  hits: v.optional(withMeaning('entities kept for each name', integer({ min: 1, max: 100 })), 3),
  limit: v.optional(withMeaning('maximum number of series', integer({ max: 10_000 })), 20),
  offset: v.optional(withMeaning('series to skip', integer()), 0),
  ids: v.optional(
    withMeaning(
      'a name of digits is the id of an entity; if there is none, a code. It is never a guess',
      v.boolean(),
    ),
  ),
  within: v.optional(
    withMeaning('if the region has no such series, list those of the regions that it contains', v.boolean()),
  ),
});

const matched = v.optional(matchedName);

/** A found series, with the coverage that determines its rank. */
const foundSeries = v.object({
  ...dataSeries.entries,
  coverage: v.object({
    share: withMeaning('share of the period that has data, from 0 to 1', v.number()),
    points: INTEGER,
    startMs: v.number(),
    endMs: v.number(),
    periodDays: v.number(),
  }),
  matched: v.optional(
    withMeaning(
      'entities of the series whose names are not exactly the requested ones',
      v.object({ metric: matched, item: matched, region: matched, partner_region: matched }),
    ),
  ),
});

const answer = dataOf(
  v.object({
    names: v.array(
      v.object({
        word: oneOf([...NAMED_WORDS, SOURCE_WORD].map(({ word }) => word)),
        requested: v.string(),
        hits: withMeaning('best first', listOf(meaning)),
      }),
    ),
    series: v.array(foundSeries),
    more: withMeaning('whether more series follow', v.boolean()),
    within: v.optional(
      withMeaning('the named region, if the series are of regions that it contains', v.string()),
    ),
    nothing: v.optional(withMeaning('why there are no series', v.string())),
    computed: v.optional(
      withMeaning(
        'the figure that the text names, which is computed from these series',
        oneOf(['degree-days', 'stocks-to-use']),
      ),
    ),
    unread: v.optional(
      withMeaning('words of the text that name nothing', v.pipe(v.array(v.string()), v.readonly())),
    ),
  }),
);

export const resolveForm = { query, answer };
