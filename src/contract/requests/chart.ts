import * as v from 'valibot';
import { EVERY, FORMULAS, HOWS, MAX_SERIES, MEAN_PERIODS, SCALES } from '../../model/chart-choices.js';
import { readNotes } from '../../model/chart-notes.js';
import { FINITE, ID, integer, oneOf, optionalWith, withMeaning } from '../../model/schema/schemas.js';
import { parseSeriesKey, type SeriesKey } from '../../model/series.js';
import { isDay } from '../../model/time.js';
import { parsedBy } from '../parameters.js';

const day = v.optional(v.pipe(v.string(), v.check(isDay, 'is not a day; write YYYY-MM-DD')));
const seasonDay = v.pipe(
  v.string(),
  v.check((text) => isDay(`2001-${text}`), 'is not a day; write MM-DD'),
);
/** The explorer's views that can be drawn from a URL. */
const VIEWS = ['chart', 'map', 'revisions', 'degree-days', 'weights'] as const;
const pixels = integer({ min: 200, max: 4000 });

const UNREADABLE_NOTES = 'cannot be read; copy it from a link on the page';

/** The parameters of a chart request: the parameters in the explorer page's URL, plus the chart's size and theme. */
export const chartQuery = v.object({
  v: optionalWith('version of the link', v.literal('1')),
  s: v.optional(
    v.pipe(
      withMeaning(
        `up to ${MAX_SERIES} series, separated by commas: for each, the ids of its metric, item, region, partner region, frequency and source, separated by dashes`,
        v.string(),
      ),
      parsedBy(readKeys),
    ),
  ),
  view: optionalWith('which view of the page is drawn', oneOf(VIEWS), 'chart'),
  from: withMeaning('first day that is drawn', day),
  to: withMeaning('last day that is drawn; the latest by default', day),
  asof: withMeaning('draw only values that were available by the end of this day', day),
  unit: optionalWith('id of the unit in which values are drawn', ID),
  y: optionalWith('how values are drawn', oneOf(SCALES), 'auto'),
  f: optionalWith('formula that combines the two series a and b', oneOf(FORMULAS), 'none'),
  n: optionalWith('number of periods in the mean, for y=mean', integer({ min: 2, max: 1000 }), MEAN_PERIODS),
  every: optionalWith('the period to which values are aggregated', oneOf(EVERY)),
  how: optionalWith(
    'how the values of a period are aggregated: by default the sum of amounts such as rain and production, and the mean of other values',
    oneOf(HOWS),
  ),
  notes: v.optional(
    v.pipe(
      withMeaning('additional lines, bands and texts, written as in a link to the page', v.string()),
      parsedBy((text) => (text === '' ? [] : (readNotes(text) ?? UNREADABLE_NOTES))),
    ),
    '',
  ),
  date: withMeaning('the date of a map; by default, the latest date on which most regions have a value', day),
  date2: withMeaning('draw the changes of a map from this date to its date', day),
  change: optionalWith(
    'whether changes from date2 are drawn in units or in percent; percentages only of units with a true zero',
    oneOf(['units', 'percent']),
    'units',
  ),
  gdd: optionalWith('id of the place for which degree days are computed', ID),
  gdd_unit: optionalWith('unit of temperatures and degree days', oneOf(['celsius', 'fahrenheit']), 'celsius'),
  gdd_base: optionalWith('base temperature of the degree days', FINITE, 10),
  gdd_cap: optionalWith('upper temperature cap of the degree days; none by default', FINITE),
  gdd_method: optionalWith('method by which degree days are computed', v.string(), 'average'),
  gdd_from: optionalWith('first day of the degree-day season, MM-DD', seasonDay, '04-01'),
  gdd_to: optionalWith('last day of the degree-day season, MM-DD', seasonDay, '10-31'),
  w_crop: optionalWith('id of the crop by which regions are weighted', ID),
  w_metric: optionalWith('id of the metric of the crop by which regions are weighted', ID),
  w_regions: v.optional(
    v.pipe(
      withMeaning('ids of the weighted regions, separated by commas', v.string()),
      v.regex(/^\d{1,16}(,\d{1,16})*$/, 'is not a comma-separated list of ids'),
      v.transform((text) => text.split(',').map(Number)),
    ),
  ),
  w_from: optionalWith(
    'first year over which weights are averaged; by default, nine years before the last one',
    ID,
  ),
  w_to: optionalWith('last year over which weights are averaged; by default, the latest with data', ID),
  theme: optionalWith('colours of the chart', oneOf(['light', 'dark']), 'light'),
  width: optionalWith('width of the chart in pixels', pixels, 1000),
  height: optionalWith('height of the chart in pixels', pixels, 560),
});

/** The validated parameters of a chart request. */
export type ChartQuery = v.InferOutput<typeof chartQuery>;

/** Parses a comma-separated list of series keys. Returns an error message if the list is invalid. */
function readKeys(text: string): readonly SeriesKey[] | string {
  const keys: SeriesKey[] = [];
  for (const one of new Set(text.split(','))) {
    const key = parseSeriesKey(one);
    if (key === null)
      return `"${one.slice(0, 40)}" is not a series; write six ids, such as 30-110-10053-0-9-22`;
    keys.push(key);
  }
  return keys.length <= MAX_SERIES ? keys : `lists ${keys.length} series; request at most ${MAX_SERIES}`;
}
