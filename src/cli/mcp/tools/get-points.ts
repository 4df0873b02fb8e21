import * as z from 'zod';
import type { LongFrame } from '../../../frame/frame.js';
import { meant, needed, whole } from '../../../model/arguments/checks.js';
import { FIELDS } from '../../../model/arguments/fields.js';
import { badArgument } from '../../../model/errors.js';
import type { Provenance } from '../../../model/provenance.js';
import { seriesKeyText } from '../../../model/series.js';
import { formatDay } from '../../../model/time.js';
import { nameNotes } from '../../choice/names.js';
import { seriesTitle } from '../../choice/series-choice.js';
import { POINTS } from '../../commands/retrieval.js';
import {
  chooseSeries,
  pointCount,
  retrieveLongFrame,
  shareTexts,
  unnamedNotes,
  wantedShare,
} from '../chosen-series.js';
import {
  CREDITS,
  defineTool,
  input,
  RETRIEVAL_INPUT,
  SERIES_INPUT,
  SERIES_KEY,
  shownNumber,
  sourceCredits,
  unitCredits,
} from '../tool.js';

const MAX_ROWS = 1000;

/** The points of one series, page by page, with a summary of all of them. */
export const GET_POINTS = defineTool({
  name: 'get_points',
  title: 'Get points',
  description: `Get the points of one series. Choose it by its key from find_series, or by names, which select the best covered series. An answer has at most ${MAX_ROWS} points, in order of their periods; if it is cut, it says how to get the rest. The summary covers all points of the period.`,
  input: z.strictObject({
    series: SERIES_KEY.optional(),
    ...SERIES_INPUT,
    ...RETRIEVAL_INPUT,
    unit: input(FIELDS.unit),
    limit: input(needed(meant('maximum number of points', whole({ min: 1, max: MAX_ROWS })))).default(200),
    offset: input(needed(meant('points to skip', whole()))).default(0),
  }),
  output: z.object({
    series: z.object({ key: z.string(), title: z.string() }),
    points: z.array(
      z.object({
        start: z.string(),
        end: z.string(),
        value: z.number().nullable(),
        unit: z.string().nullable(),
        reported: z.string().nullable().describe('when the source reported it'),
      }),
    ),
    summary: z.object({
      points: z.number().describe('all points of the period; the answer may list a part of them'),
      without_value: z.number(),
      min: z.number().nullable(),
      mean: z.number().nullable(),
      max: z.number().nullable(),
    }),
    coverage: z.object({
      share: z
        .number()
        .nullable()
        .describe('share of the wanted period that has data, from 0 to 1; null without a wanted period'),
      start: z.string().describe('start of the first point'),
      end: z.string().describe('end of the last point'),
    }),
    is_whole: z.boolean().describe('false when points are left out'),
    next_offset: z.number().nullable().describe('the offset that the next points have'),
    ...CREDITS,
  }),
  async run({ series: key, limit, offset, unit, at_time, start, end, ...selection }, call) {
    const period = { start_date: start, end_date: end };
    const words = { ...selection, ...period };
    const chosen = await chooseSeries(call, { key, ...words });
    const { frame, provenance } = await retrieveLongFrame(call, [chosen], { ...period, unit, at_time });
    const all = pointRows(frame, provenance);
    if (offset >= all.length)
      throw badArgument('offset', `the period has ${pointCount(all.length)}; give a smaller one`);
    const points = all.slice(offset, offset + limit);
    const next = offset + points.length;
    const isWhole = points.length === all.length;
    const series = { key: seriesKeyText(chosen), title: seriesTitle(chosen) };
    const cut = `points ${offset + 1} to ${next} of ${all.length} are listed${next < all.length ? `; call again with offset ${next}, or run the command for all` : ''}`;
    const answer = {
      series,
      points,
      summary: summaryOf(all),
      coverage: { share: wantedShare(chosen, words), start: all[0]!.start, end: all.at(-1)!.end },
      is_whole: isWhole,
      next_offset: next < all.length ? next : null,
      units: unitCredits(provenance.units),
      sources: sourceCredits(provenance.sources),
      notes: [
        ...nameNotes([chosen]),
        ...unnamedNotes({ key, ...words }, chosen),
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
      heading: headingOf(series.title, answer.summary, answer.coverage),
      rows: points.map((point) => ({ ...point, value: point.value ?? 'none' })),
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

/** Figures of all points; none where they are in several units. */
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
    : [`the points are in several units (${units.join(', ')}); give unit to convert them to one`];
}

/** The series, the number and dates of its points, and its figures. */
function headingOf(
  title: string,
  summary: ReturnType<typeof summaryOf>,
  coverage: { readonly share: number | null; readonly start: string; readonly end: string },
): string {
  const figures = (['min', 'mean', 'max'] as const)
    .filter((name) => summary[name] !== null)
    .map((name) => `${name} ${shownNumber(summary[name])}`);
  const missing = summary.without_value === 0 ? [] : [`${summary.without_value} without a value`];
  return [
    title,
    [`${pointCount(summary.points)} from ${coverage.start} to ${coverage.end}`, ...missing, ...figures].join(
      ', ',
    ),
    ...shareTexts(coverage.share),
  ].join('\n');
}
