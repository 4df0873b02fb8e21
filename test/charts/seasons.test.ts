import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seasonDates } from '../../src/charts/accumulated-degree-days.js';
import { spreadLabels } from '../../src/charts/panels.js';

const days = (dates: Float64Array) => [...dates].map((ms) => new Date(ms).toISOString().slice(5, 10));

describe('the calendar of seasons', () => {
  it('has each day of the year at the same place, with or without 29 February', () => {
    const [common, leap] = [seasonDates('2013-02-27', 4), seasonDates('2012-02-27', 4)];
    expect(days(common)).toEqual(['02-27', '02-28', '03-01', '03-02']);
    expect(days(leap)).toEqual(['02-27', '02-28', '02-29', '03-01']);
    expect(common[2]).toBe(leap[3]);
  });

  it('goes on after the New Year', () => {
    const dates = seasonDates('2013-12-30', 4);
    expect([...dates]).toEqual([...dates].sort((a, b) => a - b));
    expect(days(dates)).toEqual(['12-30', '12-31', '01-01', '01-02']);
  });
});

describe('labels at the ends of lines', () => {
  it('are spread without overlap, in the order of their values, within the limits', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 14 }), (values) => {
        const heights = spreadLabels(values, 5, [0, 100]);
        const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
        order.slice(1).forEach((at, i) => {
          expect(heights[at]! - heights[order[i]!]!).toBeGreaterThan(4.999);
        });
        for (const height of heights) expect(height).toBeLessThanOrEqual(100);
      }),
    );
  });
});
