import { useSignal } from '@preact/signals';
import type { ExplainedWeights } from '../../agronomy/models/crop-weighting.js';
import { weightsFrame } from '../../agronomy/models/result-frames.js';
import { plotFrame } from '../../charts/frame.js';
import { linesWithValues } from '../../charts/frame-lines.js';
import { headline, measuredBy, upperFirst } from '../../charts/headline.js';
import { plotWeights, weightsHeadline } from '../../charts/weights.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import type { FacetValue } from '../../model/selection.js';
import { ChartFigure } from '../chart/figure.js';
import { FindField } from '../controls/fields.js';
import { formatNumber, plural, WRITE } from '../controls/format.js';
import { IdSelect } from '../controls/id-select.js';
import { TickList } from '../controls/tick-list.js';
import { Awaited } from '../controls/waiting.js';
import { useExported } from '../export/exported.js';
import { nameOf } from '../state/names.js';
import { choose, page } from '../state/page.js';
import type { ViewState } from '../state/view-state.js';
import { WeightMap } from './weight-map.js';
import { exportedWeights, weightChoices, weightedAverage, weightedChoices, weights } from './weights-data.js';

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
        {({ items, metrics, regions, moreRegions }) => (
          <>
            <fieldset class="controls">
              <legend class="visually-hidden">How regions are weighted</legend>
              <SettingSelect label="Crop" choices={items} kind="item" field="crop" />
              <SettingSelect label="Weighted by" choices={metrics} kind="metric" field="metric" />
            </fieldset>
            <RegionChoice
              choices={regions}
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

function WeightChart() {
  const { crop, metric, regions } = page.value.weights;
  if (crop === null || metric === null)
    return (
      <p class="notice">Choose a crop and the metric that weights the regions, such as area harvested.</p>
    );
  if (regions.length === 0) return <p class="notice">Choose the regions to weight.</p>;
  return (
    <Awaited resource={weights} failure="The weights could not be computed." loading="Computing the weights">
      {(explained) => <DrawnWeights value={explained} />}
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
          parts={[JSON.stringify([crop, metric, regions, value.weights])]}
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

/** The weighted series in one sentence of its figures, where there is one. */
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

/** `99 of 517 regions`: how many of those with data a chart shows. */
function chosenOfAll(chosen: number): string {
  const { regions = [], moreRegions = 0 } = weightChoices.loaded.value.value ?? {};
  const all = regions.length + moreRegions;
  return all > chosen ? `${formatNumber(chosen)} of ${plural(all, 'region')}` : plural(chosen, 'region');
}

function WeightedSeries() {
  const { value: choices } = weightedChoices.loaded.value;
  const { regions, item, value: metric, crop } = page.value.weights;
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
            parts={[JSON.stringify([crop, regions, item, metric, average.numRows])]}
            make={(size) =>
              plotFrame(average, {
                ...size,
                title: averageTitle(average),
                subtitle: `${chosenOfAll(regions.length)}; in each period divided by the weight of those with a value`,
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

/** The regions to weigh: ticked one by one, or all that a text finds at once; folded where a link has chosen them. */
export function RegionChoice({
  choices,
  more,
  chosen,
  onChange,
}: {
  choices: readonly FacetValue[];
  more: number;
  chosen: readonly number[];
  onChange: (regions: readonly number[]) => void;
}) {
  const text = useSignal('');
  const isOpen = useSignal(chosen.length === 0);
  const wanted = text.value.trim().toLowerCase();
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
