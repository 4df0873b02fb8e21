import { describe, expect, it } from 'vitest';
import { readLines, shownFrame } from '../../src/charts/frame-lines.js';
import { inYears } from '../../src/charts/years.js';
import { fromRows, type LongFrame } from '../../src/index.js';

const row = (date: string, value: number | null, region_id = 1) => ({
  start_date: `${date}T00:00:00.000Z`,
  end_date: `${date}T00:00:00.000Z`,
  value,
  unit_id: 7,
  reporting_date: null,
  metric_id: 1,
  item_id: 2,
  region_id,
  partner_region_id: 0,
  frequency_id: 1,
  source_id: 3,
  unit_name: 't',
});

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

  it('lies year over year with 1 March on 1 March, after leap years and others', async () => {
    const lines = readLines(frame).flatMap(inYears);
    const days = lines.map(({ start }) => Array.from(start, (ms) => new Date(ms).toISOString().slice(5, 10)));
    expect(days).toEqual([['03-01'], ['02-29', '03-01'], ['03-01', '03-02']]);
    expect(lines.every(({ start }) => start.every((ms) => new Date(ms).getUTCFullYear() === 2000))).toBe(
      true,
    );
  });
});
