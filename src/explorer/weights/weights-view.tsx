import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { cropWeightingOperations } from '../../agronomy/models/crop-weighting.js';
import { namesById, weightsById } from '../../agronomy/models/weights-by-id.js';
import { plotFrame } from '../../charts/frame.js';
import { linesWithValues } from '../../charts/frame-lines.js';
import { headline, measureName } from '../../charts/headline.js';
import { yearsText } from '../../charts/lines.js';
import { drawWeights, readWeights, weightsHeadline } from '../../charts/weights.js';
import { isRest } from '../../model/entity.js';
import { lowerFirst, upperFirst } from '../../model/names/first-letter.js';
import type { FacetValue, Selection } from '../../model/selection.js';
import { ChartFigure } from '../chart/figure.js';
import { countText, WRITE } from '../controls/format.js';
import { isWide } from '../controls/media.js';
import { TickList } from '../controls/tick-list.js';
import { TableBelow } from '../controls/value-table.js';
import {
  Field,
  IdSelect,
  type Levels,
  levelsOf,
  NumberField,
  useLevel,
  ViewControls,
} from '../controls/view-controls.js';
import { Awaited } from '../controls/waiting.js';
import { type Exported, useHeld, viewExport } from '../export/exported.js';
import { countSeries, lookUp } from '../state/names.js';
import { bindSetting, choose, drag, page, whileShown } from '../state/page.js';
import { resource } from '../state/resource.js';
import { ask } from '../state/service.js';
import { toClientOptions, toggled } from '../state/view-state.js';
import type { ViewTable } from '../table/series-table.js';

const MAX_CHOICES = 200;
/** The maximum number of regions that a service lists. With a lower limit, “all regions” would be incomplete. */
const MAX_REGIONS = 10_000;

async function choicesOf(selection: Selection, signal?: AbortSignal) {
  const wanted = { in: ['items', 'metrics'] as const, limit: MAX_CHOICES, signal };
  const { items, metrics } = await countSeries(selection, wanted);
  return { items: items.filter(hasData), metrics: metrics.filter(hasData) };
}

/** Matches the names of metrics that can serve as weights. Items with data for such a metric are offered as crops. */
const WEIGHING = /^(area|production)\b/i;
const hasData = ({ series }: FacetValue) => series > 0;

const weightChoices = resource(
  whileShown('weights', () => {
    const { crop, metric } = page.value.weights;
    return { crop, metric };
  }),
  async ({ crop, metric }, signal) => {
    const all = await countSeries({}, { in: 'metrics', limit: MAX_CHOICES, signal });
    const weighing = all.metrics.filter(({ name }) => WEIGHING.test(name)).map(({ id }) => id);
    const selection = { item_id: crop ?? undefined, metric_id: metric ?? weighing };
    const [{ items, metrics }, { regions }] = await Promise.all([
      choicesOf(selection, signal),
      crop !== null && metric !== null
        ? countSeries(selection, { in: 'regions', limit: MAX_REGIONS, signal })
        : { regions: [] },
    ]);
    const listed = regions.filter((one) => hasData(one) && !isRest(one.name));
    const ids = listed.map(({ id }) => id);
    const known = await lookUp('region', ids, signal);
    const levels = levelsOf(listed, ({ id }) => known[id]?.level ?? null);
    return { items, metrics: metrics.filter(({ id }) => weighing.includes(id)), levels };
  },
);

/** The metrics and items for which the chosen regions have data, and whose values can therefore be averaged. */
const weightedChoices = resource(
  whileShown('weights', () => {
    const { regions, value } = page.value.weights;
    return regions.length > 0 ? { regions, value } : null;
  }),
  ({ regions, value }, signal) => choicesOf({ region_id: regions, metric_id: value ?? undefined }, signal),
);

const weights = resource(
  whileShown('weights', () => {
    const { crop, metric, regions, from, to } = page.value.weights;
    if (crop === null || metric === null || regions.length === 0) return null;
    return { crop, metric, regions, from, to, ...toClientOptions({ asof: page.value.asof }) };
  }),
  async (wanted, signal) => {
    const made = await ask((client) => weightsById(client, { ...wanted, signal }));
    return { ...made, call: ['explainWeights', made.names.item, made.names.metric, made.options] as const };
  },
);

type Weights = NonNullable<typeof weights.loaded.value.value>;

