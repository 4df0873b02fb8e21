import { effect } from '@preact/signals';
import { type ComponentType, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { upperFirst } from '../model/names/first-letter.js';
import { announcement } from './controls/announce.js';
import { CopyText } from './controls/copy-text.js';
import { countText } from './controls/format.js';
import { isOffline, isWide } from './controls/media.js';
import { moveFocus } from './controls/tick-list.js';
import { Lazy, OFFLINE } from './controls/waiting.js';
import { ExportBar } from './export/export-bar.js';
import { askFacetsEarly } from './find/facets.js';
import { Nav, PickReport, SearchFields } from './find/nav.js';
import { isEmptyStore, proposeFirstView, stories } from './find/stories.js';
import { LoginDialog } from './login-dialog.js';
import { type EntityKind, nameOf, namesOf, seriesName } from './state/names.js';
import { choose, currentAddress, followLink, isEmbedded, page } from './state/page.js';
import { points, preload } from './state/points.js';
import { resource } from './state/resource.js';
import { login, token } from './state/service.js';
import {
  EMPTY_STATE,
  printState,
  VIEWS,
  type View,
  type ViewState,
  WITHOUT_SERIES,
} from './state/view-state.js';

function App() {
  return (
    <>
      <Header />
      <div class="columns">
        <Nav />
        <main id="main" class="main" tabIndex={-1}>
          <PickReport />
          <Stories />
          <Tabs />
        </main>
      </div>
      <ExportBar />
      <p class="printed-address">{currentAddress()}</p>
      <LoginDialog />
      <div class="visually-hidden" role="status" aria-live="polite">
        {announcement.value}
      </div>
    </>
  );
}

const SKIPS = {
  'the views': '[role=tab][aria-selected=true]',
  'the figure': '[role=application], .table-box',
};

/** Renders buttons that move the focus past the choices. They are at the start of the page and after the search. */
function SkipButtons() {
  return Object.entries(SKIPS).map(([name, selector]) => (
    <button
      key={name}
      type="button"
      class="skip"
      onClick={() =>
        document.querySelector<HTMLElement>(`#main:not(:has(${selector})), #main :is(${selector})`)?.focus()
      }
    >
      Skip to {name}
    </button>
  ));
}

/** Renders the name and the login. On narrow screens, the “Find” dialog contains the search and the as-of date. */
function Header() {
  return (
    <header class="header">
      <SkipButtons />
      <h1 class="brand">
        <a href="./">cropframe</a>
      </h1>
      {isWide.value && [<SearchFields key="search" />, <SkipButtons key="skip" />]}
      <button
        type="button"
        class="quiet login-button"
        onClick={() => {
          if (token.value !== null) token.value = null;
          else login.value = 'Log in to see the data that your account gives access to.';
        }}
      >
        {token.value === null ? 'Log in' : 'Log out'}
      </button>
      {isOffline.value && (
        <p class="notice" role="status">
          {OFFLINE}
        </p>
      )}
    </header>
  );
}

function EmbeddedFigure() {
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

const storeName = resource(
  () => isEmptyStore.value || null,
  async (_, signal) => {
    const answer = await fetch('./', { headers: { accept: 'application/json' }, signal });
    const { data } = (await answer.json()) as { data: { store: string | null } };
    return data.store;
  },
);

function EmptyStore() {
  const store = storeName.loaded.value.value ?? 'farm.duckdb';
  return (
    <section class="notice">
      <h2>This store has no data yet</h2>
      <p>
        Stop the service, import a public file (or the demo data, to try things out), then start the service
        again:
      </p>
      <CopyText label="Commands" text={importCommands(store)} />
    </section>
  );
}

const importCommands = (store: string) => `npx cropframe import nass qs.crops.txt.gz --store "${store}"
npx cropframe import demo --store "${store}"
npx cropframe import --list`;

const LOADS: Readonly<Record<View, () => Promise<ComponentType>>> = {
  chart: () => import('./chart/chart-view.js').then(({ ChartView }) => ChartView),
  table: () => import('./controls/value-table.js').then(({ TableView }) => TableView),
  map: () => import('./map/map-view.js').then(({ MapView }) => MapView),
  revisions: () => import('./revisions/revisions-view.js').then(({ RevisionsView }) => RevisionsView),
  'degree-days': () => import('./degree-days/degree-days-view.js').then((view) => view.DegreeDaysView),
  weights: () => import('./weights/weights-view.js').then(({ WeightsView }) => WeightsView),
};

const viewTitle = (view: View) => upperFirst(view).replace('-', ' ');

/** Renders tabs above the view. The arrow keys move between tabs and select them. */
function Tabs() {
  const { view } = page.value;
  const row = useRef<HTMLDivElement>(null);
  // Scrolls the selected tab to the centre if the row of tabs is wider than the screen.
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (tab != null)
      row.current!.scrollLeft = tab.offsetLeft - (row.current!.clientWidth - tab.clientWidth) / 2;
  }, [view]);
  const move = (event: KeyboardEvent) => {
    const to = moveFocus(event, ['ArrowRight', 'ArrowLeft']);
    if (to !== undefined) choose({ view: VIEWS[to]! });
  };
  return (
    <>
      <div ref={row} class="tabs" role="tablist" aria-label="Views" onKeyDown={move}>
        {VIEWS.map((id) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === view}
            aria-controls={`panel-${id}`}
            tabIndex={id === view ? 0 : -1}
            onClick={() => choose({ view: id })}
          >
            {viewTitle(id)}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id={`panel-${view}`} aria-labelledby={`tab-${view}`}>
        <Panel />
      </div>
    </>
  );
}

function Panel() {
  const { view, series } = page.value;
  if (series.length === 0 && isEmptyStore.value) return <EmptyStore />;
  if (series.length === 0 && !WITHOUT_SERIES.includes(view))
    return (
      <p class="notice">
        No series is chosen. Search for a metric, an item or a region above, or tick values in the lists. The
        page then draws the matching series that have the most data.
      </p>
    );
  return (
    <>
      {(view === 'chart' || view === 'table') && <Problems />}
      <Lazy key={view} load={LOADS[view]} />
    </>
  );
}

/** Lists the series that could not be fetched and the series without points. All other series are drawn. */
function Problems() {
  const report = points.loaded.value.value?.report ?? [];
  const failed = report.filter(({ outcome }) => outcome === 'failed');
  const empty = report.filter(({ outcome }) => outcome === 'empty');
  return (
    <>
      {failed.length > 0 && (
        <div class="notice failure" role="alert">
          <p>
            {countText(failed.length, 'series', 'series')} could not be fetched; the rest are shown:{' '}
            {failed.map(({ series, reason }) => `${seriesName(series)} (${reason})`).join('; ')}
          </p>
          <button type="button" onClick={points.retry}>
            Try again
          </button>
        </div>
      )}
      {/* If no series has points, the view says so. */}
      {empty.length > 0 && empty.length < report.length && (
        <p class="notice">
          {countText(empty.length, 'series has', 'series have')} no points
          {page.value.asof === null ? '' : ` as of ${page.value.asof}`}:{' '}
          {empty.map(({ series }) => seriesName(series)).join('; ')}
        </p>
      )}
    </>
  );
}

function Stories() {
  if (stories.value.length < 2) return null;
  const shown = printState(page.value);
  if (!stories.value.some(({ state }) => printState({ ...EMPTY_STATE, ...state }) === shown)) return null;
  return (
    <nav class="stories" aria-label="Suggested views">
      {stories.value.map(({ title, state }) => (
        <button key={title} type="button" onClick={() => choose({ ...EMPTY_STATE, ...state })}>
          {title}
        </button>
      ))}
    </nav>
  );
}

const place = document.getElementById('page')!;
followLink();
if (isEmbedded) render(<EmbeddedFigure />, place);
else {
  askFacetsEarly();
  effect(() => {
    document.title = [...shownNames(page.value), 'cropframe'].join(' · ');
  });
  render(<App />, place);
  void proposeFirstView();
}
preload();

/** Returns the parts of the page title: the view, unless it is the chart, and the names of the chosen entities. */
function shownNames({ view, series: [first], degreeDays, weights }: ViewState): readonly string[] {
  const named = (kind: EntityKind, id: number | null) => (id === null ? [] : [nameOf(kind, id)]);
  const title = view === 'chart' ? [] : [viewTitle(view)];
  if (view === 'degree-days') return [...title, ...named('region', degreeDays.station)];
  if (view === 'weights')
    return [...title, ...named('item', weights.crop), ...named('metric', weights.metric)];
  // A map shows all regions.
  return [...title, ...(first ? namesOf(first).slice(0, view === 'map' ? 2 : 3) : [])];
}
