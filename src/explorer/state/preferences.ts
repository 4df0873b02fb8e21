import { effect, signal } from '@preact/signals';
import { isSystemDark } from '../controls/media.js';
import { nameOf } from './names.js';
import { page } from './page.js';
import { printState, type ViewState } from './view-state.js';

/** Returns a signal that is saved in local storage if possible. A stored value that `isValue` rejects is ignored. */
function createStoredSignal<Value>(key: string, initial: Value, isValue: (read: unknown) => read is Value) {
  const name = `cropframe.${key}`;
  const held = signal<Value>(initial);
  try {
    const read: unknown = JSON.parse(localStorage.getItem(name) ?? 'null');
    if (isValue(read)) held.value = read;
  } catch {
    // A value that cannot be parsed is ignored.
  }
  effect(() => {
    const text = JSON.stringify(held.value);
    try {
      localStorage.setItem(name, text);
    } catch {
      // The storage may be full or unavailable.
    }
  });
  return held;
}

interface SavedView {
  readonly title: string;
  readonly query: string;
}

const isViewList = (read: unknown): read is readonly SavedView[] =>
  Array.isArray(read) &&
  read.every((one) => typeof one?.title === 'string' && typeof one?.query === 'string');

/** The theme that the user chose. `system` follows the operating system. */
export const themeChoice = createStoredSignal<'system' | 'light' | 'dark'>(
  'theme',
  'system',
  (read) => read === 'system' || read === 'light' || read === 'dark',
);

/** Whether single keys act as shortcuts (WCAG 2.1.4). */
export const hasShortcuts = createStoredSignal('shortcuts', true, (read) => typeof read === 'boolean');

/** The most recently used views, newest first. */
export const recentViews = createStoredSignal<readonly SavedView[]>('recent', [], isViewList);

export const savedViews = createStoredSignal<readonly SavedView[]>('saved', [], isViewList);

const MAX_RECENT = 8;

/** Puts the current view first in a list, and removes other views with the same title. */
export function withCurrentView(views: readonly SavedView[]): readonly SavedView[] {
  const state = page.peek();
  const view = { title: titleOf(state), query: printState(state) };
  return [view, ...views.filter(({ title }) => title !== view.title)];
}

export function currentTheme(): 'light' | 'dark' {
  return themeChoice.value === 'system' ? (isSystemDark.value ? 'dark' : 'light') : themeChoice.value;
}

export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = currentTheme();
  });
}

/** A view counts as used once it has been displayed for this long. */
const MIN_SHOWN_MS = 4_000;

/** Keeps the document title up to date, and records views that are displayed for a while. */
export function rememberShown(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const state = page.value;
    clearTimeout(timer);
    document.title = state.series.length === 0 ? 'cropframe' : `${titleOf(state)} · cropframe`;
    if (state.series.length === 0) return;
    timer = setTimeout(() => {
      recentViews.value = withCurrentView(recentViews.peek()).slice(0, MAX_RECENT);
    }, MIN_SHOWN_MS);
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
