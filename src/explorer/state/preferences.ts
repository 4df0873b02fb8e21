import { effect } from '@preact/signals';
import { isSystemDark } from '../controls/media.js';
import { nameOf } from './names.js';
import { page } from './page.js';
import { storedSignal } from './stored-signal.js';
import type { ViewState } from './view-state.js';

/** The theme that the user chose. `system` follows the operating system. */
export const themeChoice = storedSignal<'system' | 'light' | 'dark'>('theme', {
  initial: 'system',
  isValue: (read) => read === 'system' || read === 'light' || read === 'dark',
});

/** Whether single keys act as shortcuts (WCAG 2.1.4). */
export const hasShortcuts = storedSignal('shortcuts', {
  initial: true,
  isValue: (read) => typeof read === 'boolean',
});

export function currentTheme(): 'light' | 'dark' {
  return themeChoice.value === 'system' ? (isSystemDark.value ? 'dark' : 'light') : themeChoice.value;
}

export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = currentTheme();
  });
}

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
