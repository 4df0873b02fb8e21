import fc from 'fast-check';
import { VIEWS, type ViewState } from '../../../src/explorer/state/view-state.js';
import { AXES, EVERY, FORMULAS, HOWS, SCALES } from '../../../src/model/chart-choices.js';
import { isDay } from '../../../src/model/time.js';

const id = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const ids = fc.uniqueArray(id, { maxLength: 5 });
const key = fc.record({
  metric_id: id,
  item_id: id,
  region_id: id,
  partner_region_id: id,
  frequency_id: id,
  source_id: id,
});
/** A day of the calendar. */
export const day = fc
  .tuple(
    fc.integer({ min: 1800, max: 2199 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 31 }),
  )
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join('-'))
  .filter(isDay);
const decimal = fc.integer({ min: -99_999, max: 99_999 }).map((tenths) => tenths / 10);
const range = maybe(fc.tuple(day, day).map((days) => days.sort() as [string, string]));

const noteText = fc.string({ unit: 'grapheme', maxLength: 20 });
const note = fc.oneof(
  fc.record({ from: day, to: fc.constant(null), value: fc.constant(null), text: noteText }),
  fc.tuple(day, day, noteText).map(([one, other, text]) => ({
    from: one < other ? one : other,
    to: one < other ? other : one,
    value: null,
    text,
  })),
  fc.record({ from: fc.constant(null), to: fc.constant(null), value: decimal, text: noteText }),
);

/** Every state of the page that a link holds. */
export const states: fc.Arbitrary<ViewState> = fc
  .record({
    view: fc.constantFrom(...VIEWS),
    series: fc.uniqueArray(key, { maxLength: 60, selector: (one) => JSON.stringify(one) }),
    filters: fc.record({ metric: ids, item: ids, region: ids, source: ids, frequency: ids }),
    range,
    asof: maybe(day),
    unit: maybe(id),
    scale: fc.constantFrom(...SCALES),
    periods: fc.integer({ min: 2, max: 999 }),
    formula: fc.constantFrom(...FORMULAS),
    every: maybe(fc.constantFrom(...EVERY)),
    how: fc.constantFrom(...HOWS),
    axes: fc.constantFrom(...AXES),
    notes: fc.array(note, { maxLength: 4 }),
    date: maybe(day),
    otherDate: maybe(day),
    colours: fc.constantFrom('all', 'date'),
    classes: fc.constantFrom('auto', 'steps', 'quantiles'),
    change: fc.constantFrom('units', 'percent'),
    nearest: fc.boolean(),
    query: fc.string({ unit: 'grapheme', maxLength: 40 }),
    degreeDays: fc.record({
      station: maybe(id),
      unit: fc.constantFrom('celsius', 'fahrenheit'),
      base: decimal,
      cap: maybe(decimal),
      method: fc.constantFrom('average', 'single-sine'),
      from: day.map((date) => date.slice(5)).filter((date) => date !== '02-29'),
      to: day.map((date) => date.slice(5)).filter((date) => date !== '02-29'),
    }),
    weights: fc.record({
      crop: maybe(id),
      metric: maybe(id),
      regions: ids,
      from: maybe(id),
      to: maybe(id),
      item: maybe(id),
      value: maybe(id),
    }),
  })
  .map(({ range: dates, ...state }) => ({ ...state, from: dates?.[0] ?? null, to: dates?.[1] ?? null }));
