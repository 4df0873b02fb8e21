import * as z from 'zod';
import {
  CUTOFFS,
  DEGREE_DAY_METHODS,
  GROWING_FIELDS,
  TEMPERATURE_SYMBOLS,
  TEMPERATURE_UNITS,
} from '../../../agronomy/degree-days/plan.js';
import type { RegionDegreeDays } from '../../../agronomy/models/growing-degree-days.js';
import { seriesKeyText } from '../../../model/series.js';
import { nameNotes } from '../../choice/names.js';
import { answerText, type Credits, lookUpSources, shownNumber, shownShare } from '../credits.js';
import { ARGUMENTS, COMPUTED_UNITS, CREDITS, day, defineTool, flags, REGION_NAME } from '../tool.js';

const MAX_REGIONS = 50;

/** Growing degree days of regions over a period. */
export const DEGREE_DAYS = defineTool({
  name: 'degree_days',
  title: 'Growing degree days',
  description:
    'Compute the growing degree days of regions over a period, both days included, from the daily minimum and maximum temperatures that cover it best. Refuses when too few days have both temperatures.',
  input: z.strictObject({
    regions: z.array(REGION_NAME).min(1).max(MAX_REGIONS).describe('regions by name'),
    base: z.number().describe(`${GROWING_FIELDS.base_temperature.meaning}, in the unit below`),
    cap: z.number().nullable().optional().describe(GROWING_FIELDS.upper_temperature_cap.meaning!),
    start: day(GROWING_FIELDS.start_date).unwrap(),
    end: day(GROWING_FIELDS.end_date).unwrap(),
    unit: z.enum(TEMPERATURE_UNITS).default('celsius').describe(GROWING_FIELDS.temperature_unit.meaning!),
    method: z.enum(DEGREE_DAY_METHODS).default('average'),
    cutoff: z.enum(CUTOFFS).optional().describe(GROWING_FIELDS.cutoff.meaning!),
    coverage: z.number().min(0).max(1).default(1).describe(GROWING_FIELDS.min_temporal_coverage.meaning!),
    at_time: ARGUMENTS.at_time,
  }),
  output: z.object({
    regions: z.array(
      z.object({
        region: z.string(),
        asked: z.string(),
        degree_days: z.number(),
        unit: z.string(),
        days: z.number(),
        days_with_data: z.number(),
        coverage: z.number().describe('share of days with both temperatures'),
        tmin_series: z.string(),
        tmax_series: z.string(),
      }),
    ),
    method: z.string(),
    cutoff: z.string(),
    base: z.number(),
    cap: z.number().nullable(),
    ...CREDITS,
    units: COMPUTED_UNITS,
  }),
  async run(args, call) {
    const { regions, base, cap, start, end, unit, method, cutoff, coverage, at_time } = args;
    const found = await call.client.growingDegreeDays({
      region_name: regions,
      base_temperature: base,
      upper_temperature_cap: cap,
      start_date: start,
      end_date: end,
      temperature_unit: unit,
      method,
      cutoff,
      min_temporal_coverage: coverage,
      at_time,
      explain: true,
      signal: call.signal,
    });
    const first = found[0]!;
    const abbreviation = `${TEMPERATURE_SYMBOLS[unit]}·d`;
    const options = {
      base,
      cap: cap ?? undefined,
      start,
      end,
      unit,
      method,
      cutoff,
      coverage,
      'at-time': at_time,
    };
    const credits = {
      sources: await lookUpSources(
        call,
        found.flatMap(({ tmin_series, tmax_series }) => [tmin_series.source_id, tmax_series.source_id]),
      ),
      notes: [...new Set(found.flatMap(notesOf))],
      command: call.commandLine('gdd', ...regions.flatMap((name) => ['--region', name]), ...flags(options)),
    };
    const rows = found.map((one) => describe(one, abbreviation));
    return {
      text: textOf(rows, first, credits),
      structured: {
        regions: rows,
        method: first.method,
        cutoff: first.cutoff,
        base: first.base,
        cap: first.cap,
        ...credits,
        units: [{ name: `degree days ${unit}`, abbreviation }],
      },
    };
  },
});

function describe(one: RegionDegreeDays, unit: string) {
  return {
    region: one.region_name,
    asked: one.taken.asked,
    degree_days: one.total,
    unit,
    days: one.days,
    days_with_data: one.days_counted,
    coverage: one.coverage,
    tmin_series: seriesKeyText(one.tmin_series),
    tmax_series: seriesKeyText(one.tmax_series),
  };
}

function notesOf({
  region_name,
  taken,
  tmin_series,
  tmax_series,
  notes,
  days,
  days_counted,
}: RegionDegreeDays) {
  const missing = days - days_counted;
  return [
    ...notes.map((note) => `${region_name}: ${note}`),
    ...nameNotes([{ taken: { region: taken } }, tmin_series, tmax_series]),
    ...(missing === 0 ? [] : [`${region_name}: ${missing} of ${days} days have no data and count 0`]),
  ];
}

function textOf(
  rows: readonly ReturnType<typeof describe>[],
  { method, cutoff, base, cap, temperature_unit }: RegionDegreeDays,
  credits: Credits,
): string {
  const upTo = cap === null ? '' : `, cap ${cap} (${cutoff})`;
  const heading = `Growing degree days: method ${method}, base ${base}${upTo}, ${temperature_unit}`;
  const columns = ['region', 'degree days', 'unit', 'days', 'covered'].map((title) => ({ title }));
  const cells = rows.map((row) => [
    row.region,
    shownNumber(row.degree_days),
    row.unit,
    String(row.days),
    shownShare(row.coverage),
  ]);
  return answerText({ heading, columns, rows: cells }, credits);
}
