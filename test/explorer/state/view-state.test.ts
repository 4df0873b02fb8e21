import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_STATE, parseState, printState } from '../../../src/explorer/state/view-state.js';
import { day, states } from './view-states.js';

describe('a link', () => {
  it('restores every state', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(parseState(printState(state))).toEqual({ state, problems: [] });
      }),
    );
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
      '?v=1&view=table&s=14-274-1215-0-9-25,14-274-1216-0-9-25&from=2010-01-01&to=2020-12-31&asof=2021-06-30&unit=7&y=index&every=month&how=sum&date=2019-07-01&q=corn+yield';
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

      date: '2019-07-01',
      query: 'corn yield',
    });
    expect(state.series).toEqual([
      { metric_id: 14, item_id: 274, region_id: 1215, partner_region_id: 0, source_id: 25, frequency_id: 9 },
      { metric_id: 14, item_id: 274, region_id: 1216, partner_region_id: 0, source_id: 25, frequency_id: 9 },
    ]);
    expect(`?${printState(state)}`).toBe(link);
  });

  it('names what it does not understand, and shows the rest', () => {
    const { state, problems } = parseState(
      'view=map&vintage_date=2012-01-01&from=2020-02-30&from=2020-01-01&s=1-2-3&v=2&q=<b>',
    );
    expect(state).toEqual({ ...EMPTY_STATE, view: 'map', query: '<b>' });
    expect(problems).toEqual([
      'The parameter “vintage_date” is unknown.',
      'The value “2020-02-30” of the parameter “from” is not valid.',
      'The parameter “from” is given twice; the first value is used.',
      'The value “1-2-3” of the parameter “s” is not valid.',
      'The link has version “2”, but this page can read only version 1.',
    ]);
  });

  it('takes the first 60 series, and no range that ends before it begins', () => {
    const series = Array.from({ length: 70 }, (_, at) => `1-2-${at}-0-4-5`).join(',');
    const { state, problems } = parseState(`s=${series}&from=2020-01-02&to=2020-01-01`);
    expect(state.series).toHaveLength(60);
    expect([state.from, state.to]).toEqual([null, null]);
    expect(problems).toHaveLength(2);
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
