import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { parseState, printState } from './url.js';
import { EMPTY_STATE, type View, type ViewState, withValue } from './view-state.js';

/** All of the page that a link restores. Change it by `choose` and `drag` alone. */
export const page = signal<ViewState>(EMPTY_STATE);

/** Whether the page is a figure in a frame of another page: its link is then behind `#`. */
export const isEmbedded = globalThis.location?.pathname.endsWith('/embed') === true;

/** The unreadable parts of the link, one sentence each. */
export const linkProblems = signal<readonly string[]>([]);

/** The link of the page, relative to its folder. */
const link = computed(() => {
  const query = printState(page.value);
  return query === '' ? './' : `./?${query}`;
});

/** Returns the whole address that restores the page, to be copied and cited. */
export function currentAddress(): string {
  return new URL(link.peek(), document.baseURI).href;
}

/** Browsers refuse more than about a hundred changes of the address in half a minute. */
const ADDRESS_WAIT_MS = 250;
let addressTimer: ReturnType<typeof setTimeout> | undefined;

/** Writes the dragged value into the address. */
function settleAddress(): void {
  if (addressTimer === undefined) return;
  clearTimeout(addressTimer);
  addressTimer = undefined;
  if (!isEmbedded) history.replaceState(null, '', link.peek());
  isDragged.value = false;
}

/** Changes the page by a choice: going back in the browser undoes it. */
export function choose(change: Partial<ViewState>): void {
  settleAddress();
  if (apply(change) && !isEmbedded) history.pushState(null, '', link.peek());
}

/** Returns a part of the page as a control has it: its value, and what chooses another one. */
export function bound<Key extends keyof ViewState>(key: Key) {
  return {
    value: page.value[key],
    onChange: (value: ViewState[Key]) => choose({ [key]: value }),
  };
}

/** Returns the same of a part of the choices of a view. */
export function boundIn<Of extends 'degreeDays' | 'weights', Key extends keyof ViewState[Of]>(
  of: Of,
  key: Key,
) {
  return {
    value: page.value[of][key],
    onChange: (value: ViewState[Of][Key]) => choose(withValue(page.peek(), [of, String(key)], value)),
  };
}

/** Whether a date or a range is dragged: it is drawn exactly once it rests. */
export const isDragged = signal(false);

/** Changes the page while a control is dragged or typed in: going back does not pass through it. */
export function drag(change: Partial<ViewState>): void {
  batch(() => {
    if ('from' in change || 'to' in change || 'asof' in change) isDragged.value = true;
    apply(change);
  });
  clearTimeout(addressTimer);
  addressTimer = setTimeout(settleAddress, ADDRESS_WAIT_MS);
}

function apply(change: Partial<ViewState>): boolean {
  const before = printState(page.peek());
  page.value = { ...page.peek(), ...change };
  return printState(page.peek()) !== before;
}

/** Reads the link of the browser, now and whenever the user goes back or forward. */
export function followLink(): void {
  const read = () => {
    clearTimeout(addressTimer);
    addressTimer = undefined;
    isDragged.value = false;
    const { state, problems } = parseState(isEmbedded ? location.hash.slice(1) : location.search);
    page.value = state;
    linkProblems.value = problems;
  };
  read();
  addEventListener('popstate', read);
  if (isEmbedded) addEventListener('hashchange', read);
}

/** Returns a part of the state as a separate signal, which changes only when its text does. */
export function sliceOf<Value>(select: (state: ViewState) => Value) {
  let held: { text: string; value: Value } | undefined;
  return computed(() => {
    const value = select(page.value);
    const text = JSON.stringify(value);
    if (held?.text !== text) held = { text, value };
    return held.value;
  });
}

/** Returns the request of a view: it follows the page while the view is shown, and rests while another one is. */
export function whileShown<Key>(view: View, key: () => Key | null): ReadonlySignal<Key | null> {
  let held: Key | null = null;
  return computed(() => {
    if (page.value.view === view) held = key();
    return held;
  });
}
