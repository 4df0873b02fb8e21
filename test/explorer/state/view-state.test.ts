import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EMPTY_STATE,
  parseState,
  printState,
  VIEWS,
  type ViewState,
  withUnused,
} from '../../../src/explorer/state/view-state.js';
import { EVERY, FORMULAS, HOWS, SCALES } from '../../../src/model/chart-choices.js';
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
const day = fc
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
const states: fc.Arbitrary<ViewState> = fc
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
    notes: fc.array(note, { maxLength: 4 }),
    date: maybe(day),
    otherDate: maybe(day),
    change: fc.constantFrom('units', 'percent'),
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

describe('a link', () => {
  it('restores what the view of every state uses, and no more', () => {
    fc.assert(
      fc.property(states, (state) => {
        const link = printState(state);
        const read = parseState(link);
        expect(read.problems).toEqual([]);
        expect(withUnused(read.state, state)).toEqual(state);
        expect(printState(read.state)).toBe(link);
      }),
    );
    const chosen = parseState('w_regions=1,2&gdd=5&date=2012-12-31&s=1-2-3-0-4-5').state;
    expect(printState(chosen)).toBe('v=1&s=1-2-3-0-4-5');
    expect(printState({ ...chosen, view: 'degree-days' })).toBe('v=1&view=degree-days&gdd=5');
    expect(printState({ ...chosen, view: 'weights' })).toBe('v=1&view=weights&w_regions=1,2');
  });

  it('is read whatever it says, and what is read restores itself', () => {
    const pair = fc.tuple(
      fc.oneof(
        fc.constantFrom('view', 's', 'from', 'to', 'asof', 'unit', 'y', 'region', 'q', 'v'),
        fc.string(),
      ),
      fc.oneof(fc.string(), day, fc.nat().map(String), fc.constantFrom('map', '1-2-3-0-4-5', '1-2-3', 'NaN')),
    );
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 6 }), (pairs) => {
        const { state } = parseState(String(new URLSearchParams(pairs)));
        expect(parseState(printState(state))).toEqual({ state, problems: [] });
      }),
    );
  });

  it('is empty for the page before anything is chosen', () => {
    expect(printState(EMPTY_STATE)).toBe('');
  });

  it('is written in one way', () => {
    const link =
      '?v=1&view=table&s=14-274-1215-0-9-25,14-274-1216-0-9-25&from=2010-01-01&to=2020-12-31&asof=2021-06-30&unit=7&y=index&every=month&how=sum&q=corn+yield';
    const { state, problems } = parseState(link);
    expect(problems).toEqual([]);
    expect(state).toMatchObject({
      view: 'table',
      from: '2010-01-01',
      to: '2020-12-31',
      asof: '2021-06-30',
      unit: 7,
      scale: 'index',
      every: 'month',
      how: 'sum',
      query: 'corn yield',
    });
    expect(state.series).toEqual([
      { metric_id: 14, item_id: 274, region_id: 1215, partner_region_id: 0, source_id: 25, frequency_id: 9 },
      { metric_id: 14, item_id: 274, region_id: 1216, partner_region_id: 0, source_id: 25, frequency_id: 9 },
    ]);
    expect(`?${printState(state)}`).toBe(link);
  });

  it('names what it does not understand, and shows the rest', () => {
    const { state, problems } = parseState('view=map&nearest=1&from=2020-02-30&s=1-2-3&q=<b>');
    expect(state).toEqual({ ...EMPTY_STATE, view: 'map', query: '<b>' });
    expect(problems).toEqual([
      'The parameter “nearest” is unknown.',
      'The value “2020-02-30” of the parameter “from” is not valid.',
      'The value “1-2-3” of the parameter “s” is not valid.',
    ]);
  });

  it('takes the first 60 series', () => {
    const series = Array.from({ length: 70 }, (_, at) => `1-2-${at}-0-4-5`).join(',');
    const { state, problems } = parseState(`s=${series}`);
    expect(state.series).toHaveLength(60);
    expect(problems).toHaveLength(1);
  });

  it('of sixty series stays below 2,000 characters', () => {
    const series = Array.from({ length: 60 }, (_, at) => ({
      metric_id: 2_120_001,
      item_id: 274,
      region_id: 13_000 + at,
      partner_region_id: 0,
      source_id: 25,
      frequency_id: 9,
    }));
    expect(printState({ ...EMPTY_STATE, series }).length).toBeLessThan(2_000);
  });
});
