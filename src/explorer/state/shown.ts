import { computed, effect, signal } from '@preact/signals';
import type { LongFrame } from '../../frame/table/frame-types.js';
import type { Line } from '../series/lines.js';
import { dragged, page, part } from './page.js';
import { points } from './points.js';
import type { Loaded } from './resource.js';

/** What is shown and taken away: the points after resampling, comparing and cutting to the chosen dates. */
export interface Shown {
  readonly frame: LongFrame;
  /** The series of the frame that have a value, in the order of their colours. */
  readonly lines: readonly Line[];
  /** All dates of the points, UTC milliseconds; null without points. */
  readonly extent: { readonly fromMs: number; readonly toMs: number } | null;
}

/** The shown frame of the page. */
export const shown = signal<Loaded<Shown>>({ value: null, error: null, isLoading: false });

/** While the range of a chart over time is dragged, all of its dates are drawn, and only the axis moves. */
export const isPanned = computed(
  () => dragged.value === 'range' && page.value.view === 'chart' && page.value.scale !== 'season',
);

const choices = part(({ from, to, every, how, scale }) => {
  const dates = isPanned.value ? { from: null, to: null } : { from, to };
  return { ...dates, every, how, scale };
});
let latest = 0;

effect(() => {
  const { value, error, isLoading } = points.loaded.value;
  const wanted = choices.value;
  const turn = ++latest;
  if (value === null) {
    shown.value = { value: null, error, isLoading };
    return;
  }
  shown.value = { ...shown.peek(), isLoading: true };
  void (async () => {
    try {
      const { extentOf, linesWithValues, shownFrame } = await import('../series/shown-frame.js');
      if (turn !== latest) return;
      const frame = shownFrame(value.table, wanted);
      const lines = linesWithValues(frame);
      shown.value = { value: { frame, lines, extent: extentOf(value.table) }, error: null, isLoading };
    } catch (failure) {
      if (turn === latest) shown.value = { value: null, error: failure, isLoading: false };
    }
  })();
});
