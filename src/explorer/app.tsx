import type { ComponentType } from 'preact';
import { ChartView } from './chart/chart-view.js';
import { announcement } from './controls/announce.js';
import { Tabs } from './controls/tabs.js';
import { Lazy } from './controls/waiting.js';
import { ExportBar } from './export/export-bar.js';
import { Nav } from './find/nav.js';
import { Header } from './header.js';
import { LoginDialog } from './login-dialog.js';
import { Shortcuts } from './shortcuts.js';
import { choose, currentAddress, page } from './state/page.js';
import type { View } from './state/view-state.js';

/** The page. */
export function App() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the figure
      </a>
      <a class="skip" href="#search">
        Skip to the search
      </a>
      <Header />
      <div class="columns">
        <Nav />
        <MainView />
      </div>
      <ExportBar />
      <PrintedAddress />
      <LoginDialog />
      <Shortcuts />
      <div class="visually-hidden" role="status" aria-live="polite">
        {announcement.value}
      </div>
    </>
  );
}

/** A figure for a frame of another page, without its controls. */
export function EmbeddedFigure() {
  const { view } = page.value;
  return (
    <main class="embedded">
      {view === 'chart' ? <ChartView /> : <Lazy key={view} load={LOADERS[view]} />}
      <p class="quiet-text">
        <a href={currentAddress()} target="_blank" rel="noopener">
          Open in cropframe
        </a>
      </p>
      <LoginDialog />
    </main>
  );
}

/** Where the page can be had again, on paper. */
function PrintedAddress() {
  page.value;
  return <p class="printed-address">{currentAddress()}</p>;
}

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
