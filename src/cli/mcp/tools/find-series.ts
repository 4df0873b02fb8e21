import * as z from 'zod';
import type { ExplainedSeries } from '../../../client/discovery/resolution.js';
import { meant, needed, whole } from '../../../model/arguments/checks.js';
import { WANTED_PERIOD } from '../../../model/arguments/fields.js';
import { ArgumentError } from '../../../model/errors.js';
import { seriesKeyText } from '../../../model/series.js';
import { formatDay } from '../../../model/time.js';
import { listAllowedUnits } from '../../../saved/unit-choice.js';
import { nameNotes, withinNotes } from '../../choice/names.js';
import { findFirstSeries, frequencyName, seriesTitle } from '../../choice/series-choice.js';
import { FIND } from '../../commands/discovery.js';
import type { SeriesWords } from '../../options/flag-groups.js';
import { advise, pointCount, shareTexts, wantedShare } from '../chosen-series.js';
import { CREDITS, defineTool, input, lookUpSources, SERIES_INPUT, unitCredits } from '../tool.js';

const MAX_SERIES = 50;

/** Series by names, each with the reason for its place in the list. */
export const FIND_SERIES = defineTool({
  name: 'find_series',
  title: 'Find series',
  description:
    'Find data series by metric, item and region, best covered first. The answer has the reason for the rank of each series, the period that it covers, and the entity used for a name without an exact match. Its keys select series in the other tools.',
  input: z.strictObject({
    ...SERIES_INPUT,
    start: input(WANTED_PERIOD.start_date),
    end: input(WANTED_PERIOD.end_date),
    limit: input(needed(meant('maximum number of series', whole({ min: 1, max: MAX_SERIES })))).default(10),
  }),
  output: z.object({
    series: z.array(
      z.object({
        key: z.string(),
        title: z.string(),
        frequency: z.string(),
        source_id: z.number(),
        start: z.string().nullable().describe('start of its data'),
        end: z.string().nullable().describe('end of its data'),
        coverage: z
          .number()
          .nullable()
          .describe(
            'share of the requested period that has data, from 0 to 1; null if no period was requested',
          ),
        points: z.number(),
        why: z.string(),
      }),
    ),
    ...CREDITS,
    units: CREDITS.units.describe('units that points of the first series can be converted to'),
  }),
  async run({ limit, start, end, ...selection }, call) {
    const { client, signal, commandLine } = call;
    const words = { ...selection, start_date: start, end_date: end };
    if (Object.values(words).every((word) => word === undefined))
      throw new ArgumentError('item', 'nothing to find; give at least one of metric, item and region');
    const { found, more, within } = await findFirstSeries(client, words, { limit, signal }).catch(advise);
    const series = found.map((one, at) => describeSeries(one, { at, words }));
    const credits = {
      units: unitCredits(await listAllowedUnits(client, found.slice(0, 1), signal)),
      sources: await lookUpSources(
        call,
        found.map(({ source_id }) => source_id),
      ),
      notes: [
        ...nameNotes(found),
        ...withinNotes(within),
        ...(more ? [`more series match; the first ${limit} are listed: name more, or raise limit`] : []),
      ],
      command: commandLine(FIND, { ...words, limit }),
    };
    const rows = series.map(({ key, title, start, end, why }) => ({
      series: key,
      what: title,
      from: start,
      to: end,
      why,
    }));
    return { heading: `${series.length} series, best first`, rows, structured: { series, ...credits } };
  },
});

function describeSeries(
  series: ExplainedSeries,
  { at, words }: { at: number; words: Pick<SeriesWords, 'start_date' | 'end_date'> },
) {
  const { coverage, source_id } = series;
  const { points, startMs, endMs } = coverage;
  const share = wantedShare(series, words);
  const hasDates = Number.isFinite(endMs);
  const matched = nameNotes([series]).map((note) => `; ${note}`);
  return {
    key: seriesKeyText(series),
    title: seriesTitle(series),
    frequency: frequencyName(series),
    source_id,
    start: hasDates ? formatDay(startMs) : null,
    end: hasDates ? formatDay(endMs) : null,
    coverage: share,
    points,
    why: `rank ${at + 1}: ${[...shareTexts(share), pointCount(points)].join(', ')}${matched.join('')}`,
  };
}
