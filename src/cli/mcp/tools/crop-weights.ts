import * as v from 'valibot';
import type { ExplainedWeights } from '../../../agronomy/models/crop-weighting.js';
import { FIELDS } from '../../../model/schema/fields.js';
import { withMeaning } from '../../../model/schema/schemas.js';
import { seriesKeyText } from '../../../model/series.js';
import { nameNotes } from '../../choice/names.js';
import { DF } from '../../commands/retrieval.js';
import { defineTool, lookUpSources, RETRIEVAL_INPUT, regionNames } from '../tool.js';

const MAX_REGIONS = 200;

export const CROP_WEIGHTS = defineTool({
  name: 'crop_weights',
  title: 'Crop weights',
  description:
    'Compute one weight per region: the mean over time of a metric for a crop in the region, as a share of the sum over all regions. A region without data has the weight 0, and the result says so.',
  input: v.strictObject({
    crop: withMeaning('the crop by name, such as corn', FIELDS.item),
    metric: v.optional(withMeaning('its metric by name', FIELDS.metric), 'area harvested'),
    regions: regionNames(MAX_REGIONS),
    ...RETRIEVAL_INPUT,
  }),
  async run({ crop, metric, regions: names, start, end, at_time }, call) {
    const period = { start_date: start, end_date: end, at_time };
    const options = { regions: names, ...period, signal: call.signal };
    const found = await call.client.explainWeights(crop, metric, options);
    const chosen = found.series.filter((series) => series !== null);
    const keys = [...new Set(chosen.map(seriesKeyText))];
    const regions = listWeights(found);
    const answer = {
      regions,
      coverage: 1 - found.without_data.length / found.regions.length,
      sources: await lookUpSources(
        call,
        chosen.map(({ source_id }) => source_id),
      ),
      notes: [
        ...nameNotes([...chosen, ...found.regions.map(({ matched }) => ({ matched: { region: matched } }))]),
        ...found.without_data.map(({ name }) => `${name} has no data, so its weight is 0`),
      ],
      command: call.commandLine(DF, { series: keys, ...period }),
      units: [{ name: 'share', abbreviation: '' }],
      code: `await client.explainWeights(${[crop, metric, { regions: names, ...period }].map((one) => JSON.stringify(one)).join(', ')})`,
    };
    return {
      heading: `Weights by ${metric} of ${crop}: shares that sum to 1`,
      table: ['regions', 'region', 'weight', 'has_data', 'series'],
      structured: answer,
      more: `In TypeScript: ${answer.code}`,
    };
  },
});

function listWeights({ regions, weights, series, without_data }: ExplainedWeights) {
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
