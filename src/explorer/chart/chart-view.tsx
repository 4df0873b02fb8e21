import { useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { plural } from '../parts/format.js';
import { Lazy } from '../parts/lazy.js';
import { Loading } from '../parts/loading.js';
import { useIsVeryWide } from '../parts/use-is-wide.js';
import { AsOfSlider } from '../revisions/as-of-slider.js';
import { seriesName } from '../state/names.js';
import { page } from '../state/page.js';
import { emptySeries, failedSeries, points } from '../state/points.js';
import { shown } from '../state/shown.js';
import { ChartControls } from './chart-controls.js';
import { Figure } from './figure.js';
import { RangeControl } from './range-control.js';

/** The chosen series over time. */
export function ChartView() {
  const { value, error, isLoading } = shown.value;
  useEffect(loadDrawing, []);
  if (page.value.series.length === 0) return <NothingChosen />;
  return (
    <>
      <ChartControls />
      <Problems />
      {error !== null && <Failure error={error} what="The chart cannot be drawn." onRetry={points.retry} />}
      {value === null && isLoading && <Loading what="Loading the points" onCancel={points.cancel} />}
      {value !== null &&
        (value.lines.length === 0 ? (
          <NoValues />
        ) : (
          <Panes>
            <Figure shown={value} isStale={isLoading} />
          </Panes>
        ))}
      {value?.extent != null && <RangeControl extent={value.extent} />}
      <WhatWasKnown />
    </>
  );
}

/** Loads what draws while the points are on their way. A failure is told where a chart is to be drawn. */
export function loadDrawing(): void {
  const ignore = () => {};
  for (const part of [
    import('./drawing.js'),
    import('vega'),
    import('vega-lite'),
    import('vega-interpreter'),
  ])
    part.catch(ignore);
  import('../series/shown-frame.js').catch(ignore);
}

const loadTable = () =>
  import('../table/period-table.js').then(({ PeriodTable }): ComponentType => PeriodTable);

/** The chart, and its table beside it where there is room for both. */
function Panes({ children }: { children: ComponentChildren }) {
  const isVeryWide = useIsVeryWide();
  return (
    <div class={isVeryWide ? 'panes' : ''}>
      {children}
      {isVeryWide && (
        <div>
          <Lazy load={loadTable} />
        </div>
      )}
    </div>
  );
}

/** The slider over vintages, which asks for every vintage when it is opened. */
function WhatWasKnown() {
  const isOpen = useSignal(page.peek().asof !== null);
  return (
    <details
      class="known"
      open={isOpen.value}
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
    >
      <summary>What was known when</summary>
      {isOpen.value && <AsOfSlider />}
    </details>
  );
}

/** What to do on a page without series. */
export function NothingChosen() {
  return (
    <p class="notice">
      No series is chosen. Search for a metric, an item or a region above, or tick values in the lists: the
      best covered series are drawn at once.
    </p>
  );
}

/** What to do where the chosen series have no values on the chosen dates. */
function NoValues() {
  const { asof, from, to } = page.value;
  if (asof !== null)
    return (
      <p class="notice">Nothing was known yet on {asof}. Choose a later date, or empty “As known on”.</p>
    );
  const where = from === null && to === null ? '' : ' on these dates; widen the range below';
  return <p class="notice">The chosen series have no values{where}.</p>;
}

/** The series that could not be fetched, and those without points. The others are drawn. */
export function Problems() {
  const failed = failedSeries.value;
  const empty = emptySeries.value;
  return (
    <>
      {failed.length > 0 && (
        <div class="notice failure" role="alert">
          <p>
            {plural(failed.length, 'series', 'series')} could not be fetched, and the others are shown:{' '}
            {failed.map(({ series, reason }) => `${seriesName(series)} (${reason})`).join('; ')}
          </p>
          <button type="button" onClick={points.retry}>
            Try again
          </button>
        </div>
      )}
      {empty.length > 0 && (
        <p class="notice">
          {plural(empty.length, 'series has', 'series have')} no points
          {page.value.asof === null ? '' : ` as known on ${page.value.asof}`}:{' '}
          {empty.map(({ series }) => seriesName(series)).join('; ')}
        </p>
      )}
    </>
  );
}
