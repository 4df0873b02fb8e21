import * as v from 'valibot';
import type { ExplainedSeries } from '../../../client/discovery/resolution.js';
import { ArgumentError } from '../../../model/errors.js';
import { WANTED_PERIOD } from '../../../model/schema/fields.js';
import { integer, withMeaning } from '../../../model/schema/schemas.js';
import { seriesKeyText } from '../../../model/series.js';
import { formatDay } from '../../../model/time.js';
import { listAllowedUnits } from '../../../saved/unit-choice.js';
import { nameNotes, withinNotes } from '../../choice/names.js';
import { findFirstSeries, frequencyName, seriesTitle } from '../../choice/series-choice.js';
import { FIND } from '../../commands/discovery.js';
import type { SeriesWords } from '../../options/flag-groups.js';
import { advise, pointCount, requestedShare, shareTexts } from '../chosen-series.js';
import { defineTool, lookUpSources, SERIES_INPUT, unitCredits } from '../tool.js';

const MAX_LISTED_SERIES = 50;

export const FIND_SERIES = defineTool({
  name: 'find_series',
  title: 'Find series',
  description:
    'Find data series by metric, item and region, those with the best coverage first. The result shows why each series has its rank, which period it covers, and which entity was used for a name without an exact match. Use its keys to select series in the other tools.',
  input: v.strictObject({
    ...SERIES_INPUT,
    start: v.optional(WANTED_PERIOD.start_date),
    end: v.optional(WANTED_PERIOD.end_date),
    limit: v.optional(
      withMeaning('maximum number of series', integer({ min: 1, max: MAX_LISTED_SERIES })),
      10,
    ),
  }),
  async run({ limit, start, end, ...selection }, call) {
    const { client, signal, commandLine } = call;
    const words = { ...selection, start_date: start, end_date: end };
    if (Object.values(words).every((word) => word === undefined))
      throw new ArgumentError('item', 'nothing to find; specify at least one of metric, item and region');
    const { found, more, within } = await findFirstSeries(call, words, limit).catch(advise);
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
        ...(more
          ? [`more series match; the first ${limit} are listed: specify more names, or raise limit`]
          : []),
      ],
      command: commandLine(FIND, { ...words, limit }),
    };
    return {
      heading: `${series.length} series, best first`,
      table: ['series', 'key', 'title', 'start', 'end', 'why'],
      structured: { series, ...credits },
    };
  },
});

function describeSeries(
  series: ExplainedSeries,
  { at, words }: { at: number; words: Pick<SeriesWords, 'start_date' | 'end_date'> },
) {
  const { coverage, source_id } = series;
  const { points, startMs, endMs } = coverage;
  const share = requestedShare(series, words);
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
