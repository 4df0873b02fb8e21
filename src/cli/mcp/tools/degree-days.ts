import * as v from 'valibot';
import { GROWING_FIELDS, TEMPERATURE_SYMBOLS } from '../../../agronomy/degree-days/plan.js';
import type { RegionDegreeDays } from '../../../agronomy/models/growing-degree-days.js';
import { withMeaning } from '../../../model/schema/schemas.js';
import { seriesKeyText } from '../../../model/series.js';
import { nameNotes } from '../../choice/names.js';
import { GDD } from '../../commands/retrieval.js';
import { defineTool, lookUpSources, regionNames } from '../tool.js';

const MAX_REGIONS = 50;

export const DEGREE_DAYS = defineTool({
  name: 'degree_days',
  title: 'Growing degree days',
  description:
    'Compute the growing degree days of regions over a period, both days included, from the daily minimum and maximum temperatures that best cover it. Fails if too few days have both temperatures.',
  input: v.strictObject({
    regions: regionNames(MAX_REGIONS),
    base: withMeaning('base temperature, in the unit below', GROWING_FIELDS.base_temperature),
    cap: v.optional(GROWING_FIELDS.upper_temperature_cap),
    start: GROWING_FIELDS.start_date,
    end: GROWING_FIELDS.end_date,
    unit: v.optional(GROWING_FIELDS.temperature_unit, 'celsius'),
    method: v.optional(GROWING_FIELDS.method, 'average'),
    cutoff: v.optional(GROWING_FIELDS.cutoff),
    coverage: v.optional(GROWING_FIELDS.min_temporal_coverage, 1),
    at_time: v.optional(GROWING_FIELDS.at_time),
  }),
  async run(args, call) {
    const { regions, base, cap, start, end, unit, coverage, ...rule } = args;
    const request = {
      region_name: [...new Set(regions)],
      base_temperature: base,
      upper_temperature_cap: cap,
      start_date: start,
      end_date: end,
      temperature_unit: unit,
      min_temporal_coverage: coverage,
      ...rule,
    };
    const found = await call.client.growingDegreeDays({ ...request, explain: true, signal: call.signal });
    const first = found[0]!;
    const abbreviation = `${TEMPERATURE_SYMBOLS[unit]}·d`;
    const credits = {
      sources: await lookUpSources(
        call,
        found.flatMap(({ tmin_series, tmax_series }) => [tmin_series.source_id, tmax_series.source_id]),
      ),
      notes: [...new Set(found.flatMap(notesOf))],
      command: call.commandLine(GDD, request),
    };
    const rows = found.map((one) => describeDegreeDays(one, abbreviation));
    const { method, cutoff } = first;
    const thresholds = { base: first.base_temperature, cap: first.upper_temperature_cap };
    const upTo = thresholds.cap === null ? '' : `, cap ${thresholds.cap} (${cutoff})`;
    return {
      heading: `Growing degree days: method ${method}, base ${base}${upTo}, ${first.temperature_unit}`,
      table: ['regions', 'region', 'degree_days', 'unit', 'days', 'coverage'],
      structured: {
        regions: rows,
        ...{ method, cutoff, ...thresholds },
        ...credits,
        units: [{ name: `degree days ${unit}`, abbreviation }],
      },
    };
  },
});

function describeDegreeDays(result: RegionDegreeDays, unit: string) {
  return {
    region: result.region_name,
    requested: result.matched.requested,
    degree_days: result.total,
    unit,
    days: result.days,
    days_with_data: result.days_counted,
    coverage: result.coverage,
    tmin_series: seriesKeyText(result.tmin_series),
    tmax_series: seriesKeyText(result.tmax_series),
  };
}

function notesOf({
  region_name,
  matched,
  tmin_series,
  tmax_series,
  notes,
  days,
  days_counted,
}: RegionDegreeDays) {
  const missing = days - days_counted;
  return [
    ...notes.map((note) => `${region_name}: ${note}`),
    ...nameNotes([{ matched: { region: matched } }, tmin_series, tmax_series]),
    ...(missing === 0 ? [] : [`${region_name}: ${missing} of ${days} days have no data and count as 0`]),
  ];
}
