import { batch, computed, signal } from '@preact/signals';
import {
  EMPTY_STATE,
  parseState,
  printState,
  type View,
  type ViewState,
  withUnused,
  withValue,
} from './view-state.js';

/** The page state that a link restores. Change it only with `choose` and `drag`. */
export const page = signal<ViewState>(EMPTY_STATE);
/** Whether the page is embedded in another page. If so, the state is in the URL fragment. */
export const isEmbedded = globalThis.location?.pathname.endsWith('/embed') === true;
/** Problems found in the most recently followed link. Cleared once the user makes a choice. */
export const linkProblems = signal<readonly string[]>([]);

const link = computed(() => {
  const query = printState(page.value);
  return query === '' ? './' : `./?${query}`;
});

/** Returns the absolute URL that restores the page, for copying and citing. */
export function currentAddress(): string {
  return new URL(link.peek(), document.baseURI).href;
}

/** A drag updates the URL after this delay, because browsers reject more than about 100 updates in 30 seconds. */
const ADDRESS_WAIT_MS = 250;
let addressTimer: ReturnType<typeof setTimeout> | undefined;

/** Writes the state into the URL after a drag, and ends the drag. */
function settleAddress(): void {
  if (addressTimer === undefined) return;
  clearTimeout(addressTimer);
  addressTimer = undefined;
  if (!isEmbedded) history.replaceState(null, '', link.peek());
  isDragged.value = false;
}

/** Changes the state and adds a history entry, so that the browser's back button undoes the change. */
export function choose(change: Partial<ViewState>): void {
  settleAddress();
  linkProblems.value = [];
  const before = link.peek();
  page.value = { ...page.peek(), ...change };
  if (link.peek() !== before && !isEmbedded) history.pushState(null, '', link.peek());
}

/** Returns `value` and `onChange` for a form field that edits one part of the state. */
export function bindState<Key extends keyof ViewState>(key: Key) {
  return { value: page.value[key], onChange: (value: ViewState[Key]) => choose({ [key]: value }) };
}

/** Returns the properties of a form field that edits a setting of the degree-day view or the weights view. */
export function bindSetting<Of extends 'degreeDays' | 'weights', Key extends keyof ViewState[Of]>(
  of: Of,
  key: Key,
) {
  const change = (value: ViewState[Of][Key]) => choose(withValue(page.peek(), [of, String(key)], value));
  return { value: page.value[of][key], onChange: change };
}

/** Whether the user is dragging a date or a date range. Charts are thinned until the drag ends. */
export const isDragged = signal(false);

/** Changes the state without a history entry, while the user drags a control or types in it. */
export function drag(change: Partial<ViewState>): void {
  batch(() => {
    if ('from' in change || 'to' in change || 'asof' in change) isDragged.value = true;
    page.value = { ...page.peek(), ...change };
  });
  clearTimeout(addressTimer);
  addressTimer = setTimeout(settleAddress, ADDRESS_WAIT_MS);
}

/** Reads the state from the URL, now and whenever the user navigates in the browser. */
export function followLink(): void {
  const read = () => {
    clearTimeout(addressTimer);
    addressTimer = undefined;
    isDragged.value = false;
    const { state, problems } = parseState(isEmbedded ? location.hash.slice(1) : location.search);
    // A link omits the choices for other views, so the page keeps its own choices for these.
    page.value = withUnused(state, page.peek());
    linkProblems.value = problems;
  };
  read();
  addEventListener('popstate', read);
  if (isEmbedded) addEventListener('hashchange', read);
}

/** Returns a function that computes a view's request key. While another view is shown, it returns the previous key. */
export function whileShown<Key>(view: View, key: () => Key | null): () => Key | null {
  let held: Key | null = null;
  return () => {
    if (page.value.view === view) held = key();
    return held;
  };
}
