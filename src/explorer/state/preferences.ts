import { effect, signal } from '@preact/signals';

/** Light or dark as the user chose, or as the system is. */
export type ThemeChoice = 'system' | 'light' | 'dark';

/** A signal whose value this browser keeps. Where it keeps nothing, the value lasts as long as the page. */
function kept<Value>(key: string, initial: Value, isValue: (read: unknown) => read is Value) {
  const name = `cropframe.${key}`;
  const held = signal<Value>(initial);
  try {
    const read: unknown = JSON.parse(localStorage.getItem(name) ?? 'null');
    if (isValue(read)) held.value = read;
  } catch {
    // What was kept cannot be read: the page begins anew.
  }
  effect(() => {
    const text = JSON.stringify(held.value);
    try {
      localStorage.setItem(name, text);
    } catch {
      // A full or closed storage keeps nothing.
    }
  });
  return held;
}

/** A selection that can be opened again. */
export interface KeptView {
  readonly title: string;
  /** The query of its link. */
  readonly query: string;
}

const isKeptViews = (read: unknown): read is readonly KeptView[] =>
  Array.isArray(read) &&
  read.every((one) => typeof one?.title === 'string' && typeof one?.query === 'string');

/** The theme that the user chose. */
export const themeChoice = kept<ThemeChoice>('theme', 'system', (read): read is ThemeChoice =>
  ['system', 'light', 'dark'].includes(read as string),
);

/** Whether single keys are shortcuts (WCAG 2.1.4). */
export const hasShortcuts = kept<boolean>('shortcuts', true, (read) => typeof read === 'boolean');

/** The latest selections, newest first. */
export const recentViews = kept<readonly KeptView[]>('recent', [], isKeptViews);

/** The selections that the user saved. */
export const savedViews = kept<readonly KeptView[]>('saved', [], isKeptViews);

const MAX_RECENT = 8;

/** Remembers a selection as the newest. */
export function rememberView(view: KeptView): void {
  const others = recentViews.peek().filter(({ title }) => title !== view.title);
  recentViews.value = [view, ...others].slice(0, MAX_RECENT);
}

/** Keeps a selection until it is removed; one of the same name is replaced. */
export function saveView(view: KeptView): void {
  savedViews.value = [view, ...savedViews.peek().filter(({ title }) => title !== view.title)];
}

/** Removes a saved selection. */
export function removeView(view: KeptView): void {
  savedViews.value = savedViews.peek().filter((one) => one !== view);
}

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = signal<'light' | 'dark'>(systemIsDark.matches ? 'dark' : 'light');
systemIsDark.addEventListener('change', ({ matches }) => {
  systemTheme.value = matches ? 'dark' : 'light';
});

/** The theme in which the page is drawn. */
export function shownTheme(): 'light' | 'dark' {
  return themeChoice.value === 'system' ? systemTheme.value : themeChoice.value;
}

/** Sets the theme of the document whenever it changes. */
export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = shownTheme();
  });
}