const weightedAverage = resource(
  () => {
    const { item, value } = page.value.weights;
    const made = weights.loaded.value.value;
    if (made === null || item === null || value === null) return null;
    const { names: weighting, options, years } = made;
    return { item, value, weighting, options, years };
  },
  async ({ item, value, weighting, options, years }, signal) => {
    const names = await ask((client) => namesById(client, { item, metric: value, signal }));
    const { start_date, end_date, ...others } = options;
    const wanted = {
      ...{ weighting_crop_name: weighting.item, weighting_metric_name: weighting.metric },
      ...{ weighting_start_date: start_date, weighting_end_date: end_date },
      ...{ item_name: names.item, metric_name: names.metric, min_weight_present: 0.5, ...others },
    };
    const table = await ask((client) =>
      cropWeightingOperations(client).computeCropWeightedAverage({ ...wanted, signal }),
    );
    const by = names.item === weighting.item ? lowerFirst(weighting.metric) : measureName(weighting);
    const weighted = `${measureName(names)}, weighted by ${by}`;
    // The item, unlike the metric, does not determine how a headline aggregates daily values.
    const own = { item: weighted, metric: names.metric.replace(/, .*/, ''), region: '' };
    const lines = linesWithValues(table).map((line) => ({ ...line, ...own }));
    // If no headline can be made from the values, the title contains only names.
    const title = headline(lines, WRITE) ?? upperFirst(weighted);
    return { table, title, weighted, years, call: ['computeCropWeightedAverage', wanted] as const };
  },
);

function exportWeights(): Exported {
  const [average, made] = [weightedAverage.loaded.peek().value, weights.loaded.peek().value];
  const years = made && yearsText(made.years);
  const title = made && `weights ${measureName(made.names)} ${years}`;
  const parts = [
    average && { label: 'Weighted series', title: `${average.weighted} ${years}`, points: average.table },
    made && { label: 'Weights', title: title!, points: made.table, table: () => weightTable(made) },
  ];
  return { parts: parts.filter((part) => part !== null), request: null, call: average?.call ?? made?.call };
}

function weightTable({ table, names }: Pick<Weights, 'table' | 'names'>): ViewTable {
  const read = readWeights(table);
  const fullName = `Weight by ${measureName(names)}, mean of ${read.years}`;
  return {
    columns: [{ name: 'Region' }, { name: 'Weight', fullName, unit: '%', figures: read.figures }],
    rows: read.weights.map(({ label, weight }) => [label, 100 * weight]),
  };
}

/** Whether the page has chosen the regions. If so, the list of regions is collapsed. */
const isProposed = signal(false);

/** Preselects crop, weight and regions from the chart. A metric that cannot serve as a weight is averaged instead. */
async function takeFromChart(choices: NonNullable<typeof weightChoices.loaded.value.value>): Promise<void> {
  const { items, metrics, levels } = choices;
  const { weights: chosen, series } = page.peek();
  const [first] = series;
  if (first === undefined || chosen.regions.length > 0) return;
  const { item_id: crop, metric_id, region_id } = first;
  if (chosen.crop === null && items.some(({ id }) => id === crop)) {
    const isWeight = metrics.some(({ id }) => id === metric_id);
    const area = metrics.find(({ name }) => /^area harvested$/i.test(name)) ?? metrics[0];
    drag({ weights: { ...chosen, crop, metric: isWeight ? metric_id : (area?.id ?? null) } });
  }
  if (chosen.crop !== crop || levels.length === 0) return;
  const within = await ask((one) => one.getDescendant('regions', region_id, { include_details: false }));
  const ids = new Set(within.map(({ id }) => id));
  const ofLevels = levels.map(([, regions]) => regions.filter(({ id }) => ids.has(id)));
  const parts = (ofLevels.find(({ length }) => length > 1) ?? []).map(({ id }) => id);
  if (parts.length === 0 || parts.length > MAX_CHOSEN) return;
  const averaged = await choicesOf({ item_id: crop, region_id: parts });
  const { weights: now } = page.peek();
  const isAveraged = metric_id !== now.metric && averaged.metrics.some(({ id }) => id === metric_id);
  const own = { ...now, regions: parts, ...(isAveraged && { item: crop, value: metric_id }) };
  if (now.regions.length === 0) drag({ weights: own });
  isProposed.value = page.peek().weights.regions.length > 0;
}

export function WeightsView() {
  const choices = weightChoices.loaded.value.value;
  useEffect(() => {
    if (choices !== null) void takeFromChart(choices);
  }, [choices, page.value.series]);
  const [first, last] = weights.loaded.value.value?.years ?? [null, null];
  const { weights: chosen } = page.value;
  const [from, to] = [chosen.from ?? first, chosen.to ?? last];
  // Choosing one year also fixes the other, because its default would change too.
  const chooseYears = (change: Partial<typeof chosen>) =>
    choose({ weights: { ...page.peek().weights, from, to, ...change } });
  const [crop, metric] = [bindSetting('weights', 'crop'), bindSetting('weights', 'metric')];
  useHeld(viewExport, exportWeights, [weights.loaded.value.value, weightedAverage.loaded.value.value]);
  return (
    <>
      <Awaited
        resource={weightChoices}
        failure="The crops could not be listed."
        loading="Loading crops and regions"
      >
        {({ items, metrics, levels }) => (
          <>
            <ViewControls
              more={
                <>
                  <NumberField label="Mean of" value={from} onChange={(from) => chooseYears({ from })} />
                  <NumberField label="to" value={to} onChange={(to) => chooseYears({ to })} />
                </>
              }
            >
              <IdSelect label="Crop" choices={items} kind="item" {...crop} />
              <IdSelect label="Weighted by" choices={metrics} kind="metric" {...metric} />
            </ViewControls>
            <RegionChoice levels={levels} />
          </>
        )}
      </Awaited>
      <WeightChart />
      <WeightedSeries />
    </>
  );
}

