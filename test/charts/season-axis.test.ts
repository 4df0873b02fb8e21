import { describe, expect, it } from 'vitest';
import { monthTicks, seasonPositions } from '../../src/charts/season-axis.js';

describe('seasonPositions', () => {
  it('positions every day of every year by month and day', () => {
    expect([...seasonPositions('2020-02-27', 4)]).toEqual([0, 1, 2, 3]);
    expect([...seasonPositions('2021-02-27', 4)]).toEqual([0, 1, 3, 4]);
    expect(seasonPositions('2019-01-01', 365)[364]).toBe(365);
  });

  it('continues past the end of the year', () => {
    const places = seasonPositions('2020-12-30', 70);
    expect([...places.slice(0, 4)]).toEqual([0, 1, 2, 3]);
    expect(places[69]! - places[0]!).toBe(70);
  });
});

describe('monthTicks', () => {
  it('has a tick on the first of each month', () => {
    expect(monthTicks('2012-05-01', 62)).toEqual([
      { at: 0, text: 'May' },
      { at: 31, text: 'Jun' },
      { at: 61, text: 'Jul' },
    ]);
    expect(monthTicks('2012-12-15', 30)).toEqual([{ at: 17, text: 'Jan' }]);
  });
});
