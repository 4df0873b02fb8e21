import { describe, expect, it } from 'vitest';
import { readLines, shownFrame } from '../../src/charts/frame-lines.js';
import { fromRows, type LongFrame } from '../../src/index.js';
import { dayRow as row } from './day-row.js';

const frame = fromRows([
  row('2019-02-28', null),
  row('2019-03-01', 4),
  row('2020-02-29', 8),
  row('2020-03-01', 2),
  row('2020-03-01', 0, 5),
  row('2020-03-02', 3, 5),
]) as unknown as LongFrame;

const choices = { from: null, to: null, every: null, how: 'mean', scale: 'normal' } as const;

const valuesOf = async (given: LongFrame) => (await readLines(given)).map(({ value }) => [...value]);

describe('the shown frame', () => {
  it('has the rows of the chosen dates, both included, and nulls as nulls', async () => {
    expect(await valuesOf(shownFrame(frame, { ...choices, to: '2020-02-29' }))).toEqual([[Number.NaN, 4, 8]]);
    expect(await valuesOf(shownFrame(frame, { ...choices, from: '2020-03-01', to: '2020-03-01' }))).toEqual([
      [2],
      [0],
    ]);
  });

  it('as an index begins at 100, has no unit, and is null where the first value is 0', async () => {
    const lines = await readLines(shownFrame(frame, { ...choices, scale: 'index' }));
    expect(lines.map(({ value, unit }) => [[...value], unit])).toEqual([
      [[Number.NaN, 100, 200, 50], ''],
      [[Number.NaN, Number.NaN], ''],
    ]);
  });
});
