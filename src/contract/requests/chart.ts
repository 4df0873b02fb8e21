import * as z from 'zod';
import { AXES, EVERY, FORMULAS, HOWS, MAX_SERIES, MEAN_PERIODS, SCALES } from '../../model/chart-choices.js';
import { isDay, readNotes } from '../../model/chart-notes.js';
import { parseSeriesKey, type SeriesKey } from '../../model/series.js';
import { id } from '../parameters.js';

const day = z.string().refine(isDay, 'is not a day; write YYYY-MM-DD').optional();
const pixels = z.int().min(200).max(4000);

/** A chart, by the parameters that the link of the page has for it, with its size and theme. */
export const chartQuery = z.object({
  v: z.literal('1').optional().meta({ description: 'version of the link' }),
  s: z
    .string()
    .transform((text, { addIssue }) => {
      const read = readKeys(text);
      if (typeof read !== 'string') return read;
      addIssue({ code: 'custom', message: read });
      return z.NEVER;
    })
    .meta({
      description: `up to ${MAX_SERIES} series, with commas: the ids of metric, item, region, partner region, frequency and source of each, with dashes`,
    }),
  from: day.meta({ description: 'first day that is drawn' }),
  to: day.meta({ description: 'last day that is drawn; the latest by default' }),
  asof: day.meta({ description: 'only what was available by the end of this day' }),
  unit: id.optional().meta({ description: 'id of the unit of the values' }),
  y: z.enum(SCALES).default('auto').meta({ description: 'how values are drawn' }),
  f: z.enum(FORMULAS).default('none').meta({ description: 'what is made of the two series a and b' }),
  n: z
    .int()
    .min(2)
    .max(1000)
    .default(MEAN_PERIODS)
    .meta({ description: 'periods of a mean of several, for y=mean' }),
  every: z.enum(EVERY).optional().meta({ description: 'the period of each value' }),
  how: z.enum(HOWS).optional().meta({
    description:
      'how the values of a period become one: by default the sum of amounts such as rain and production, and the mean of others',
  }),
  axes: z.enum(AXES).default('panels').meta({ description: 'several units: panels, or axes of one' }),
  notes: z
    .string()
    .refine((text) => readNotes(text) !== undefined, 'cannot be read; copy it from the link of the page')
    .transform((text) => readNotes(text) ?? [])
    .default([])
    .meta({ description: 'lines, bands and texts, as the link of the page has them' }),
  theme: z.enum(['light', 'dark']).default('light').meta({ description: 'its colours' }),
  width: pixels.default(1000).meta({ description: 'pixels' }),
  height: pixels.default(560).meta({ description: 'pixels' }),
});

/** What a chart by address is asked for, read and checked. */
export type ChartQuery = z.output<typeof chartQuery>;

/** Returns the keys of a text, or its fault. */
function readKeys(text: string): readonly SeriesKey[] | string {
  const keys: SeriesKey[] = [];
  for (const one of new Set(text.split(','))) {
    const key = parseSeriesKey(one);
    if (key === null)
      return `"${one.slice(0, 40)}" is not a series; write six ids, such as 30-110-10053-0-9-22`;
    keys.push(key);
  }
  return keys.length <= MAX_SERIES ? keys : `names ${keys.length} series; ask for at most ${MAX_SERIES}`;
}
