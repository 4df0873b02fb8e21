import { computed, effect, useSignal } from '@preact/signals';
import { cropWeightingOperations, type ExplainedWeights } from '../../agronomy/models/crop-weighting.js';
import { weightYears } from '../../agronomy/models/weight-years.js';
import { weightsFrame } from '../../agronomy/models/weights-frame.js';
import { plotFrame } from '../../charts/frame.js';
import { linesWithValues } from '../../charts/frame-lines.js';
import { headline, measuredBy, upperFirst } from '../../charts/headline.js';
import { plotWeights, weightsHeadline } from '../../charts/weights.js';
import type { LongFrame } from '../../frame/frame.js';
import { isRest } from '../../model/entity.js';
import { groupedBy } from '../../model/grouping.js';
import type { FacetValue } from '../../model/selection.js';
import { ChartFigure } from '../chart/figure.js';
import { FindField, NumberField, Select } from '../controls/fields.js';
import { formatNumber, plural, WRITE } from '../controls/format.js';
import { IdSelect } from '../controls/id-select.js';
import { TickList } from '../controls/tick-list.js';
import { Awaited } from '../controls/waiting.js';
import { type Exported, useExported } from '../export/exported.js';
import { levelText } from '../map/map-data.js';
import { learnNames, nameOf } from '../state/names.js';
import { choose, drag, page, sliceOf, whileShown } from '../state/page.js';
import { resource } from '../state/resource.js';
import { ask } from '../state/service.js';
import { flagsOf, type ViewState } from '../state/view-state.js';
import { WeightMap } from './weight-map.js';

const MAX_CHOICES = 200;
/** All regions, as far as a service lists them: a list that is cut would choose only a part of them. */
const MAX_REGIONS = 10_000;

const settings = sliceOf(({ weights }) => weights);

/** Returns the crops and the metrics of a selection that have data. */
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
const weightChoices = resource(
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
    const listed = regions.filter(hasData).filter(({ name }) => !isRest(name));
    const ids = listed.map(({ id }) => id);
    const known =
      ids.length === 0 ? {} : await ask((client) => client.lookup('regions', ids, { signal }), signal);
    return {
      ...choices,
      // A region and its parts are never weighed together.
      levels: [...groupedBy(listed, ({ id }) => known[id]?.level ?? null)].sort(
        ([, a], [, b]) => b.length - a.length,
      ),
      moreRegions: more.regions,
    };
  },
);

/** The choice of the weighted series: metrics and items of the chosen regions. */
const weightedChoices = resource(
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
  const { crop, metric, regions, from, to } = settings.value;
  if (crop === null || metric === null || regions.length === 0) return null;
  const named = regions.map((id) => ({ id, name: nameOf('region', id) }));
  const names = { crop: nameOf('item', crop), metric: nameOf('metric', metric) };
  return { ...names, regions: named, from, to, at_time: flagsOf({ asof: page.value.asof }).at_time };
});

/** The weights of the chosen regions, and the years whose means they are. */
const weights = resource(weightsRequest, async ({ crop, metric, regions, from, to, at_time }, signal) => {
  const wanted = { item: crop, metric, region_ids: regions.map(({ id }) => id), from, to, signal };
  const { start_date, end_date, ...years } = await ask((client) => weightYears(client, wanted), signal);
  const options = { regions, at_time, start_date, end_date };
  const explained = await ask(
    (client) => cropWeightingOperations(client).explainWeights(crop, metric, { ...options, signal }),
    signal,
  );
  return { explained, years, options };
});

/** The request of the weighted average; null until all of it is chosen. */
const averageRequest = computed(() => {
  const { item, value } = settings.value;
  const [wanted, made] = [weightsRequest.value, weights.loaded.value.value];
  if (wanted === null || made === null || item === null || value === null) return null;
  const { start_date, end_date, ...options } = made.options;
  return {
    weighting_crop_name: wanted.crop,
    weighting_metric_name: wanted.metric,
    weighting_start_date: start_date,
    weighting_end_date: end_date,
    item_name: nameOf('item', item),
    metric_name: nameOf('metric', value),
    min_weight_present: 0.5,
    ...options,
  };
});

/** The weighted average of the chosen item's metric over the chosen regions. */
const weightedAverage = resource(averageRequest, (wanted, signal) =>
  ask((client) => cropWeightingOperations(client).computeCropWeightedAverage({ ...wanted, signal }), signal),
);

