import { computed, effect } from '@preact/signals';
import { cropWeightingOperations, type ExplainedWeights } from '../../agronomy/models/crop-weighting.js';
import { weightsFrame } from '../../agronomy/models/result-frames.js';
import { isRest } from '../../model/entity.js';
import type { FacetValue } from '../../model/selection.js';
import { clientProgram, literal } from '../export/code.js';
import type { Exported } from '../export/exported.js';
import { learnNames, nameOf } from '../state/names.js';
import { drag, page, sliceOf, whileShown } from '../state/page.js';
import { resource } from '../state/resource.js';
import { ask, host } from '../state/service.js';
import { flagsOf } from '../state/view-state.js';

const MAX_CHOICES = 200;
/** All regions, as far as a service lists them: a list that is cut would choose only a part of them. */
const MAX_REGIONS = 10_000;

const settings = sliceOf(({ weights }) => weights);

/** The crops and the metrics of a selection that have data. */
async function choicesOf(selection: object, signal: AbortSignal) {
  const found = await ask(
    (client) => client.facets(selection, { in: ['items', 'metrics'], limit: MAX_CHOICES, signal }),
    signal,
  );
  learnNames('item', found.items);
  learnNames('metric', found.metrics);
  return { items: found.items.filter(hasData), metrics: found.metrics.filter(hasData) };
}

const hasData = ({ series }: FacetValue) => series > 0;

/** Crops, metrics of the chosen crop, and regions that have both. */
export const weightChoices = resource(
  whileShown('weights', () => ({ crop: settings.value.crop, metric: settings.value.metric })),
  async ({ crop, metric }, signal) => {
    const selection = { item_id: crop ?? undefined, metric_id: metric ?? undefined };
    const isChosen = crop !== null && metric !== null;
    const [choices, { regions, more }] = await Promise.all([
      choicesOf(selection, signal),
      isChosen
        ? ask((client) => client.facets(selection, { in: 'regions', limit: MAX_REGIONS, signal }), signal)
        : { regions: [], more: { regions: 0 } },
    ]);
    learnNames('region', regions);
    return {
      ...choices,
      regions: regions.filter(hasData).filter(({ name }) => !isRest(name)),
      moreRegions: more.regions,
    };
  },
);

/** The choice of the weighted series: metrics and items of the chosen regions. */
export const weightedChoices = resource(
  whileShown('weights', () => {
    const { regions, value } = settings.value;
    return regions.length > 0 ? { regions, value } : null;
  }),
  ({ regions, value }, signal) => choicesOf({ region_id: regions, metric_id: value ?? undefined }, signal),
);

// Nobody is asked to choose the only one of some choices.
effect(() => {
  if (page.value.view !== 'weights') return;
  const { items = [], metrics = [] } = weightChoices.loaded.value.value ?? {};
  const weighted = weightedChoices.loaded.value.value;
  const chosen = settings.value;
  const only = (choices: readonly FacetValue[] = []) => (choices.length === 1 ? choices[0]!.id : null);
  const completed = {
    ...chosen,
    crop: chosen.crop ?? only(items),
    metric: chosen.metric ?? only(metrics),
    item: chosen.item ?? only(weighted?.items),
    value: chosen.value ?? only(weighted?.metrics),
  };
  if (JSON.stringify(completed) !== JSON.stringify(chosen)) drag({ weights: completed });
});

/** The request of the weights; null until all of it is chosen. */
const weightsRequest = whileShown('weights', () => {
  const { crop, metric, regions } = settings.value;
  if (crop === null || metric === null || regions.length === 0) return null;
  return {
    crop: nameOf('item', crop),
    metric: nameOf('metric', metric),
    options: {
      regions: regions.map((id) => ({ id, name: nameOf('region', id) })),
      ...flagsOf({ asof: page.value.asof }),
    },
  };
});

/** The weights of the chosen regions. */
export const weights = resource(
  weightsRequest,
  ({ crop, metric, options }, signal): Promise<ExplainedWeights> =>
    ask(
      (client) => cropWeightingOperations(client).explainWeights(crop, metric, { ...options, signal }),
      signal,
    ),
);

/** The request of the weighted average; null until all of it is chosen. */
const averageRequest = computed(() => {
  const { item, value } = settings.value;
  const wanted = weightsRequest.value;
  if (wanted === null || item === null || value === null) return null;
  return {
    weighting_crop_name: wanted.crop,
    weighting_metric_name: wanted.metric,
    item_name: nameOf('item', item),
    metric_name: nameOf('metric', value),
    ...wanted.options,
  };
});

/** The weighted average of the chosen item's metric over the chosen regions. */
export const weightedAverage = resource(averageRequest, (wanted, signal) =>
  ask((client) => cropWeightingOperations(client).computeCropWeightedAverage({ ...wanted, signal }), signal),
);

/** The weighted series where one is shown, and the weights themselves. */
export function exportedWeights(): Exported {
  const average = weightedAverage.loaded.peek().value;
  const explained = weights.loaded.peek().value;
  const table = explained === null ? null : weightsFrame(explained);
  return {
    title: `${averageRequest.peek()?.item_name ?? ''} weighted by ${weightsRequest.peek()?.crop ?? ''}`,
    shown: average ?? table,
    whole: average === null ? null : table,
    labels: { shown: average === null ? 'Weights' : 'Weighted series', whole: 'Weights' },
    cited: average ?? table,
    request: null,
    typescript: programOf(),
  };
}

function programOf(): string {
  const [average, asked] = [averageRequest.peek(), weightsRequest.peek()];
  if (asked === null) return '';
  const call =
    average === null
      ? `explainWeights(${literal(asked.crop)}, ${literal(asked.metric)}, ${literal(asked.options)})`
      : `computeCropWeightedAverage(${literal(average)})`;
  return clientProgram(host, { body: [`console.log(await client.${call});`] });
}
