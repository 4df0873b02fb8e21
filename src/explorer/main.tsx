import { effect } from '@preact/signals';
import { render } from 'preact';
import { App, EmbeddedFigure, viewTitle } from './app.js';
import { askFacetsEarly } from './find/facets.js';
import { proposeFirstView } from './find/stories.js';
import { type EntityKind, nameOf, namesOf } from './state/names.js';
import { followLink, isEmbedded, page } from './state/page.js';
import { preload } from './state/points.js';
import type { ViewState } from './state/view-state.js';

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
