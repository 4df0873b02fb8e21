import * as v from 'valibot';
import type { LongFrame } from '../../../frame/frame.js';
import { badArgument } from '../../../model/errors.js';
import type { Provenance } from '../../../model/provenance.js';
import { FIELDS } from '../../../model/schema/fields.js';
import { integer, withMeaning } from '../../../model/schema/schemas.js';
import { seriesKeyText } from '../../../model/series.js';
import { formatDay } from '../../../model/time.js';
import { nameNotes } from '../../choice/names.js';
import { seriesTitle } from '../../choice/series-choice.js';
import { POINTS } from '../../commands/retrieval.js';
import {
  chooseSeries,
  noteUnnamed,
  pointCount,
  requestedShare,
  retrieveLongFrame,
  shareTexts,
} from '../chosen-series.js';
import {
  defineTool,
  formatFigure,
  RETRIEVAL_INPUT,
  SERIES_INPUT,
  SERIES_KEY,
  sourceCredits,
  unitCredits,
} from '../tool.js';

const MAX_ROWS = 1000;

export const GET_POINTS = defineTool({
  name: 'get_points',
  title: 'Get points',
  description: `Get the points of one series. Choose it by its key from find_series, or by names, which select the series with the best coverage. A result has at most ${MAX_ROWS} points, in order of their periods. If it is truncated, it says how to get the rest. The summary covers all points in the period.`,
  input: v.strictObject({
    series: v.optional(SERIES_KEY),
    ...SERIES_INPUT,
    ...RETRIEVAL_INPUT,
    unit: v.optional(FIELDS.unit),
    limit: v.optional(withMeaning('maximum number of points', integer({ min: 1, max: MAX_ROWS })), 200),
    offset: v.optional(withMeaning('points to skip', integer()), 0),
  }),
  async run({ series: key, limit, offset, unit, at_time, start, end, ...selection }, call) {
    const period = { start_date: start, end_date: end };
    const words = { ...selection, ...period };
    const chosen = await chooseSeries(call, { key, ...words });
    const { frame, provenance } = await retrieveLongFrame(call, [chosen], { ...period, unit, at_time });
    const all = pointRows(frame, provenance);
    if (offset >= all.length)
      throw badArgument('offset', `the period has only ${pointCount(all.length)}; use a smaller offset`);
    const points = all.slice(offset, offset + limit);
    const next = offset + points.length;
    const isWhole = points.length === all.length;
    const series = { key: seriesKeyText(chosen), title: seriesTitle(chosen) };
    const cut = `points ${offset + 1} to ${next} of ${all.length} are listed${next < all.length ? `; call again with offset ${next}, or run the command for all` : ''}`;
    const answer = {
      series,
      points,
      summary: summaryOf(all),
      coverage: { share: requestedShare(chosen, words), start: all[0]!.start, end: all.at(-1)!.end },
      is_whole: isWhole,
      next_offset: next < all.length ? next : null,
      units: unitCredits(provenance.units),
      sources: sourceCredits(provenance.sources),
      notes: [
        ...nameNotes([chosen]),
        ...noteUnnamed({ key, ...words }, chosen),
        ...unitNotes(all),
        ...(isWhole ? [] : [cut]),
      ],
      command: call.commandLine(POINTS, {
        series: series.key,
        ...period,
        unit: unit === undefined ? unit : [unit],
        at_time,
        format: 'csv',
      }),
    };
    return {
      heading: pointsHeading(series.title, answer.summary, answer.coverage),
      table: ['points', 'start', 'end', 'value', 'unit', 'reported'],
      structured: answer,
    };
  },
});

type Points = ReturnType<typeof pointRows>;

function pointRows(frame: LongFrame, { units }: Provenance) {
  const names = new Map(units.map(({ id, abbreviation, name }) => [id, abbreviation || name]));
  return frame.toRows().map(({ start_date, end_date, value, unit_id, reporting_date }) => ({
    start: formatDay(start_date.getTime()),
    end: formatDay(end_date.getTime()),
    value,
    unit: unit_id === null ? null : (names.get(unit_id) ?? `unit ${unit_id}`),
    reported: reporting_date === null ? null : formatDay(reporting_date.getTime()),
  }));
}

/** Summarises all points. The minimum, mean and maximum are null if there is more than one unit or no value. */
function summaryOf(points: Points) {
  const values = points.map(({ value }) => value).filter((value) => value !== null);
  const counts = { points: points.length, without_value: points.length - values.length };
  if (values.length === 0 || unitsOf(points).size > 1) return { ...counts, min: null, mean: null, max: null };
  const { min, sum, max } = values.reduce(
    (so, value) => ({
      min: Math.min(so.min, value),
      sum: so.sum + value,
      max: Math.max(so.max, value),
    }),
    { min: Number.POSITIVE_INFINITY, sum: 0, max: Number.NEGATIVE_INFINITY },
  );
  return { ...counts, min, mean: sum / values.length, max };
}

function unitsOf(points: Points): Set<string | null> {
  return new Set(points.map(({ unit }) => unit));
}

function unitNotes(points: Points): string[] {
  const units = [...unitsOf(points)].map((unit) => unit ?? 'none');
  return units.length === 1
    ? []
    : [`the points are in several units (${units.join(', ')}); set unit to convert them to one unit`];
}

/** Formats the heading: the series' title, the number and dates of its points, the summary and the coverage. */
function pointsHeading(
  title: string,
  summary: ReturnType<typeof summaryOf>,
  coverage: { readonly share: number | null; readonly start: string; readonly end: string },
): string {
  const figures = (['min', 'mean', 'max'] as const)
    .filter((name) => summary[name] !== null)
    .map((name) => `${name} ${formatFigure(summary[name])}`);
  const missing = summary.without_value === 0 ? [] : [`${summary.without_value} without a value`];
  return [
    title,
    [`${pointCount(summary.points)} from ${coverage.start} to ${coverage.end}`, ...missing, ...figures].join(
      ', ',
    ),
    ...shareTexts(coverage.share),
  ].join('\n');
}
