import { effect } from '@preact/signals';
import { nameOf } from './names.js';
import { page } from './page.js';
import type { ViewState } from './view-state.js';

/** Keeps the document title, which bookmarks and the browser's history show, up to date. */
export function followTitle(): void {
  effect(() => {
    const state = page.value;
    document.title = state.series.length === 0 ? 'cropframe' : `${titleOf(state)} · cropframe`;
  });
}

/** Returns a view's title: the distinct metrics, items and regions of its series. */
export function titleOf({ series }: ViewState): string {
  const texts = (['metric', 'item', 'region'] as const).map((kind) => {
    const names = [...new Set(series.map((key) => nameOf(kind, key[`${kind}_id`])))];
    return names.length <= 2 ? names.join(', ') : `${names[0]} and ${names.length - 1} more`;
  });
  return texts.join(' · ');
}