/** Returns the weighted series where one is shown, and the weights themselves. */
function exportedWeights(): Exported {
  const average = weightedAverage.loaded.peek().value;
  const [wanted, asked, made] = [averageRequest.peek(), weightsRequest.peek(), weights.loaded.peek().value];
  const table = made === null ? null : weightsFrame(made.explained);
  return {
    title: `${wanted?.item_name ?? ''} weighted by ${asked?.crop ?? ''}`,
    shown: average ?? table,
    whole: average === null ? null : table,
    labels: { shown: average === null ? 'Weights' : 'Weighted series', whole: 'Weights' },
    cited: average ?? table,
    request: null,
    call:
      wanted === null
        ? asked && made
          ? ['explainWeights', asked.crop, asked.metric, made.options]
          : undefined
        : ['computeCropWeightedAverage', wanted],
  };
}

/** Regions weighted by a crop, and the weighted average of their values. */
export function WeightsView() {
  useExported(exportedWeights, [weights.loaded.value.value, weightedAverage.loaded.value.value]);
  return (
    <>
      <Awaited
        resource={weightChoices}
        failure="The crops could not be listed."
        loading="Loading crops and regions"
      >
        {({ items, metrics, levels, moreRegions }) => (
          <>
            <fieldset class="controls">
              <legend class="visually-hidden">How regions are weighted</legend>
              <SettingSelect label="Crop" choices={items} kind="item" field="crop" />
              <SettingSelect label="Weighted by" choices={metrics} kind="metric" field="metric" />
              <Years />
            </fieldset>
            <RegionChoice
              levels={levels}
              more={moreRegions}
              chosen={page.value.weights.regions}
              onChange={(chosen) => setWeights({ regions: chosen })}
            />
          </>
        )}
      </Awaited>
      <WeightChart />
      <WeightedSeries />
    </>
  );
}

function setWeights(change: Partial<ViewState['weights']>): void {
  choose({ weights: { ...page.peek().weights, ...change } });
}

function SettingSelect({
  field,
  ...choice
}: Pick<Parameters<typeof IdSelect>[0], 'label' | 'kind' | 'choices'> & {
  field: 'crop' | 'metric' | 'item' | 'value';
}) {
  const { [field]: id } = page.value.weights;
  return <IdSelect {...choice} id={id} onChange={(chosen) => setWeights({ [field]: chosen })} />;
}

/** Renders the years whose means are the weights. */
function Years() {
  const { from, to } = page.value.weights;
  const years = weights.loaded.value.value?.years;
  return (
    <>
      <NumberField
        label="Mean of"
        value={from ?? years?.first ?? null}
        onChange={(year) => setWeights({ from: year })}
      />
      <NumberField
        label="to"
        value={to ?? years?.last ?? null}
        onChange={(year) => setWeights({ to: year })}
      />
    </>
  );
}

function WeightChart() {
  const { crop, metric, regions } = page.value.weights;
  if (crop === null || metric === null)
    return (
      <p class="notice">Choose a crop and the metric that weights the regions, such as area harvested.</p>
    );
  if (regions.length === 0) return <p class="notice">Choose the regions to weight.</p>;
  return (
    <Awaited resource={weights} failure="The weights could not be computed." loading="Computing the weights">
      {({ explained }) => <DrawnWeights value={explained} />}
    </Awaited>
  );
}

function DrawnWeights({ value }: { value: ExplainedWeights }) {
  const { crop, metric, regions } = page.value.weights;
  const without = value.without_data;
  const table = weightsFrame(value);
  const measured = measuredBy({ metric: nameOf('metric', metric!), item: nameOf('item', crop!) });
  return (
    <>
      <div class="beside">
        <ChartFigure
          parts={[value]}
          make={({ width }) =>
            plotWeights(table, {
              width,
              title: weightsHeadline(table, upperFirst(measured), formatNumber),
              subtitle: chosenOfAll(regions.length),
            })
          }
          emptyText="There is nothing to draw."
        />
        <div>
          <WeightMap weights={value} />
        </div>
      </div>
      {without.length > 0 && (
        <p class="notice">
          {plural(without.length, 'region has', 'regions have')} no data and the weight 0:{' '}
          {without.map(({ name }) => name).join(', ')}.
        </p>
      )}
    </>
  );
}

