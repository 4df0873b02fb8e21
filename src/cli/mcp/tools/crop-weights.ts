import * as v from 'valibot';
import type { ExplainedWeights } from '../../../agronomy/models/crop-weighting.js';
import { FIELDS } from '../../../model/schema/fields.js';
import { withMeaning } from '../../../model/schema/schemas.js';
import { seriesKeyText } from '../../../model/series.js';
import { nameNotes } from '../../choice/names.js';
import { DF } from '../../commands/retrieval.js';
import {
  COMPUTED_UNITS,
  CREDITS,
  defineTool,
  lookUpSources,
  RETRIEVAL_INPUT,
  regionNames,
  shownNumber,
} from '../tool.js';

const MAX_REGIONS = 200;

/** Weights of regions by a crop. */
export const CROP_WEIGHTS = defineTool({
  name: 'crop_weights',
  title: 'Crop weights',
  description:
    'Compute one weight for each region: the mean over time of a metric of a crop there, as a share of the sum over the regions. A region without data weighs 0, and the answer says so.',
  input: v.strictObject({
    crop: withMeaning('the crop by name, such as corn', FIELDS.item),
    metric: v.optional(withMeaning('its metric by name', FIELDS.metric), 'area harvested'),
    regions: regionNames(MAX_REGIONS),
    ...RETRIEVAL_INPUT,
  }),
  output: v.object({
    regions: v.array(
      v.object({
        region: v.string(),
        weight: withMeaning('share from 0 to 1; the shares sum to 1', v.number()),
        series: withMeaning('the series that it is the mean of', v.nullable(v.string())),
        has_data: v.boolean(),
      }),
    ),
    coverage: withMeaning('share of the regions that have data', v.number()),
    ...CREDITS,
    units: COMPUTED_UNITS,
    command: withMeaning('the command for the figures whose means are the weights', v.string()),
    code: withMeaning('TypeScript that repeats the weights', v.string()),
  }),
  async run({ crop, metric, regions: names, start, end, at_time }, call) {
    const period = { start_date: start, end_date: end, at_time };
    const options = { regions: names, ...period, signal: call.signal };
    const found = await call.client.explainWeights(crop, metric, options);
    const chosen = found.series.filter((series) => series !== null);
    const keys = [...new Set(chosen.map(seriesKeyText))];
    const regions = describe(found);
    const answer = {
      regions,
      coverage: 1 - found.without_data.length / found.regions.length,
      sources: await lookUpSources(
        call,
        chosen.map(({ source_id }) => source_id),
      ),
      notes: [
        ...nameNotes([...chosen, ...found.regions.map(({ matched }) => ({ matched: { region: matched } }))]),
        ...found.without_data.map(({ name }) => `${name} has no data, and weighs 0`),
      ],
      command: call.commandLine(DF, { series: keys, ...period }),
      units: [{ name: 'share', abbreviation: '' }],
      code: `await client.explainWeights(${[crop, metric, { regions: names, ...period }].map((one) => JSON.stringify(one)).join(', ')})`,
    };
    const rows = regions.map(({ region, weight, series }) => ({
      region,
      weight: shownNumber(weight),
      series: series ?? 'no data',
    }));
    const heading = `Weights by ${metric} of ${crop}: shares that sum to 1`;
    return { heading, rows, structured: answer, more: `In TypeScript: ${answer.code}` };
  },
});

function describe({ regions, weights, series, without_data }: ExplainedWeights) {
  const absent = new Set(without_data.map(({ id }) => id));
  return regions.map(({ id, name }, at) => {
    const chosen = series[at] ?? null;
    return {
      region: name,
      weight: weights[at]!,
      series: chosen === null ? null : seriesKeyText(chosen),
      has_data: !absent.has(id),
    };
  });
}