function WeightChart() {
  const { crop, metric, regions } = page.value.weights;
  const choices = weightChoices.loaded.value.value;
  if (choices?.items.length === 0 || choices?.metrics.length === 0)
    return (
      <p class="notice">
        {crop === null
          ? 'This service has no area or production to weight regions by. Import such data, such as “nass” or “psd”.'
          : 'This crop has no area or production to weight regions by. Choose another crop.'}
      </p>
    );
  if (crop === null || metric === null)
    return (
      <p class="notice">
        Choose a crop, and a metric to weight the regions by, such as area harvested
        {!isWide.value && ' (“Weighted by” is under “More”)'}.
      </p>
    );
  if (regions.length === 0) return <p class="notice">Choose the regions to weight.</p>;
  return (
    <Awaited resource={weights} failure="The weights could not be computed." loading="Computing the weights">
      {({ explained, table, names }) => (
        <>
          <ChartFigure
            parts={[table]}
            make={({ width }) => {
              const title = weightsHeadline(table, upperFirst(measureName(names)), WRITE);
              return drawWeights(
                table,
                { width, title, subtitle: countText(regions.length, 'region') },
                WRITE,
              );
            }}
          />
          {explained.without_data.length > 0 && (
            <p class="notice">
              {countText(explained.without_data.length, 'region has', 'regions have')} no data, so the weight
              is 0: {explained.without_data.map(({ name }) => name).join(', ')}.
            </p>
          )}
          <TableBelow {...weightTable({ table, names })} />
        </>
      )}
    </Awaited>
  );
}

function WeightedSeries() {
  const { value: choices } = weightedChoices.loaded.value;
  const [value, item] = [bindSetting('weights', 'value'), bindSetting('weights', 'item')];
  const { regions } = page.value.weights;
  if (regions.length === 0 || choices === null) return null;
  return (
    <section aria-label="The weighted series">
      <h2>The weighted average of</h2>
      <div class="controls">
        <IdSelect label="Metric" choices={choices.metrics} kind="metric" {...value} />
        <IdSelect label="Item" choices={choices.items} kind="item" {...item} />
      </div>
      <Awaited
        resource={weightedAverage}
        failure="The weighted series could not be computed."
        loading="Computing the weighted series"
      >
        {({ table, title, years }) => (
          <ChartFigure
            parts={[table]}
            make={(size) =>
              plotFrame(table, {
                ...size,
                title,
                subtitle: `${countText(regions.length, 'region')}, weights of ${yearsText(years)}; each period's sum is divided by the weight of the regions with a value`,
              })
            }
            emptyText="The weighted series has no values."
          />
        )}
      </Awaited>
    </section>
  );
}

/** The maximum number of regions that one click can choose. With more, the link could be too long for servers. */
const MAX_CHOSEN = 600;

/** Renders a list to choose single regions or all that match a search. Initially collapsed if regions are chosen. */
function RegionChoice({ levels }: { levels: Levels<FacetValue> }) {
  const { value: chosen, onChange } = bindSetting('weights', 'regions');
  const text = useSignal('');
  const isOpen = useSignal(chosen.length === 0);
  const wanted = text.value.trim().toLowerCase();
  const { regions: choices, select: levelSelect } = useLevel(levels, (regions) =>
    regions.some(({ id }) => chosen.includes(id)),
  );
  // Choosing a region deselects those of other levels; otherwise, a region and its parts would both count.
  const ofLevel = chosen.filter((id) => choices.some((one) => one.id === id));
  const isOfOther = ofLevel.length < chosen.length;
  const rows = choices.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (choices.length === 0) return null;
  return (
    <details class="known" open={isOpen.value && !isProposed.value}>
      <summary>
        Regions ({WRITE.number(chosen.length)} chosen {isOfOther ? 'at another level; listed: ' : 'of '}
        {countText(choices.length, 'region')})
      </summary>
      <div class="controls">
        {levelSelect}
        <Field label="Find">
          <input type="search" onInput={(event) => (text.value = event.currentTarget.value)} />
        </Field>
        {rows.length === 0 || rows.length > MAX_CHOSEN ? (
          <span class="quiet-text">{`${countText(rows.length, 'region')} match; up to ${MAX_CHOSEN} can be chosen`}</span>
        ) : (
          <button type="button" onClick={() => onChange(rows.map(({ id }) => id))}>
            Choose all {WRITE.number(rows.length)} of these
          </button>
        )}
        <button type="button" class="quiet" disabled={chosen.length === 0} onClick={() => onChange([])}>
          None
        </button>
      </div>
      <TickList
        rows={rows}
        label="Regions"
        tickOf={({ id, name }) => ({
          name,
          isTicked: ofLevel.includes(id),
          toggle: () => onChange(toggled(ofLevel, id)),
        })}
      />
    </details>
  );
}
