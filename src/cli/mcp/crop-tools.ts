import { GROWING_FIELDS, TEMPERATURE_SYMBOLS } from '../../agronomy/degree-days/plan.js';
import type { RegionDegreeDays } from '../../agronomy/models/growing-degree-days.js';
import { required } from '../../model/schema/check.js';
import { FIELDS } from '../../model/schema/fields.js';
import { TEXT, withMeaning } from '../../model/schema/schemas.js';
import { seriesKeyText } from '../../model/series.js';
import { describeRule } from '../actions/models.js';
import { nameNotes } from '../choice/names.js';
import { DF, GDD } from '../commands/retrieval.js';
import { defineTool, listUpTo, lookUpSources } from './tool.js';

const MAX_DEGREE_DAY_REGIONS = 50;
const MAX_WEIGHTED_REGIONS = 200;

const regionNames = (max: number) => required(withMeaning('regions by name', listUpTo(max, TEXT)));

export const DEGREE_DAYS = defineTool({
  name: 'degree_days',
  title: 'Growing degree days',
  description:
    'Compute the growing degree days of regions over a period, both days included, from the daily minimum and maximum temperatures that best cover it. Fails if too few days have both temperatures.',
  takes: { region_name: regionNames(MAX_DEGREE_DAY_REGIONS), ...GROWING_FIELDS },
  async run(args, call) {
    const request = { ...args, region_name: [...new Set(args.region_name)] };
    const found = await call.client.growingDegreeDays({ ...request, explain: true, signal: call.signal });
    const { temperature_unit } = found[0]!;
    const unit = `${TEMPERATURE_SYMBOLS[temperature_unit]}·d`;
    return {
      heading: `Growing degree days: ${describeRule(found[0]!)}`,
      table: ['regions', 'region_name', 'total', 'unit', 'days', 'coverage'],
      structured: {
        regions: found.map(({ daily: _, accumulated: __, tmin_series, tmax_series, ...result }) => ({
          ...result,
          unit,
          tmin_series: seriesKeyText(tmin_series),
          tmax_series: seriesKeyText(tmax_series),
        })),
        units: [{ name: `degree days ${temperature_unit}`, abbreviation: unit }],
        sources: await lookUpSources(
          call,
          found.flatMap(({ tmin_series, tmax_series }) => [tmin_series.source_id, tmax_series.source_id]),
        ),
        notes: [...new Set(found.flatMap(degreeDayNotes))],
        command: call.commandLine(GDD, request),
      },
    };
  },
});

function degreeDayNotes(result: RegionDegreeDays): string[] {
  const { region_name, matched, tmin_series, tmax_series, days } = result;
  const missing = days - result.days_counted;
  return [
    ...result.notes.map((note) => `${region_name}: ${note}`),
    ...nameNotes([{ matched: { region: matched } }, tmin_series, tmax_series]),
    ...(missing === 0 ? [] : [`${region_name}: ${missing} of ${days} days have no data and count as 0`]),
  ];
}

export const CROP_WEIGHTS = defineTool({
  name: 'crop_weights',
  title: 'Crop weights',
  description:
    'Compute one weight per region: the mean over time of a metric for a crop in the region, as a share of the sum over all regions. A region without data has the weight 0, and the result says so.',
  takes: {
    crop: required(withMeaning('the crop by name, such as corn', FIELDS.item)),
    metric: withMeaning('its metric by name (default: area harvested)', FIELDS.metric),
    regions: regionNames(MAX_WEIGHTED_REGIONS),
    start_date: FIELDS.start_date,
    end_date: FIELDS.end_date,
    at_time: FIELDS.at_time,
  },
  async run({ crop, metric = 'area harvested', ...options }, call) {
    const { regions: _, ...period } = options;
    const found = await call.client.explainWeights(crop, metric, { ...options, signal: call.signal });
    const { regions, without_data } = found;
    const chosen = found.series.filter((series) => series !== null);
    const code = `await client.explainWeights(${[crop, metric, options].map((one) => JSON.stringify(one)).join(', ')})`;
    return {
      heading: `Weights by ${metric} of ${crop}: shares that sum to 1`,
      table: ['regions', 'region', 'weight', 'has_data', 'series'],
      structured: {
        regions: regions.map(({ id, name }, at) => ({
          region: name,
          weight: found.weights[at]!,
          series: found.series[at] ? seriesKeyText(found.series[at]) : null,
          has_data: !without_data.some((region) => region.id === id),
        })),
        coverage: 1 - without_data.length / regions.length,
        units: [{ name: 'share', abbreviation: '' }],
        sources: await lookUpSources(
          call,
          chosen.map(({ source_id }) => source_id),
        ),
        notes: [
          ...nameNotes([...chosen, ...regions.map(({ matched }) => ({ matched: { region: matched } }))]),
          ...without_data.map(({ name }) => `${name} has no data, so its weight is 0`),
        ],
        command: call.commandLine(DF, { series: [...new Set(chosen.map(seriesKeyText))], ...period }),
        code,
      },
      more: `In TypeScript: ${code}`,
    };
  },
});
