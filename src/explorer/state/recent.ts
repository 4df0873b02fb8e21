import { effect } from '@preact/signals';
import { nameOf } from './names.js';
import { page } from './page.js';
import { rememberView } from './preferences.js';
import { printState } from './url.js';
import type { ViewState } from './view-state.js';

/** A selection counts as used when it has been shown for this long. */
const MIN_SHOWN_MS = 4_000;

/** Names the document after the selection, and remembers each one that has been shown for a while. */
export function rememberShown(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const state = page.value;
    clearTimeout(timer);
    document.title = state.series.length === 0 ? 'cropframe' : `${titleOf(state)} · cropframe`;
    if (state.series.length === 0) return;
    timer = setTimeout(() => rememberView({ title: titleOf(state), query: printState(state) }), MIN_SHOWN_MS);
  });
}

/** What a selection is called: what its series have in common, and how many there are. */
export function titleOf({ series }: ViewState): string {
  const distinct = (names: readonly string[]) => [...new Set(names)];
  const metrics = distinct(series.map(({ metric_id }) => nameOf('metric', metric_id)));
  const items = distinct(series.map(({ item_id }) => nameOf('item', item_id)));
  const regions = distinct(series.map(({ region_id }) => nameOf('region', region_id)));
  return [metrics, items, regions].map(inFewWords).join(' · ');
}

function inFewWords(names: readonly string[]): string {
  return names.length <= 2 ? names.join(', ') : `${names[0]} and ${names.length - 1} more`;
}
