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
import { VIEWS, type View } from './state/view-state.js';

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
  return (
    <main class="embedded">
      <Panel />
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

/** How the panels are loaded that are when they are first shown. */
const LOADS: Readonly<Record<Exclude<View, 'chart'>, () => Promise<ComponentType>>> = {
  table: () => import('./table/table-view.js').then(({ TableView }) => TableView),
  map: () => import('./map/map-view.js').then(({ MapView }) => MapView),
  revisions: () => import('./revisions/revisions-view.js').then(({ RevisionsView }) => RevisionsView),
  'degree-days': () => import('./degree-days/degree-days-view.js').then((view) => view.DegreeDaysView),
  weights: () => import('./weights/weights-view.js').then(({ WeightsView }) => WeightsView),
};
const TABS = VIEWS.map((id) => ({ id, label: id[0]!.toUpperCase() + id.slice(1).replace('-', ' ') }));

function Panel() {
  const { view } = page.value;
  return view === 'chart' ? <ChartView /> : <Lazy key={view} load={LOADS[view]} />;
}

/** The figure of the chosen series, in one of several forms. */
function MainView() {
  return (
    <main id="main" class="main" tabIndex={-1}>
      <Tabs label="Views" tabs={TABS} selected={page.value.view} onSelect={(id) => choose({ view: id })}>
        <Panel />
      </Tabs>
    </main>
  );
}
