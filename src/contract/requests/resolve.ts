import * as z from 'zod';
import { NAMED_WORDS, SOURCE_WORD } from '../../model/series.js';
import { date, ids } from '../parameters.js';
import { envelope, series } from '../shapes.js';

const texts = (what: string) =>
  z
    .array(z.string().regex(/\S/, 'is empty; give a name').max(500))
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: `names, synonyms or codes of ${what}` });

/** The names to resolve, and which of their series to list. */
const query = z.object({
  metric: texts('metrics'),
  item: texts('items'),
  region: texts('regions'),
  partnerRegion: texts('partner regions'),
  source: texts('sources'),
  metricId: ids.optional(),
  itemId: ids.optional(),
  regionId: ids.optional(),
  partnerRegionId: ids.optional(),
  sourceId: ids.optional(),
  frequencyId: ids.optional(),
  startDate: date.optional().meta({ description: 'start of the period that series should cover' }),
  endDate: date.optional().meta({ description: 'end of that period' }),
  hits: z.int().min(1).max(100).default(3).meta({ description: 'entities kept for each name' }),
  limit: z.int().min(0).max(10_000).default(20).meta({ description: 'maximum number of series' }),
  offset: z.int().min(0).default(0).meta({ description: 'series to skip' }),
  ids: z.boolean().optional().meta({
    description: 'a name of digits is the id of an entity; if there is none, a code. It is never a guess',
  }),
  within: z.boolean().optional().meta({
    description: 'if the region has no such series, list those of the regions that it contains',
  }),
});

const meaning = z.object({
  id: z.int(),
  name: z.string(),
  exact: z.boolean().meta({
    description: 'whether the text is the name, a synonym or a code of the entity; a lesser match is a guess',
  }),
  instead_of: z.string().optional().meta({ description: 'the entity that the name means, unlike this one' }),
  namesakes: z
    .array(z.string())
    .readonly()
    .optional()
    .meta({ description: 'the other entities that the name can mean' }),
});

const matchedName = meaning.extend({ requested: z.string() }).optional();

/** A found series with the coverage by which it is ranked. */
const foundSeries = series.extend({
  start_date: series.shape.start_date.optional(),
  end_date: series.shape.end_date.optional(),
  coverage: z.object({
    share: z.number().meta({ description: 'share of the period that has data, from 0 to 1' }),
    points: z.int(),
    startMs: z.number(),
    endMs: z.number(),
    periodDays: z.number(),
  }),
  matched: z
    .object({ metric: matchedName, item: matchedName, region: matchedName, partner_region: matchedName })
    .optional()
    .meta({ description: 'entities of the series whose names are not exactly the requested ones' }),
});

const answer = envelope(
  z.object({
    names: z.array(
      z.object({
        word: z.enum([...NAMED_WORDS, SOURCE_WORD].map(({ word }) => word)),
        requested: z.string(),
        hits: z
          .array(
            meaning.extend({
              label: z.string().optional().meta({
                description: 'a name that tells it apart from its namesakes, such as "Georgia, Asia"',
              }),
            }),
          )
          .readonly()
          .meta({ description: 'best first' }),
      }),
    ),
    series: z.array(foundSeries),
    more: z.boolean().meta({ description: 'whether more series follow' }),
    within: z.string().optional().meta({
      description: 'the named region, if the series are of regions that it contains',
    }),
    nothing: z.string().optional().meta({ description: 'why there are no series' }),
  }),
);

/** The form of the operation that resolves names. */
export const resolveForm = { query, answer };
