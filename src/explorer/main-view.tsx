import type { ComponentType } from 'preact';
import { ChartView } from './chart/chart-view.js';
import { Lazy } from './parts/lazy.js';
import { Tabs } from './parts/tabs.js';
import { choose, page } from './state/page.js';
import type { View } from './state/view-state.js';

const TABS = [
  { id: 'chart', label: 'Chart' },
  { id: 'table', label: 'Table' },
  { id: 'map', label: 'Map' },
  { id: 'revisions', label: 'Revisions' },
  { id: 'degree-days', label: 'Degree days' },
  { id: 'weights', label: 'Weights' },
] as const;

/** The panels that are loaded when they are first shown. */
const LOADERS: Readonly<Record<Exclude<View, 'chart'>, () => Promise<ComponentType>>> = {
  table: () => import('./table/table-view.js').then(({ TableView }) => TableView),
  map: () => import('./map/map-view.js').then(({ MapView }) => MapView),
  revisions: () => import('./revisions/revisions-view.js').then(({ RevisionsView }) => RevisionsView),
  'degree-days': () =>
    import('./degree-days/degree-days-view.js').then(({ DegreeDaysView }) => DegreeDaysView),
  weights: () => import('./weights/weights-view.js').then(({ WeightsView }) => WeightsView),
};

/** The figure of the chosen series, in one of several forms. */
export function MainView() {
  const { view } = page.value;
  return (
    <main id="main" class="main" tabIndex={-1}>
      <Tabs label="Views" tabs={TABS} selected={view} onSelect={(id) => choose({ view: id })}>
        {view === 'chart' ? <ChartView /> : <Lazy key={view} load={LOADERS[view]} />}
      </Tabs>
    </main>
  );
}
