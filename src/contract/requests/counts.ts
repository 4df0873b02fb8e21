import * as z from 'zod';
import { FIELDS } from '../../model/arguments/fields.js';
import { SEARCHABLE_TYPES } from '../../model/entity.js';
import { FACETS } from '../../model/selection.js';
import { isTime, parameter, searchText } from '../parameters.js';
import { selectionQuery } from './queries.js';

// Counts of series and of vintages, with which a page offers only choices that have data.

export const facetQuery = z.object({
  ...selectionQuery.shape,
  q: searchText.optional().meta({
    description: 'only values that this text finds, best match first; it restricts no count',
    examples: ['corn'],
  }),
  in: z
    .array(z.enum(FACETS))
    .min(1)
    .optional()
    .meta({ description: 'count these facets only; all by default' }),
  limit: parameter(FIELDS.limit)
    .default(50)
    .meta({ description: 'maximum number of values of a facet, besides those of the selection' }),
});

const matched = z
  .string()
  .optional()
  .meta({ description: 'the synonym or code that matches the text; absent for the name' });

const facetValue = z.object({
  id: z.int(),
  name: z.string(),
  series: z
    .int()
    .meta({ description: 'series that have it, as if the selection did not restrict this facet' }),
  matched,
});

const values = z
  .array(facetValue)
  .optional()
  .meta({ description: 'those with the most series first, then by name' });

/** An object with a number for each requested facet. */
const perFacet = z.partialRecord(z.enum(FACETS), z.int());

/** A facet that was not requested is absent. */
export const facetCounts = z.object({
  series: z.int().meta({ description: 'series of the selection' }),
  metrics: values,
  items: values,
  regions: values,
  partner_regions: values,
  sources: values,
  frequencies: values,
  more: perFacet.meta({
    description: 'how many further values each facet has; with a text, of its first 500 finds',
  }),
  lifted: perFacet.meta({
    description: 'series of the selection if it did not restrict this facet',
  }),
});

export const hitQuery = z.object({
  q: searchText,
  types: z
    .array(z.enum(SEARCHABLE_TYPES))
    .min(1)
    .optional()
    .meta({ description: 'search these types of entity only; all by default' }),
  limit: parameter(FIELDS.hits).default(20).meta({ description: FIELDS.limit.meaning }),
});

export const countedHit = z.object({
  entity_type: z.enum(SEARCHABLE_TYPES),
  id: z.int(),
  name: z.string(),
  series: z.int().meta({ description: 'series that have it' }),
  exact: z.boolean().meta({
    description: 'whether the text is the name, a synonym or a code of the entity; a lesser match is a guess',
  }),
  matched,
  part: z.string().optional().meta({
    description: 'the words of the text that name the entity, in lower case, where the text has others too',
  }),
});

export const vintageQuery = z.object({
  ...selectionQuery.shape,
  limit: parameter(FIELDS.limit)
    .default(1_000)
    .meta({ description: 'maximum number of dates of each kind; the latest are returned' }),
});

const vintageDate = z.object({
  date: z.string().refine(isTime),
  points: z.int().meta({ description: 'vintages that have this date' }),
});

export const vintageDates = z.object({
  series: z.int().meta({ description: 'series of the selection' }),
  points: z.int().meta({ description: 'their vintages: every stored row, also of revised periods' }),
  available_dates: z.array(vintageDate).meta({ description: 'ascending' }),
  reporting_dates: z
    .array(vintageDate)
    .meta({ description: 'ascending; vintages without a reporting date are not counted' }),
  more: z
    .object({ available_dates: z.int(), reporting_dates: z.int() })
    .meta({ description: 'how many earlier dates there are' }),
});