/** Returns the weighted series in one sentence of its figures, where there is one. */
function averageTitle(table: LongFrame): string {
  const { crop, item, value } = page.peek().weights;
  const region = item === crop ? 'Weighted' : `${nameOf('item', crop!)}-weighted`;
  const names = { item: nameOf('item', item!), region };
  const metric = nameOf('metric', value!);
  return (
    headline(
      linesWithValues(table).map((line) => ({ ...line, ...names })),
      WRITE,
    ) ?? `${region} ${measuredBy({ metric, item: names.item })}`
  );
}

function yearsText(): string {
  const { first, last } = weights.loaded.peek().value!.years;
  return first === last ? String(first) : `${first} to ${last}`;
}

/** `99 of 517 regions`: how many of those with data a chart shows. */
function chosenOfAll(chosen: number): string {
  const { levels = [], moreRegions = 0 } = weightChoices.loaded.value.value ?? {};
  const shown = levels.find(([, regions]) => regions.some(({ id }) => id === page.value.weights.regions[0]));
  const all = (shown?.[1].length ?? 0) + moreRegions;
  return all > chosen ? `${formatNumber(chosen)} of ${plural(all, 'region')}` : plural(chosen, 'region');
}

function WeightedSeries() {
  const { value: choices } = weightedChoices.loaded.value;
  const { regions } = page.value.weights;
  if (regions.length === 0 || choices === null) return null;
  return (
    <section aria-label="The weighted series">
      <h2>The weighted average of</h2>
      <div class="controls">
        <SettingSelect label="Metric" choices={choices.metrics} kind="metric" field="value" />
        <SettingSelect label="Item" choices={choices.items} kind="item" field="item" />
      </div>
      <Awaited
        resource={weightedAverage}
        failure="The weighted series could not be computed."
        loading="Computing the weighted series"
      >
        {(average) => (
          <ChartFigure
            parts={[average]}
            make={(size) =>
              plotFrame(average, {
                ...size,
                title: averageTitle(average),
                subtitle: `${chosenOfAll(regions.length)}, weights of ${yearsText()}; in each period divided by the weight of those with a value`,
              })
            }
            emptyText="The weighted series has no values."
          />
        )}
      </Awaited>
    </section>
  );
}

/** Regions that are chosen by one click: so many still make a link that servers accept. */
const MAX_CHOSEN = 600;

/**
 * Renders the regions to weigh: ticked one by one, or all that a text finds at once; folded where a link has chosen
 * them.
 */
function RegionChoice({
  levels,
  more,
  chosen,
  onChange,
}: {
  levels: readonly (readonly [level: number | null, regions: readonly FacetValue[]])[];
  more: number;
  chosen: readonly number[];
  onChange: (regions: readonly number[]) => void;
}) {
  const text = useSignal('');
  const isOpen = useSignal(chosen.length === 0);
  const level = useSignal<number | null | undefined>(undefined);
  const wanted = text.value.trim().toLowerCase();
  const own = levels.find(([, regions]) => regions.some(({ id }) => chosen.includes(id)));
  const [shownLevel, choices] = levels.find(([one]) => one === level.value) ?? own ?? levels[0] ?? [null, []];
  const rows = choices.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (choices.length === 0) return null;
  const toggle = (id: number) =>
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <details class="known" open={isOpen.value}>
      <summary>
        Regions ({formatNumber(chosen.length)} chosen of {plural(choices.length, 'region')}
        {more > 0 && `, ${formatNumber(more)} more not listed`})
      </summary>
      <div class="controls">
        {levels.length > 1 && (
          <Select
            label="Level"
            value={shownLevel}
            options={levels.map(([one, { length }]) => [one, levelText(one, length)])}
            onChange={(one) => {
              level.value = one;
              onChange([]);
            }}
          />
        )}
        <FindField label="Find" text={text} />
        <button
          type="button"
          disabled={rows.length === 0 || rows.length > MAX_CHOSEN}
          onClick={() => onChange(rows.map(({ id }) => id))}
        >
          {rows.length > MAX_CHOSEN
            ? `${formatNumber(rows.length)} fit: find at most ${MAX_CHOSEN}`
            : `Choose ${more > 0 ? 'the' : 'all'} ${formatNumber(rows.length)} of these${more > 0 ? `; ${formatNumber(more)} more are not listed` : ''}`}
        </button>
        <button type="button" class="quiet" disabled={chosen.length === 0} onClick={() => onChange([])}>
          None
        </button>
      </div>
      <TickList
        rows={rows}
        visibleRows={6}
        label="Regions"
        tickOf={({ id, name }) => ({ name, isTicked: chosen.includes(id), toggle: () => toggle(id) })}
      />
    </details>
  );
}
