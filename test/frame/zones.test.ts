import { afterAll, expect, test } from 'vitest';
import { fromCsv } from '../../src/frame/formats/read-csv.js';
import { daily, longOf, monthly, wideOf } from './verbs.js';

const home = process.env.TZ;
afterAll(() => {
  if (home === undefined) delete process.env.TZ;
  else process.env.TZ = home;
});

function everything(): string[] {
  const days = daily(
    '2003-12-25',
    Array.from({ length: 500 }, (_, day) => day),
  );
  const table = longOf([{ frequency_id: 1 }, days], [{ frequency_id: 6 }, monthly('2003-01', [1, 2, 3])]);
  const wide = wideOf([{ frequency_id: 1 }, days]);
  return [
    fromCsv(`${table.toCsv()}`).toCsv(),
    fromCsv('end_date,a\n2004-03-28T02:30:00,1\n').toCsv(),
    wide.toCsv(),
    table.toText(),
    wide.resample({ to: 'monthly', how: 'sum', min_temporal_coverage: 0 }).toCsv(),
    table.yearOverYear().toCsv(),
    wide.anomaly().toCsv(),
  ];
}

test('the time zone of the machine does not matter', () => {
  process.env.TZ = 'UTC';
  const expected = everything();
  const offsets = ['America/St_Johns', 'Europe/Berlin', 'Pacific/Apia'].map((zone) => {
    process.env.TZ = zone;
    expect(everything()).toEqual(expected);
    return new Date(2003, 11, 31).getTimezoneOffset();
  });
  expect(new Set(offsets).size).toBe(3);
});
